"""What is typed and what runs is not lost, and what is to be forgotten is."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk, stored
from toolgauge import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Route
    from starlette.requests import Request

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

WHILE_LEFT = [
    pytest.param(("Log",), id="the log"),
    pytest.param(("Targets",), id="the targets"),
    pytest.param(("weather_past", "weather_now"), id="another tool"),
]


@contextmanager
def sesame(request: Request) -> Iterator[None]:
    """Ask for a token."""
    if request.headers.get("authorization") != "Bearer sesame-42":
        raise PermissionError
    yield


def follow(page: Page, *names: str) -> None:
    """Follow links of the header or the list, one after another."""
    for name in names:
        page.get_by_role("link", name=re.compile(rf"^{name}\b")).first.click()


def run(visitor: Visitor, text: str) -> None:
    """Execute this and wait for success."""
    visitor.write(text)
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()


@pytest.mark.parametrize("links", WHILE_LEFT)
def test_a_call_goes_on_while_one_looks_elsewhere(
    serve: Serve, visit: Visit, links: tuple[str, ...]
) -> None:
    """Its answer is there when one comes back, and in the history."""
    may_answer = Event()

    def wait(args: dict[str, Any]) -> dict[str, Any]:
        assert may_answer.wait(60)
        return args

    slow = Tool(name="weather_now", description="", input_schema={}, handler=wait)
    tools = [slow, Tool(name="weather_past", description="", input_schema={})]
    visitor = visit(f"{serve(desk(tools))}/#/tools/weather_now")
    page, history = visitor.page, visitor.page.get_by_role("region", name="History")
    visitor.write('{"city": "Oslo"}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(page.get_by_role("timer")).to_be_visible()
    follow(page, *links)
    if links[-1] != "weather_now":
        page.go_back()
    expect(page.get_by_role("timer")).to_be_visible()
    follow(page, *links)
    may_answer.set()
    if links[-1] != "weather_now":
        # ``wait_for_function`` compiles its text in the page, whose policy forbids that.
        for _ in range(1_500):
            if "Oslo" in page.evaluate("JSON.stringify({...localStorage})"):
                break
            page.wait_for_timeout(20)
        page.go_back()

    expect(visitor.result.get_by_role("region", name="Content 1")).to_contain_text("Oslo")
    expect(history.get_by_role("listitem")).to_have_count(1)
    assert "good" == stored(page)[0]["verdict"]
    page.reload()
    expect(history.get_by_role("listitem")).to_have_count(1)
    expect(visitor.result).not_to_contain_text("Nothing was executed")


def test_a_run_is_recalled_once(serve: Serve, visit: Visit) -> None:
    """Not again by Back, by the other view, or by a reload: what was typed after it stays."""
    visitor = visit(f"{serve(desk())}/#/tools/weather_now")
    page = visitor.page
    run(visitor, '{"city": "Oslo"}')
    visitor.write('{"city": "Bergen"}')
    visitor.has_verdict("Valid")
    page.get_by_role("link", name="in the log").click()
    page.get_by_role("link", name="Same call of weather_now").click()
    expect(visitor.editor).to_have_text('{"city": "Oslo"}')
    visitor.write('{"city": "Hammerfest"}')
    visitor.has_verdict("Valid")

    views = page.get_by_role("navigation", name="Views of this tool")
    views.get_by_role("link", name="Targets").click()
    page.go_back()
    expect(visitor.editor).to_have_text('{"city": "Hammerfest"}')
    follow(page, "Log")
    page.go_back()
    expect(visitor.editor).to_have_text('{"city": "Hammerfest"}')
    expect(visitor.result).to_contain_text("of the run at")
    page.reload()
    expect(visitor.editor).to_have_text('{"city": "Hammerfest"}')
    # The same link asks again.
    page.goto(page.url.split("#")[0] + "#/log")
    page.get_by_role("link", name="Same call of weather_now").click()
    expect(visitor.editor).to_have_text('{"city": "Oslo"}')


def test_what_was_typed_outlives_a_reload(serve: Serve, visit: Visit) -> None:
    """Of each tool, also where it is no JSON yet."""
    visitor = visit(f"{serve(desk())}/#/tools/weather_now")
    visitor.write('{"city": "Oslo", "days": 1.0}')
    visitor.has_verdict("Valid")
    follow(visitor.page, "weather_past")
    visitor.write('{"city": "Ber')
    visitor.has_verdict("Not JSON yet; nothing was sent.")
    visitor.page.reload()

    expect(visitor.editor).to_have_text('{"city": "Ber')
    follow(visitor.page, "weather_now")
    expect(visitor.editor).to_have_text('{"city": "Oslo", "days": 1.0}')


def test_reloading_the_list_reloads_the_open_tool(serve: Serve, visit: Visit) -> None:
    """Its form is that of the new schema, and holds what was typed."""
    tools = [Tool(name="tool", description="Old.", input_schema={"properties": {"a": {}}})]
    visitor = visit(f"{serve(desk(lambda: tools))}/#/tools/tool")
    reload = visitor.page.get_by_role("button", name="Reload the list")
    visitor.write('{"a": "typed"}')
    visitor.has_verdict("Valid")
    new = {"properties": {"b": {"type": "integer"}}, "required": ["b"]}
    tools[0] = Tool(name="tool", description="New.", input_schema=new)
    reload.click()

    expect(visitor.page.get_by_role("main").get_by_text("New.")).to_be_visible()
    expect(visitor.page.get_by_role("textbox", name="b", exact=True)).to_be_visible()
    expect(visitor.editor).to_have_text('{"a": "typed"}')
    visitor.has_verdict("1 problem")
    tools.clear()
    reload.click()
    expect(visitor.page.get_by_text("There is no such tool")).to_be_visible()


def test_what_is_cleared_in_one_tab_is_cleared_in_all(serve: Serve, visit: Visit) -> None:
    """And comes in all of them when it is made."""
    url = f"{serve(desk())}/#/tools/weather_now"
    first = visit(url)
    other = first.page.context.new_page()
    other.goto(url)
    history = other.get_by_role("region", name="History")
    run(first, '{"city": "Oslo"}')
    expect(history.get_by_role("button", name="Oslo")).to_be_visible()
    history.get_by_role("button", name="Oslo").click()
    first.page.get_by_role("button", name="Clear").click()

    expect(history).to_have_count(0)
    other.get_by_role("button", name="Execute", exact=True).click()
    expect(history.get_by_role("listitem")).to_have_count(1)
    expect(first.page.get_by_role("region", name="History").get_by_role("listitem")).to_have_count(
        1
    )
    assert 1 == len(stored(other))


def test_a_token_is_in_no_draft(serve: Serve, visit: Visit) -> None:
    """Not where it was typed before it was known to be one, nor after it was forgotten."""
    visitor = visit(f"{serve(desk(auth_hook=sesame))}/#/tools/weather_now")
    page = visitor.page
    kept = "JSON.stringify({...localStorage, ...sessionStorage})"
    visitor.write('{"city": "sesame-42"}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    page.get_by_label("Token").fill("sesame-42")
    page.keyboard.press("Enter")
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    assert "sesame" not in page.evaluate(kept)
    page.get_by_role("button", name="Forget the token").click()
    visitor.write('{"city": "sesame-42", "days": 1}')
    visitor.has_verdict("Valid")

    assert "sesame" not in page.evaluate(kept)
    # The run is shown, and what is masked is not put into the editor as if it had been sent.
    page.get_by_role("region", name="History").get_by_role("button", name="[token]").click()
    expect(visitor.result).to_contain_text("held the token")
    expect(visitor.editor).to_have_text('{"city": "sesame-42", "days": 1}')


def test_a_token_is_refused_only_where_it_was_sent(serve: Serve, visit: Visit) -> None:
    """Else the page says why nothing was sent; and what no header can hold is said to be that."""
    visitor = visit(f"{serve(desk(auth_hook=sesame))}/#/tools/weather_now")
    page = visitor.page
    visitor.write('{"city": "Oslo"}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result).to_contain_text("The server asks for a token")
    page.get_by_label("Token").fill("złoty")
    expect(visitor.result).to_contain_text("This cannot be sent")
    page.keyboard.press("Enter")
    visitor.write('{"city": 5}')
    visitor.has_verdict("1 problem")
    page.get_by_label("Token").fill("sesame-42")
    page.keyboard.press("Enter")

    expect(visitor.result).to_contain_text("Nothing was sent: The arguments do not match")
    expect(visitor.result).not_to_contain_text("refused")
    visitor.write('{"city": "Oslo"}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    assert ['{"city": "Oslo"}'] * 2 == [body for url, body in visitor.posts if "/call" in url]


def test_ctrl_enter_waits_for_the_verdict_on_what_stands_there(serve: Serve, visit: Visit) -> None:
    """Right after the arguments were mended it executes; after they were broken it does not."""
    visitor = visit(f"{serve(desk())}/#/tools/weather_now")
    page = visitor.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.write('{"city": 5}')
    visitor.has_verdict("1 problem")
    page.route("**/validate", hold)
    with page.expect_request("**/validate"):
        visitor.write('{"city": "Oslo"}')
    page.keyboard.press("ControlOrMeta+Enter")
    visitor.has_verdict("Checking…")
    assert [] == [url for url, _ in visitor.posts if "/call" in url]
    held.pop().continue_()
    expect(visitor.result.get_by_text("Success")).to_be_visible()

    with page.expect_request("**/validate"):
        visitor.write('{"city": 5}')
    visitor.has_verdict("Checking…")
    held.pop().continue_()
    visitor.has_verdict("1 problem")
    with page.expect_request("**/validate"):
        visitor.write('{"city": 6}')
    page.keyboard.press("ControlOrMeta+Enter")
    visitor.has_verdict("Checking…")
    held.pop().continue_()
    visitor.has_verdict("1 problem")
    assert ['{"city": "Oslo"}'] == [body for url, body in visitor.posts if "/call" in url]


def test_a_short_token_corrupts_no_run(serve: Serve, visit: Visit) -> None:
    """It stands in every other word, so the texts are not kept, and the outcome is."""

    @contextmanager
    def one(request: Request) -> Iterator[None]:
        if request.headers.get("authorization") != "Bearer 1":
            raise PermissionError
        yield

    visitor = visit(f"{serve(desk(auth_hook=one))}/#/tools/weather_now")
    visitor.write('{"city": "Oslo", "days": 1}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    visitor.page.get_by_label("Token").fill("1")
    visitor.page.keyboard.press("Enter")
    expect(visitor.result.get_by_text("Success")).to_be_visible()
    runs = stored(visitor.page)
    assert (None, None, "good", 200) == (
        runs[0]["args"],
        runs[0]["body"],
        runs[0]["verdict"],
        runs[0]["status"],
    )

    visitor.page.get_by_role("region", name="History").get_by_role("button", name="Success").click()
    expect(visitor.result).to_contain_text("This answer held the token")
    expect(visitor.editor).to_have_text('{"city": "Oslo", "days": 1}')
    assert json.loads(visitor.written()) == {"city": "Oslo", "days": 1}
