"""Issue point 6, log: live lines, filters, and the way back to the same call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk

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
