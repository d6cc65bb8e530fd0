"""Issue point 1, find: groups, counts, badges, a virtual list, a URL for each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.serve.explorer.conftest import Serve, Visit

pytestmark = pytest.mark.browser

MANY = [
    {"name": f"{group}_{n}", "description": f"Number {n}"}
    for group in ("alpha", "beta", "gamma", "delta")
    for n in range(250)
]


def focused(page: Page) -> str:
    """Give the words of what has the focus."""
    return str(page.evaluate("document.activeElement.textContent"))


def test_tools_are_grouped_by_their_first_segment(serve: Serve, visit: Visit) -> None:
    """Three share one, the rest are others; each group says how many."""
    page = visit(serve(desk())).page
    heads = page.locator(".group-head")

    expect(heads).to_have_count(2)
    expect(heads.nth(0)).to_contain_text("weather")
    expect(heads.nth(0)).to_contain_text("3")
    expect(heads.nth(1)).to_contain_text("Others")
    expect(page.locator(".tool-row")).to_have_count(6)
    expect(page.locator(".tool-row").nth(1)).to_contain_text("read-only")
    expect(page.locator(".tool-row").nth(2)).to_contain_text("destructive")


def test_a_group_is_closed_and_opened(serve: Serve, visit: Visit) -> None:
    """With the mouse, with the arrows, and all at once; a filter opens what it finds."""
    page = visit(serve(desk())).page
    rows, head = page.locator(".tool-row"), page.locator(".group-head").first
    head.click()
    expect(rows).to_have_count(3)
    expect(head).to_have_attribute("aria-expanded", "false")
    page.get_by_role("searchbox").fill("past")
    expect(rows).to_have_count(1)
    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_count(3)

    head.focus()
    page.keyboard.press("ArrowRight")
    expect(rows).to_have_count(6)
    page.keyboard.press("ArrowDown")
    assert "weather_now" in focused(page)
    page.keyboard.press("ArrowLeft")
    assert focused(page).startswith("weather")
    page.keyboard.press("ArrowLeft")
    expect(rows).to_have_count(3)

    page.get_by_role("button", name="Collapse all").click()
    expect(rows).to_have_count(0)
    page.get_by_role("button", name="Expand all").click()
    expect(rows).to_have_count(6)


def test_a_thousand_tools_are_a_few_rows(serve: Serve, visit: Visit) -> None:
    """Only what is in sight is drawn; the keyboard reaches the rest."""
    page = visit(serve(desk(MANY))).page
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


@pytest.mark.parametrize("name", ["a/b", "validate", "a?view=targets", "é 🎉"])
def test_an_address_leads_to_a_tool_and_its_view(serve: Serve, visit: Visit, name: str) -> None:
    """So that it can be sent to somebody else."""
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


def test_the_filter_outlives_a_look_at_another_page(serve: Serve, visit: Visit) -> None:
    """And so does what was closed."""
    page = visit(f"{serve(desk())}/#/tools/parts").page
    page.get_by_role("button", name="Collapse all").click()
    page.get_by_role("searchbox").fill("past")
    page.get_by_role("link", name="Log", exact=True).click()
    expect(page.get_by_role("heading", name="Log")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("past")
    page.get_by_role("searchbox").fill("")
    expect(page.get_by_role("button", name="Expand all")).to_be_visible()
