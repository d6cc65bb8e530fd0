"""Hostile names, texts, schemas, results and log lines: shown as text, nothing runs."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.serve.explorer.desk import desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "toollists"
SAMPLE = 60
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


@pytest.mark.parametrize("view", ["", "?view=targets&target=openai-strict"])
def test_a_hostile_tool_is_text(serve: Serve, visit: Visit, view: str) -> None:
    """Its name, title, description, both schemas, its findings and what it becomes."""
    url = serve(desk([NASTY, *({"name": each} for each in NAMES[1:])]))
    page = visit(url).page
    expect(page.locator(".tool-row")).to_have_count(len(NAMES))
    is_sound(page)
    page.locator(".tool-row").first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=2)).to_have_text(MARKUP)
    if view:
        page.goto(page.url + view)
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


def test_a_hostile_log_line_is_text(serve: Serve, visit: Visit) -> None:
    """Whatever name or path somebody sends, it is shown and leads nowhere."""
    url = serve(desk())
    page = visit(f"{url}/#/log").page
    for name in (MARKUP, OVERRIDE, ".."):
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"tool": f"mcp.tool:{name}", "input": {}, MARKUP: 1},
        }
        page.request.post(f"{url}/rpc", data=message)
    expect(page.locator(".log tbody tr")).to_have_count(3)
    expect(page.locator(".log")).to_contain_text(MARKUP)
    is_sound(page)
    page.locator(".log-open a").last.click()
    expect(page.get_by_role("alert").first).to_be_visible()
    is_sound(page)


def test_a_hostile_address_is_text(serve: Serve, visit: Visit) -> None:
    """Faults, targets and names come from it."""
    page = visit(
        f"{serve(desk())}/#/tools/parts?fault=%3Cimg%20src%3Dx%3E%40%2F%E2%80%AE%3Cb%3E"
        "&target=%3Cscript%3E&run=__proto__"
    ).page
    expect(page.get_by_role("alert")).to_contain_text("<img src=x>")
    is_sound(page)


def test_a_hostile_schema_turns_no_text_round(serve: Serve, visit: Visit) -> None:
    """Not in the form's words, its choices and hints, nor in the lines of the schema."""
    kind = {
        "type": "object",
        "title": OVERRIDE,
        "properties": {"q": {"type": "string", "default": OVERRIDE}},
    }
    named = {"const": OVERRIDE, "title": OVERRIDE, "description": OVERRIDE}
    properties = {
        "text": {"type": "string", "pattern": f"^{OVERRIDE}$", "examples": [OVERRIDE]},
        "form": {"type": "string", "format": OVERRIDE},
        "short": {"type": "string", "maxLength": 1, "description": OVERRIDE},
        "one": {"anyOf": [named, {"const": "q"}]},
        "list": {"enum": [OVERRIDE, "x"], "default": OVERRIDE},
        "kind": {"oneOf": [kind, {"type": "array", "title": "V"}]},
        OVERRIDE: {"type": "integer"},
    }
    tool = {"name": "tool", "inputSchema": {"type": "object", "properties": properties}}
    url = serve(desk([tool]))
    visitor = visit(f"{url}/#/tools/tool")
    given = {"text": "b", "short": OVERRIDE, "one": OVERRIDE, "list": "n", OVERRIDE: "x"}
    visitor.write(json.dumps({**given, "kind": {}}, ensure_ascii=False))
    visitor.has_verdict("4 problems")
    is_sound(visitor.page)
    visitor.page.goto(f"{url}/#/tools/{quote(OVERRIDE)}")
    expect(visitor.page.get_by_role("alert")).to_contain_text("There is no such tool")
    expect(visitor.page.get_by_role("alert")).to_contain_text("u202e")
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


def test_a_result_with_ten_thousand_parts_leaves_the_page_usable(
    serve: Serve, visit: Visit
) -> None:
    """The first ones are shown, the raw view has them all."""
    visitor = visit(f"{serve(desk())}/#/tools/parts")
    parts = [{"type": "text", "text": f"part {n}"} for n in range(10_000)]
    serve_result(visitor, {"content": parts, "structuredContent": parts})
    run(visitor)

    expect(visitor.result.get_by_text("of 10,000 parts")).to_be_visible()
    visitor.result.get_by_role("tab", name="Structured").click()
    expect(visitor.result.get_by_role("treeitem").first).to_contain_text("10,000 items")
    assert visitor.result.get_by_role("treeitem").count() < 100


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "<!doctype html><h1>Bad gateway</h1>",
        '{"tools": 5, "targets": {"a": 1}}',
        '{"tools": [{"targets": []}, 5], "targets": [null, {"name": 5, "groups": "x"}]}',
    ],
)
def test_an_answer_that_is_something_else_breaks_nothing(
    serve: Serve, visit: Visit, body: str
) -> None:
    """A proxy may answer in the server's place."""
    page = visit(serve(desk())).page
    for route in ("**/targets", "**/log?*", "**/formats"):
        page.route(route, lambda each: each.fulfill(status=200, body=body))
    for address in ("#/targets", "#/log", "#/tools/parts?view=targets"):
        page.evaluate("(address) => { location.hash = address }", address)
        expect(page.locator("main")).to_contain_text(
            re.compile("could not be asked|cannot be followed|No tool matches|Targets|Log")
        )
        is_sound(page)


def corpus_sample() -> list[Any]:
    """Give a sample of the corpus that is the same in each run."""
    tools: list[Any] = []
    for path in sorted(CORPUS.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        tools += data["tools"] if isinstance(data, dict) else data
    return random.Random(7).sample(tools, SAMPLE)


@pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of tool lists is not beside the checkout"
)
def test_a_sample_of_real_tools_is_shown(
    serve: Serve, visit: Visit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each opens with a form, gets an example that is valid, and has its targets asked."""
    sample = corpus_sample()
    tools = [{**each, "name": f"{n:02} {each['name']}"} for n, each in enumerate(sample)]
    visitor = visit(serve(desk(tools)))
    page = visitor.page
    accepted = 0
    for tool in tools:
        page.evaluate(
            "(name) => { location.hash = '#/tools/' + encodeURIComponent(name) }", tool["name"]
        )
        expect(page.get_by_role("heading", name=tool["name"], level=2, exact=True)).to_be_visible()
        expect(page.get_by_role("form", name="Arguments as a form")).to_be_visible()
        page.get_by_role("group", name="Fill example").get_by_role(
            "button", name="Required"
        ).click()
        expect(visitor.status).not_to_have_text("Checking…")
        accepted += visitor.status.inner_text() == "Valid"
        page.evaluate("() => { location.hash += '?view=targets' }")
        expect(page.locator(".target-card")).to_be_visible()
    with capsys.disabled():
        sys.stdout.write(f"\nexamples that are valid: {accepted} of {SAMPLE}\n")

    assert accepted >= SAMPLE * 0.98


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
