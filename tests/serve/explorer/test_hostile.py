"""Hostile names, texts, schemas, results and log lines: shown as text, nothing runs."""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.profile import long_run
from tests.serve.explorer.desk import desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "toollists"
# Bounds for a busy machine; what is measured is printed.
PAINT_MS, KEYSTROKE_MS = 5_000, 3_000

MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
OVERRIDE = "safe\u202etxt.exe\u2066"
SVG = base64.b64encode(
    b"<svg xmlns='http://www.w3.org/2000/svg' onload='parent.pwned=1'>"
    b"<script>parent.pwned=1</script></svg>"
).decode()
NASTY: dict[str, Any] = {
    "name": MARKUP,
    "title": MARKUP,
    "description": f"{MARKUP}\n{OVERRIDE}\n[click](javascript:window.pwned=1)",
    "inputSchema": {
        "type": "object",
        "title": MARKUP,
        "description": OVERRIDE,
        "properties": {
            MARKUP: {"type": "string", "description": MARKUP, "default": MARKUP},
            OVERRIDE: {"enum": [MARKUP, OVERRIDE, "javascript:window.pwned=1"]},
            "__proto__": {"type": "string"},
            "constructor": {"const": MARKUP},
        },
        "required": [MARKUP],
    },
    "outputSchema": {"type": "object", "description": MARKUP},
}
NAMES = [MARKUP, OVERRIDE, "javascript:window.pwned=1", "a/../b", "💥" * 40, "x" * 300]

# The texts of the page, and those that a browser makes texts of.
SHOWN = """
const all = (selector) => [...document.querySelectorAll(selector)];
[
  document.body.innerText,
  ...all("option").map((each) => each.text),
  ...["placeholder", "title", "aria-label"].flatMap((name) =>
    all(`[${name}]`).map((each) => each.getAttribute(name))),
].join();
"""


def is_sound(page: Page) -> None:
    """Nothing ran, nothing was made of the texts, and the page still answers."""
    assert page.evaluate("window.pwned ?? null") is None
    assert 0 == page.locator("img[src=x]").count()
    assert 0 == page.locator("a[href^=javascript]").count()
    shown = page.evaluate(SHOWN)
    assert "\u202e" not in shown
    assert "\u2066" not in shown


def serve_result(visitor: Visitor, body: Any) -> None:
    """Answer the next call with anything at all."""
    text = body if isinstance(body, str) else json.dumps(body)
    visitor.page.route(
        "**/call",
        lambda route: route.fulfill(status=200, content_type="application/json", body=text),
    )


def run(visitor: Visitor) -> None:
    """Execute and wait."""
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()


def test_a_hostile_tool_is_text(serve: Serve, visit: Visit) -> None:
    """Its name, title, description, both schemas, its findings and what it becomes."""
    url = serve(desk([NASTY, *({"name": each} for each in NAMES[1:])]))
    page = visit(url).page
    expect(page.locator(".tool-row")).to_have_count(len(NAMES))
    is_sound(page)
    page.locator(".tool-row").first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=2)).to_have_text(MARKUP)
    is_sound(page)
    page.goto(f"{page.url}?view=targets&target=openai-strict")
    page.get_by_role("tab", name="What it would take").click()
    expect(page.locator(".target-card")).to_be_visible()
    is_sound(page)
    page.get_by_role("link", name="Targets", exact=True).first.click()
    expect(page.get_by_role("grid")).to_be_visible()
    is_sound(page)


