"""What is typed and what runs is not lost, and what is to be forgotten is."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk, stored
from toolgauge import Tool

if TYPE_CHECKING:
    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser


def run(visitor: Visitor, text: str) -> None:
    """Execute this and wait for success."""
    visitor.write(text)
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()


def test_a_call_goes_on_while_one_looks_elsewhere(serve: Serve, visit: Visit) -> None:
    """Its answer is there when one comes back, in the history, and after a reload."""
    may_answer = Event()

    def wait(args: dict[str, Any]) -> dict[str, Any]:
        assert may_answer.wait(60)
        return args

    slow = Tool(name="weather_now", description="", input_schema={}, handler=wait)
    visitor = visit(f"{serve(desk([slow]))}/#/tools/weather_now")
    page, history = visitor.page, visitor.page.get_by_role("region", name="History")
    visitor.write('{"city": "Oslo"}')
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(page.get_by_role("timer")).to_be_visible()
    page.get_by_role("link", name="Log", exact=True).click()
    page.go_back()
    expect(page.get_by_role("timer")).to_be_visible()
    page.get_by_role("link", name="Log", exact=True).click()
    may_answer.set()
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
    expect(visitor.editor).to_have_text('{"city": "Oslo"}')


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
