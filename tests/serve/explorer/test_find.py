"""Issue point 1, find: groups, counts, badges, a virtual list, a URL for each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk

if TYPE_CHECKING:
    from tests.serve.explorer.conftest import Serve, Visit

pytestmark = pytest.mark.browser

MANY = [
    {"name": f"{group}_{n}", "description": f"Number {n}"}
    for group in ("alpha", "beta", "gamma", "delta")
    for n in range(250)
]


def test_a_thousand_tools_are_a_few_rows(serve: Serve, visit: Visit) -> None:
    """Only what is in sight is drawn; the keyboard reaches the rest."""
    page = visit(serve(desk(MANY))).page
    expect(page.get_by_role("status").first).to_have_text("1000 tools")
    page.get_by_role("searchbox").fill("delta_77")
    expect(page.locator(".tool-row")).to_have_count(1)
    page.get_by_role("searchbox").fill("")
    expect(page.get_by_role("status").first).to_have_text("1000 tools")
    drawn = page.locator("li[data-index]").count()
    page.locator(".group-head").first.focus()
    page.keyboard.press("End")
    expect(page.get_by_role("link", name="delta_249")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("link", name="delta_248")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.locator(".group-head").first).to_be_focused()

    assert drawn < 80
    assert page.locator("li[data-index]").count() < 80


def test_the_list_is_one_stop_of_the_tab_key(serve: Serve, visit: Visit) -> None:
    """From the filter into the list, and on into the page."""
    page = visit(f"{serve(desk(MANY))}/#/tools/gamma_100").page
    expect(page.get_by_role("heading", name="gamma_100")).to_be_visible()
    current = page.get_by_role("link", name="gamma_100")
    expect(current).to_be_in_viewport()
    page.get_by_role("button", name="Reload the list").focus()
    page.keyboard.press("Tab")
    expect(current).to_be_focused()
    page.keyboard.press("Tab")

    expect(page.get_by_role("button", name="Copy the name")).to_be_focused()


def test_an_address_leads_to_a_tool_and_its_view(serve: Serve, visit: Visit) -> None:
    """So that it can be sent to somebody else, whatever the name is."""
    name = "a/b?view=targets é 🎉"
    tools: list[dict[str, Any]] = [{"name": name}, {"name": "other"}]
    url = serve(desk(tools))
    page = visit(url).page
    page.get_by_role("link", name=name).click()
    page.get_by_role("navigation", name="Views of this tool").get_by_text("Targets").click()
    page.get_by_role("link", name="Mistral").click()
    expect(page.get_by_role("heading", name="Mistral")).to_be_visible()
    sent = page.url

    other = visit(sent).page
    expect(other.get_by_role("heading", name=name, level=2)).to_be_visible()
    expect(other.get_by_role("region", name="Mistral")).to_be_visible()