def test_a_hostile_result_is_text(serve: Serve, visit: Visit) -> None:
    """Markup, links, SVG with a script, types that lie, half a surrogate pair."""
    visitor = visit(f"{serve(desk())}/#/tools/parts")
    body = {
        "content": [
            {"type": "text", "text": MARKUP},
            {"type": "text", "text": OVERRIDE},
            {"type": "image", "mimeType": "image/svg+xml", "data": SVG},
            {"type": "image", "mimeType": 'image/png" onload="window.pwned=1', "data": "AAAA"},
            {"type": "resource_link", "name": MARKUP, "uri": "javascript:window.pwned=1"},
            {
                "type": "resource",
                "resource": {
                    "uri": "javascript:window.pwned=1",
                    "mimeType": MARKUP,
                    "text": MARKUP,
                },
            },
            {
                "type": "resource",
                "resource": {"uri": OVERRIDE, "mimeType": "image/svg+xml", "blob": SVG},
            },
            {"type": MARKUP, "x": OVERRIDE},
            5,
            None,
        ],
        "structuredContent": {MARKUP: OVERRIDE, "__proto__": {"pwned": 1}, "half": "\ud800"},
        "isError": False,
        "_meta": {"_trace_id": MARKUP},
    }
    serve_result(visitor, body)
    run(visitor)
    expect(visitor.result.get_by_role("img")).to_have_count(2)
    is_sound(visitor.page)
    visitor.result.get_by_role("tab", name="Structured").click()
    expect(visitor.result.get_by_role("tree")).to_contain_text(MARKUP)
    is_sound(visitor.page)
    history = visitor.page.get_by_role("region", name="History")
    expect(history.get_by_role("listitem")).to_have_count(1)
    visitor.page.reload()
    history.get_by_role("button", name="Success").click()
    expect(visitor.result.get_by_role("region", name="Content 1", exact=True)).to_have_text(MARKUP)
    is_sound(visitor.page)


def test_ten_megabytes_of_text_leave_the_page_usable(serve: Serve, visit: Visit) -> None:
    """They are cut, and nothing of them goes into the history."""
    visitor = visit(f"{serve(desk())}/#/tools/parts")
    serve_result(visitor, {"content": [{"type": "text", "text": "x" * 10_000_000}]})
    run(visitor)

    expect(visitor.result.get_by_text("of 10,000,000 characters")).to_be_visible()
    visitor.result.get_by_role("tab", name="Raw").click()
    expect(visitor.result.get_by_role("region", name="Raw body")).to_be_visible()
    visitor.write('{"still": "here"}')
    visitor.has_verdict("Valid")
    history = visitor.page.get_by_role("region", name="History")
    expect(history.get_by_role("listitem")).to_have_count(1)
    history.get_by_role("button", name="Success").click()
    expect(visitor.result.get_by_text("too long to keep")).to_be_visible()


@long_run
@pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of tool lists is not beside the checkout"
)
def test_the_page_is_quick(serve: Serve, visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    """First paint of a list of 258 tools, and from a key to its verdict; printed."""
    tools: list[Any] = []
    for path in sorted(CORPUS.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        tools += data["tools"] if isinstance(data, dict) else data
    visitor = visit(serve(desk(tools[:258])))
    page = visitor.page
    watch = (
        "() => new Promise((done) => { const look = () => document.querySelector('.tool-row')"
        " ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look);"
        " look(); })"
    )
    paints = []
    for _ in range(5):
        page.reload(wait_until="commit")
        paints.append(page.evaluate(watch))
    keys = [_keystroke(visitor, page, number) for number in range(8)]
    paint, key = sorted(paints)[2], sorted(keys)[4]
    with capsys.disabled():
        sys.stdout.write(
            f"\nfirst paint of 258 tools: {paint:.0f} ms; key to verdict: {key:.0f} ms\n"
        )
    if os.environ.get("TOOLGAUGE_QUIET_MACHINE"):
        assert paint < 300
        assert key < 150

    assert paint < PAINT_MS
    assert key < KEYSTROKE_MS


def _keystroke(visitor: Visitor, page: Page, number: int) -> float:
    """Measure from a change of the text to the verdict on it, in milliseconds."""
    if number == 0:
        page.locator(".tool-row a").first.click()
        visitor.write("{}")
        expect(visitor.status).not_to_have_text("Checking…")
    before = len(visitor.posts)
    measured: float = page.evaluate(
        """() => new Promise((done) => {
          const line = document.querySelector('.validity [role=status]');
          const began = performance.now();
          let asked = false;
          new MutationObserver((_, self) => {
            if (line.textContent === 'Checking…') asked = true;
            else if (asked) { self.disconnect(); done(performance.now() - began); }
          }).observe(line, {childList: true, characterData: true, subtree: true});
          const text = document.querySelector('.editor').shadowRoot.querySelector('.cm-content');
          text.focus();
          document.execCommand('insertText', false, ' ');
        })"""
    )
    assert len(visitor.posts) > before
    return measured
