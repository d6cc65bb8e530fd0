"""Issue point 5, targets: who accepts what, where and why not, and what it would take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk
from toolgauge.lowering import lower
from toolgauge.rules import check, targets

if TYPE_CHECKING:
    from tests.serve.explorer.conftest import Serve, Visit

pytestmark = pytest.mark.browser

TOOLS: list[dict[str, Any]] = [
    {
        "name": "a/b",
        "description": "A slash in its name.",
        "inputSchema": {
            "type": "object",
            "properties": {"q": {"type": "string", "minLength": 2}, "n": {"type": "integer"}},
            "required": ["q"],
        },
    },
    {"name": "none", "description": "No schema to speak of.", "inputSchema": {"type": "object"}},
]


def test_the_matrix_has_a_cell_for_each_tool_and_target(serve: Serve, visit: Visit) -> None:
    """As ``check`` says it; a cell leads to its reasons."""
    url = serve(desk(TOOLS))
    page = visit(url).page
    page.get_by_role("link", name="Targets").click()
    grid = page.get_by_role("grid", name="Tools and targets")
    expect(grid.get_by_role("row")).to_have_count(len(TOOLS) + 2)
    errors = {
        (each.tool, each.target) for each in check(TOOLS).findings if each.severity == "error"
    }
    for tool in ("a/b", "none"):
        for target in targets().values():
            words = "refuses it" if (tool, target.name) in errors else "accepts it"
            label = re.compile("^" + re.escape(f"{target.title}, {tool}: {words}"))
            cell = grid.get_by_label(label)
            assert cell.count() == 1, (tool, target.name)
    grid.get_by_label("OpenAI function calling, a/b: refuses it").click()

    expect(page).to_have_url(f"{url}/#/tools/a%2Fb?view=targets&target=openai")
    reasons = page.get_by_role("region", name="OpenAI function calling")
    expect(reasons).to_contain_text("malformed-tool-name")
    expect(reasons).to_contain_text("/name")
    expect(reasons).to_contain_text("To mend it:")
    expect(reasons).to_contain_text("Source:")


def test_the_matrix_is_walked_with_the_keyboard(serve: Serve, visit: Visit) -> None:
    """One stop of the Tab key, arrows from cell to cell, Enter opens; also far below."""
    many = [
        {"name": f"tool{n}", "description": "d", "inputSchema": {"type": "object"}}
        for n in range(300)
    ]
    page = visit(f"{serve(desk(many))}/#/targets").page
    page.get_by_role("link", name="tool0", exact=True).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator('[data-cell="1 2"]')).to_be_focused()
    for _ in range(6):
        page.keyboard.press("PageDown")
    expect(page.locator('[data-cell="61 2"]')).to_be_focused()
    expect(page.locator('[data-cell="61 2"]')).to_be_in_viewport()
    assert page.locator(".matrix tbody tr").count() < 80
    page.keyboard.press("Home")
    expect(page.get_by_role("link", name="tool61", exact=True)).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="tool61")).to_be_visible()


def test_what_is_wrong_with_the_list_is_said_once(serve: Serve, visit: Visit) -> None:
    """Too many tools are no fault of one of them."""
    many = [
        {"name": f"tool{n}", "description": "d", "inputSchema": {"type": "object"}}
        for n in range(200)
    ]
    page = visit(f"{serve(desk(many))}/#/targets").page
    about = page.locator(".about-list")
    about.locator("summary").click()
    report = check(many)
    found = [each for each in report.findings if each.index is None]

    assert found
    expect(about).to_contain_text(f"{len(found)} findings")
    expect(about).to_contain_text(found[0].message)
    expect(page.locator(".matrix-refused", has_text="list")).to_have_count(
        len({each.target for each in found if each.severity == "error"})
    )


def test_the_lowered_tool_stands_beside_the_original(serve: Serve, visit: Visit) -> None:
    """What differs is marked on both sides; what is lost is listed; the request is there."""
    page = visit(f"{serve(desk(TOOLS))}/#/tools/a%2Fb?view=targets&target=openai-strict").page
    card = page.get_by_role("region", name="OpenAI strict function calling", exact=True)
    card.get_by_role("tab", name="What it would take").click()
    lowered = lower([TOOLS[0]], "openai-strict")
    diff = card.get_by_role("region", name="The tool as it is and as it is lowered")

    expect(diff.locator(".changed .left", has_text='"name": "a/b"')).to_have_count(1)
    expect(
        diff.locator(".changed .right", has_text=f'"name": "{lowered.tools[0]["name"]}"')
    ).to_have_count(1)
    expect(diff.locator(".same .left", has_text='"minLength": 2')).to_have_count(1)
    expect(card.locator(".losses")).to_contain_text(f"What is lost: {len(lowered.losses)}")
    for each in lowered.losses:
        expect(card.locator(".losses")).to_contain_text(each.what)
    card.get_by_role("tab", name="As its request").click()
    expect(card.get_by_role("region", name="The tool for")).to_contain_text('"strict": true')
