"""The explorer in a real browser, in front of the real server."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette

from toolgauge.serve import create_app, create_mount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from tests.serve.explorer.conftest import Serve, Visit, Visitor

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=alert(1)>"
TOOLS: list[dict[str, Any]] = [
    {
        "name": "get_weather",
        "description": "Fetch current weather for a city.\nFrom the nearest station.",
        "annotations": {"readOnlyHint": True, "openWorldHint": True},
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "As people write it"},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
                "place": {
                    "type": "object",
                    "properties": {"a/b": {"type": "string"}, "zip": {"type": "string"}},
                    "required": ["zip"],
                },
            },
            "required": ["city"],
        },
    },
    {
        "name": "delete_record",
        "description": "Remove one record.",
        "annotations": {"destructiveHint": True},
        "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}},
    },
    {
        "name": "numbers",
        "description": "Count.",
        "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    },
    {"name": "fails", "description": "Answers with an error.", "inputSchema": {"type": "object"}},
    {"name": "crashes", "description": "Raises.", "inputSchema": {"type": "object"}},
    {"name": "a/b", "description": "A slash.", "inputSchema": {"type": "object"}},
    {"name": "validate", "description": "Named like a route.", "inputSchema": {"type": "object"}},
    {"name": MARKUP, "description": "<b>bold</b>", "inputSchema": {"type": "object"}},
    {"name": "..", "description": "Two dots.", "inputSchema": {"type": "object"}},
    {"name": "broken", "description": "Bad schema.", "inputSchema": {"type": "objekt"}},
]
C28 = {
    "type": "object",
    "properties": {
        "direction": {"anyOf": [{"type": "string", "enum": ["send", "receive"]}, {"type": "null"}]},
        "role": {"anyOf": [{"$ref": "#/$defs/Role"}, {"type": "null"}], "default": None},
    },
    "$defs": {"Role": {"type": "string", "enum": ["admin", "guest"]}},
}
C29 = {
    "type": "object",
    "properties": {
        "config": {"type": "object", "additionalProperties": True},
        "params": {
            "anyOf": [{"type": "object", "additionalProperties": True}, {"type": "null"}],
            "default": None,
        },
    },
    "required": ["config"],
}
C32 = {
    "type": "object",
    "anyOf": [
        {
            "properties": {"kind": {"const": "email"}, "address": {"type": "string"}},
            "required": ["kind", "address"],
        },
        {
            "properties": {"kind": {"const": "sms"}, "phone": {"type": "string"}},
            "required": ["kind", "phone"],
        },
    ],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """A ``handle_call`` that remembers what reached it.

    Attributes:
        calls: ``(name, arguments, raw body)``, oldest first.
    """

    calls: list[tuple[str, dict[str, Any], bytes]] = field(default_factory=list)

    async def __call__(
        self, name: str, args: dict[str, Any], request: Request
    ) -> tuple[list[dict[str, Any]], bool, str | None]:
        """Answer by the tool's name."""
        self.calls.append((name, args, await request.body()))
        if name == "crashes":
            raise RuntimeError("the database password is hunter2")
        if name == "fails":
            return [{"type": "text", "text": "No such city."}], True, "trace-7"
        return [{"type": "text", "text": f"<b>{name}</b> is fine"}], False, "trace-1"


@pytest.fixture
def handler() -> Handler:
    """Give a fresh memory to each test."""
    return Handler()


@pytest.fixture
def explorer(serve: Serve, handler: Handler) -> str:
    """Serve ``TOOLS`` with execution on."""
    return serve(create_app(TOOLS, handler, allow_execute=True, title="Weather desk"))


def run(visitor: Visitor) -> None:
    """Execute what is in the editor and wait for success."""
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()


def test_a_link_leads_to_a_tool_and_back_leads_back(explorer: str, visit: Visit) -> None:
    """The address names the tool; history moves between tools."""
    page = visit(f"{explorer}/#/tools/numbers").page
    expect(page.get_by_role("heading", name="numbers")).to_be_visible()
    page.get_by_role("link", name="fails").click()
    expect(page.get_by_role("heading", name="fails")).to_be_visible()
    expect(page).to_have_url(f"{explorer}/#/tools/fails")
    page.go_back()

    expect(page.get_by_role("heading", name="numbers")).to_be_visible()
    expect(page).to_have_title("numbers · Weather desk")


