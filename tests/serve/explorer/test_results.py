"""Issue point 3, run: results by their kind, history, two runs compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk, stored

if TYPE_CHECKING:
    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser


def run(visitor: Visitor) -> None:
    """Execute what is in the editor and wait for success."""
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()


def test_every_kind_of_content_is_shown_as_what_it_is(serve: Serve, visit: Visit) -> None:
    """Text, JSON, pictures, sounds, links, embedded resources, and what nobody knows yet."""
    visitor = visit(f"{serve(desk())}/#/tools/parts")
    run(visitor)
    result = visitor.result

    expect(result.get_by_role("region", name="Content 1", exact=True)).to_have_text("plain words")
    expect(result.get_by_role("region", name="Content 2", exact=True)).to_contain_text(
        '"big": 12345678901234567890'
    )
    expect(result.get_by_role("img", name="Content 3, image/png")).to_have_count(1)
    expect(result.locator("audio")).to_have_count(1)
    expect(result.get_by_role("link", name="https://example.org/guide")).to_have_attribute(
        "rel", "noopener noreferrer"
    )
    expect(result.get_by_text("javascript:alert(1)")).to_be_visible()
    expect(result.locator("a[href^=javascript]")).to_have_count(0)
    expect(result.get_by_role("region", name="Content 7")).to_have_text("# Notes")
    expect(result.get_by_text("9 bytes")).to_be_visible()
    expect(result.get_by_role("img", name="Content 9, image/png")).to_have_count(1)
    expect(result.get_by_role("region", name="Content 10")).to_contain_text("novelty")
    with visitor.page.expect_download() as saved:
        result.get_by_role("button", name="Save").first.click()
    assert "report.pdf" == saved.value.suggested_filename
    assert b"%PDF-fake" == saved.value.path().read_bytes()


def test_structured_content_is_a_tree_that_keeps_its_schema(serve: Serve, visit: Visit) -> None:
    """With the keyboard, and ten thousand rows do not stop it."""
    visitor = visit(f"{serve(desk())}/#/tools/many")
    run(visitor)
    expect(visitor.result).to_contain_text("keeps its output schema")
    visitor.result.get_by_role("tab", name="Structured").click()
    tree = visitor.result.get_by_role("tree")
    expect(tree.get_by_role("treeitem")).to_have_count(2)
    tree.get_by_role("treeitem").first.focus()
    page = visitor.page
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(tree.get_by_role("treeitem", name="9999: { 2 members }")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(tree.get_by_role("treeitem", name="id: 9999")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(tree.get_by_role("treeitem", name="9999: { 2 members }")).to_be_focused()

    assert tree.get_by_role("treeitem").count() < 80
    # What is hidden has no height, and must not make the rows come one after another.
    visitor.result.get_by_role("tab", name="Raw").click()
    expect(visitor.result.get_by_role("region", name="Raw body")).to_be_visible(timeout=5_000)
    visitor.result.get_by_role("tab", name="Structured").click()
    visitor.result.get_by_role("button", name="Tree").click()
    expect(visitor.result.get_by_role("region", name="Structured content")).to_contain_text(
        '"name": "item 0"'
    )


def test_an_answer_that_breaks_its_schema_is_not_shown(serve: Serve, visit: Visit) -> None:
    """But where it does, and the line of the schema that asks for something else."""
    visitor = visit(f"{serve(desk())}/#/tools/liar")
    visitor.has_verdict("Valid")
    visitor.execute.click()

    expect(visitor.result).to_contain_text("breaks the tool's output schema")
    expect(visitor.result.get_by_role("alert")).to_contain_text("/rows")
    expect(visitor.result.get_by_role("alert")).to_contain_text('"type": "array"')
    expect(visitor.result).not_to_contain_text("the secret")


def test_runs_are_kept_shown_again_and_forgotten(serve: Serve, visit: Visit) -> None:
    """In this browser, for each tool, also after the page was left."""
    url = f"{serve(desk())}/#/tools/weather_past"
    visitor = visit(url)
    page, history = visitor.page, visitor.page.get_by_role("region", name="History")
    for city in ("Oslo", "Bergen"):
        visitor.write(json.dumps({"city": city}))
        run(visitor)
    expect(history.get_by_role("listitem")).to_have_count(2)
    page.get_by_role("link", name="weather_now").click()
    expect(history).to_have_count(0)

    page.goto(url)
    page.reload()
    expect(history.get_by_role("listitem")).to_have_count(2)
    history.get_by_role("button", name="Oslo").click()
    expect(visitor.editor).to_have_text('{"city": "Oslo"}')
    expect(visitor.result).to_contain_text("of the run at")
    expect(visitor.result).to_contain_text("keeps its output schema")
    expect(visitor.result.get_by_role("region", name="Content 1")).to_contain_text("Oslo")

    history.get_by_role("button", name="Clear").click()
    expect(history).to_have_count(0)
    expect(visitor.result).not_to_contain_text("of the run at")
    assert [] == stored(page)
