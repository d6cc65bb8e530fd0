"""Issue point 6, log: live lines, filters, and the way back to the same call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk
from toolgauge.serve import bearer_auth

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Locator, Page

    from tests.serve.explorer.conftest import Serve, Visit

pytestmark = pytest.mark.browser


def lines(page: Page) -> Locator:
    """Give the rows of the log that are drawn."""
    return page.locator(".log tbody tr:not([aria-hidden])")


def call(page: Page, url: str, tool: str, body: object) -> APIResponse:
    """Call a tool as another program would."""
    return page.request.post(
        f"{url}/tools/{tool}/call",
        data=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )


def test_lines_come_while_the_page_is_open(serve: Serve, visit: Visit) -> None:
    """Calls of others too, newest first, with where they were wrong and not with what."""
    url = serve(desk())
    page = visit(f"{url}/#/log").page
    expect(page.get_by_text("Nothing was logged yet.")).to_be_visible()
    call(page, url, "weather_now", {"city": "Oslo"})
    call(page, url, "weather_now", {"city": "x", "days": "the secret"})

    expect(lines(page)).to_have_count(2)
    expect(lines(page).nth(0)).to_contain_text("INVALID_INPUT")
    expect(lines(page).nth(0)).to_contain_text("/params/arguments/")
    expect(lines(page).nth(0)).to_contain_text("+1")
    expect(lines(page).nth(1)).to_contain_text("ok")
    expect(page.locator("body")).not_to_contain_text("secret")


def test_lines_are_filtered_by_tool_and_code(serve: Serve, visit: Visit) -> None:
    """And stand still while they are read."""
    url = serve(desk())
    page = visit(f"{url}/#/log").page
    call(page, url, "weather_now", {"city": "Oslo"})
    call(page, url, "weather_past", {})
    call(page, url, "liar", {})
    expect(lines(page)).to_have_count(3)
    page.get_by_role("searchbox").fill("weather")
    expect(lines(page)).to_have_count(2)
    page.get_by_role("combobox").select_option("INVALID_INPUT")
    expect(lines(page)).to_have_count(1)
    page.get_by_role("searchbox").fill("")
    page.get_by_role("combobox").select_option("Failed")
    expect(lines(page)).to_have_count(2)

    page.get_by_role("button", name="Pause").click()
    call(page, url, "liar", {})
    expect(lines(page)).to_have_count(2)
    page.get_by_role("button", name="Pause").click()
    expect(lines(page)).to_have_count(3)


def test_a_line_leads_to_the_same_call(serve: Serve, visit: Visit) -> None:
    """With its arguments and its answer, found by its trace; and a result leads to its line."""
    visitor = visit(f"{serve(desk())}/#/tools/weather_now")
    visitor.write('{"city": "Oslo", "days": 12345678901234567890}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    visitor.write('{"city": "Bergen"}')
    visitor.page.get_by_role("link", name="in the log").click()
    page = visitor.page
    expect(lines(page)).to_have_count(1)
    expect(page.get_by_text("show all")).to_be_visible()
    page.get_by_role("link", name="Same call of weather_now").click()

    expect(visitor.editor).to_have_text('{"city": "Oslo", "days": 12345678901234567890}')
    expect(visitor.result).to_contain_text("of the run at")
    expect(visitor.result.get_by_role("region", name="Content 1")).to_contain_text("Oslo")


def test_a_line_of_somebody_elses_call_leads_to_the_place_that_was_wrong(
    serve: Serve, visit: Visit
) -> None:
    """The tool, the pointer into the arguments, the keyword and the line of the schema."""
    url = serve(desk())
    page = visit(f"{url}/#/log").page
    call(page, url, "weather_now", {"city": "x"})
    page.get_by_role("link", name="Tool weather_now").click()
    notice = page.get_by_role("alert")

    expect(notice).to_contain_text("What the log says")
    expect(notice).to_contain_text("/city")
    expect(notice).to_contain_text("minLength")
    expect(notice).to_contain_text('"minLength": 2')


def test_without_the_switch_there_is_no_log(serve: Serve, visit: Visit) -> None:
    """Neither in the navigation nor beside a result."""
    visitor = visit(f"{serve(desk(is_logged=False))}/#/tools/weather_now")
    visitor.write('{"city": "Oslo"}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()

    expect(visitor.page.get_by_role("link", name="Log", exact=True)).to_have_count(0)
    expect(visitor.page.get_by_role("link", name="in the log")).to_have_count(0)


def test_the_log_asks_for_the_same_token_as_a_call(serve: Serve, visit: Visit) -> None:
    """It tells of what others do."""
    page = visit(f"{serve(desk(auth_hook=bearer_auth('sesame')))}/#/log").page
    page.get_by_label("Token").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The server refused this token")).to_be_visible()
    page.get_by_label("Token").fill("sesame")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Log")).to_be_visible()
    page.get_by_role("button", name="Forget the token").click()
    expect(page.get_by_text("The server asks for a token")).to_be_visible()


def test_a_server_that_is_gone_is_said_to_be_gone(serve: Serve, visit: Visit) -> None:
    """What is known already stays."""
    url = serve(desk())
    page = visit(f"{url}/#/log").page
    call(page, url, "weather_now", {"city": "Oslo"})
    expect(lines(page)).to_have_count(1)
    page.route("**/log?*", lambda route: route.abort())

    expect(page.get_by_role("alert")).to_contain_text("cannot be followed")
    expect(lines(page)).to_have_count(1)


def test_new_lines_do_not_move_what_is_read(serve: Serve, visit: Visit) -> None:
    """However many come at once, neither the lines in sight nor the focus."""
    url = serve(desk())
    page = visit(url).page
    for _ in range(300):
        call(page, url, "weather_now", {"city": "Oslo"})
    page.goto(f"{url}/#/log")
    box = page.get_by_role("region", name="Lines of the log")
    expect(page.get_by_role("status")).to_have_text("300 of 300 lines")
    box.evaluate("(box) => { box.scrollTop = 3000; }")
    row = page.locator("tr[data-number='195']")
    row.get_by_role("link").focus()
    before = row.bounding_box()
    for _ in range(100):
        call(page, url, "weather_past", {"city": "Oslo"})

    expect(page.get_by_role("status")).to_have_text("400 of 400 lines")
    expect(row.get_by_role("link")).to_be_focused()
    assert before == row.bounding_box()
    box.evaluate("(box) => { box.scrollTop = 0; }")
    call(page, url, "weather_past", {"city": "Oslo"})
    expect(page.locator("tr[data-number='401']")).to_be_in_viewport()