def test_problems_are_shown_at_their_place_while_typing(explorer: str, visit: Visit) -> None:
    """Under the value, in the gutter, and in a list with keyword and position."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.write('{"city": "Oslo", "days": 99}')

    visitor.has_verdict("1 problem")
    expect(visitor.page.locator(".cm-lintRange-error")).to_have_text("99")
    expect(visitor.page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(visitor.problems).to_have_count(1)
    expect(visitor.problems).to_contain_text("/days")
    expect(visitor.problems).to_contain_text("maximum")
    expect(visitor.problems).to_contain_text("line 1, column 26")
    expect(visitor.execute).to_be_disabled()
    expect(visitor.page.get_by_text("The arguments do not match the schema.")).to_be_visible()
    # A click puts the caret there, so that typing mends it.
    visitor.problems.get_by_role("button").click()
    visitor.page.keyboard.type("7")
    visitor.has_verdict("Valid")
    assert '{"city": "Oslo", "days": 7}' == visitor.written()


def test_typing_key_by_key_closes_brackets_and_loses_nothing(explorer: str, visit: Visit) -> None:
    """Fast typing over a selection arrives whole."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.editor.click()
    visitor.page.keyboard.press("ControlOrMeta+a")
    visitor.page.keyboard.type('{"city": "Oslo", "place": {"zip": "0150')

    visitor.has_verdict("Valid")
    assert '{"city": "Oslo", "place": {"zip": "0150"}}' == visitor.written()


def test_a_call_shows_its_result(explorer: str, visit: Visit, handler: Handler) -> None:
    """Success, duration, trace, text as text; what was typed arrives as it was typed."""
    visitor = visit(f"{explorer}/#/tools/numbers")
    text = '{"n": 12345678901234567890, "x": 1.0}'
    visitor.write(text)
    visitor.has_verdict("Valid")
    visitor.page.keyboard.press("ControlOrMeta+Enter")

    expect(visitor.result.get_by_text("Success")).to_be_visible()
    expect(visitor.result).to_contain_text(re.compile(r"\d ms"))
    expect(visitor.result).to_contain_text("trace-1")
    expect(visitor.result.get_by_role("region", name="Content 1")).to_have_text(
        "<b>numbers</b> is fine"
    )
    visitor.result.get_by_role("tab", name="Raw").click()
    raw = visitor.result.get_by_role("region", name="Raw body").inner_text()
    assert "<b>numbers</b> is fine" == json.loads(raw)["content"][0]["text"]
    ((name, args, body),) = handler.calls
    assert ("numbers", 12345678901234567890) == (name, args["n"])
    assert text == body.decode() == visitor.written()


def test_a_token_is_asked_for_and_kept_out_of_every_text(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """On 401 there is a field; the token goes into a header and nowhere else."""

    @contextmanager
    def needs_token(request: Request) -> Iterator[None]:
        if request.headers.get("authorization") != "Bearer open sesame":
            raise PermissionError
        yield

    app = create_app(TOOLS, handler, allow_execute=True, auth_hook=needs_token)
    visitor = visit(serve(app) + "/#/tools/numbers")
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result).to_contain_text("The server asks for a token")
    visitor.page.get_by_label("Token").fill("wrong")
    visitor.page.keyboard.press("Enter")
    expect(visitor.result).to_contain_text("The server refused this token")
    visitor.page.get_by_label("Token").fill("open sesame")
    visitor.page.keyboard.press("Enter")

    expect(visitor.result).to_contain_text("Success")
    visitor.page.get_by_role("tab", name="Take away").click()
    curl = visitor.page.get_by_role("region", name="cURL command")
    expect(curl).to_contain_text('-H "Authorization: Bearer $TOOLGAUGE_TOKEN"')
    kept = visitor.page.evaluate(
        "[JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}),"
        " location.href, document.cookie, document.documentElement.outerHTML].join()"
    )
    assert "sesame" not in kept


def test_any_name_can_be_opened_and_run(explorer: str, visit: Visit, handler: Handler) -> None:
    """Slashes, route names and markup are a name like any other."""
    visitor = visit(explorer)
    names = ["a/b", "validate", MARKUP]
    for name in names:
        visitor.page.get_by_role("link", name=name).click()
        expect(visitor.page.get_by_role("heading", name=name)).to_be_visible()
        run(visitor)

    assert names == [call[0] for call in handler.calls]
    expect(visitor.page.locator("img[src=x], b")).to_have_count(0)


def test_a_title_cannot_leave_its_place(serve: Serve, visit: Visit) -> None:
    """It is text in the tab and in the header; a script link is no link."""
    title = "</script><script>alert(1)</script></title>"
    app = create_app(
        TOOLS, Handler(), title=title, project_name="acme", project_url="javascript:alert(1)"
    )
    page = visit(serve(app)).page

    expect(page).to_have_title(title)
    expect(page.locator(".brand")).to_have_text(title)
    expect(page.get_by_text("acme")).to_be_visible()
    expect(page.locator("a[href^=javascript]")).to_have_count(0)


def test_the_page_works_with_and_without_a_slash(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Mounted in another application, all requests stay below the mount."""
    mount = create_mount("/explorer", tools=TOOLS, handle_call=handler, allow_execute=True)
    base = serve(Starlette(routes=[mount]))
    routes = [f"{base}/explorer/tools/numbers/{route}" for route in ("validate", "call")]
    for path in ("/explorer", "/explorer/"):
        visitor = visit(f"{base}{path}#/tools/numbers")
        run(visitor)
        assert routes == [url for url, _ in visitor.posts]


def test_the_page_follows_the_system_and_keeps_a_choice(explorer: str, visit: Visit) -> None:
    """Dark where the system is dark, until the reader decides."""
    page = visit(explorer, color_scheme="dark").page
    surface = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(surface)
    page.get_by_role("button", name="Use light colours").click()
    light = page.evaluate(surface)
    page.reload()

    expect(page.get_by_role("button", name="Use dark colours")).to_be_visible()
    assert "rgb(14, 17, 22)" == dark
    assert "rgb(244, 245, 247)" == light
    assert light == page.evaluate(surface)


def test_a_narrow_screen_shows_one_thing_at_a_time(explorer: str, visit: Visit) -> None:
    """At 400 pixels nothing sticks out to the side, and there is a way back."""
    page = visit(explorer, viewport={"width": 400, "height": 800}).page
    page.get_by_role("link", name="get_weather").click()
    expect(page.get_by_role("heading", name="get_weather")).to_be_visible()

    expect(page.get_by_role("searchbox")).to_be_hidden()
    assert 400 == page.evaluate("document.documentElement.scrollWidth")
    page.get_by_role("link", name="All tools").click()
    expect(page.get_by_role("searchbox")).to_be_visible()


def test_c28_c29_c32_are_sent_as_they_are_chosen(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """Nullable enums, open objects and a union at the root, judged by the server."""
    schemas = {"c28": C28, "c29": C29, "c32": C32}
    tools = [{"name": name, "inputSchema": each} for name, each in schemas.items()]
    visitor = visit(serve(create_app(tools, handler, allow_execute=True)) + "/#/tools/c28")
    fields = visitor.page.get_by_role("region", name="Input schema", exact=True)
    expect(fields).to_contain_text('"send", "receive"')
    expect(fields).to_contain_text('"admin", "guest"')
    run(visitor)
    visitor.write('{"direction": ""}')
    visitor.has_verdict("1 problem")
    expect(visitor.page.locator(".cm-lintRange-error")).to_have_text('""')
    visitor.write('{"direction": "send"}')
    run(visitor)

    visitor.page.get_by_role("link", name="c29").click()
    expect(visitor.editor).to_contain_text('"config": {}')
    visitor.write('{"config": "{\\"a\\": 1}"}')
    visitor.has_verdict("1 problem")
    expect(visitor.problems).to_contain_text("/config")
    visitor.write('{"config": {"a": 1}, "params": {"a": 1}}')
    run(visitor)

    visitor.page.get_by_role("link", name="c32").click()
    expect(visitor.editor).to_contain_text('"address": ""')
    expect(fields).to_contain_text("phone")
    visitor.write("{}")
    visitor.has_verdict("1 problem")
    expect(visitor.problems).to_contain_text("anyOf")
    expect(visitor.problems).to_contain_text("line 1, column 1")
    expect(visitor.execute).to_be_disabled()
    visitor.write('{"kind": "sms", "phone": "1"}')
    run(visitor)

    assert [
        {},
        {"direction": "send"},
        {"config": {"a": 1}, "params": {"a": 1}},
        {"kind": "sms", "phone": "1"},
    ] == [args for _, args, _ in handler.calls]
