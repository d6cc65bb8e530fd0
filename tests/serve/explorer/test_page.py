"""The explorer in a real browser, in front of the real server."""

from __future__ import annotations

import base64
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

    from playwright.sync_api import Route
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


def one_tool(serve: Serve, handler: Handler, schema: dict[str, Any]) -> str:
    """Serve one tool with this schema and give the address of its page."""
    tool = {"name": "tool", "description": "", "inputSchema": schema}
    return serve(create_app([tool], handler, allow_execute=True)) + "/#/tools/tool"


def run(visitor: Visitor) -> None:
    """Execute what is in the editor and wait for success."""
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.result.get_by_text("Success")).to_be_visible()


def test_every_tool_is_listed_with_its_hints(explorer: str, visit: Visit) -> None:
    """In the server's order, with a count, and with what annotations say."""
    page = visit(explorer).page
    rows = page.locator(".tool-row")

    expect(rows).to_have_count(len(TOOLS))
    expect(page.get_by_text(f"{len(TOOLS)} tools")).to_be_visible()
    expect(rows.nth(0)).to_contain_text("read-only")
    expect(rows.nth(0)).to_contain_text("open world")
    expect(rows.nth(1)).to_contain_text("destructive")
    expect(page).to_have_title("Weather desk")


def test_the_filter_works_from_the_keyboard(explorer: str, visit: Visit) -> None:
    """A slash goes there, words narrow the list, arrows and Enter choose."""
    page = visit(explorer).page
    expect(page.locator(".tool-row")).to_have_count(len(TOOLS))
    page.keyboard.press("/")
    page.keyboard.type("RECORD remove")

    expect(page.locator(".tool-row")).to_have_count(1)
    expect(page.get_by_text(f"1 of {len(TOOLS)} tools")).to_be_visible()

    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="delete_record")).to_be_visible()


def test_a_filter_that_fits_nothing_says_so(explorer: str, visit: Visit) -> None:
    """An empty list is explained."""
    page = visit(explorer).page
    page.get_by_role("searchbox").fill("zzz")

    expect(page.get_by_text("No tool matches “zzz”.")).to_be_visible()


def test_the_detail_shows_text_and_schema(explorer: str, visit: Visit) -> None:
    """Name, description with its line breaks, fields with type and duty, and the JSON itself."""
    page = visit(explorer).page
    page.get_by_role("link", name="get_weather").click()
    schema = page.get_by_role("region", name="Input schema", exact=True)
    city = schema.locator(".field").filter(has_text="As people write it")

    expect(page.locator(".description")).to_have_text(TOOLS[0]["description"])
    expect(city).to_contain_text("string")
    expect(city).to_contain_text("required")
    schema.get_by_role("tab", name="JSON").click()
    expect(schema.get_by_role("region")).to_contain_text('"maximum": 14')


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


def test_a_link_to_an_unknown_tool_says_so(explorer: str, visit: Visit) -> None:
    """With the server's sentence and a way to try again."""
    page = visit(f"{explorer}/#/tools/nope").page

    expect(page.get_by_role("alert")).to_contain_text("There is no such tool")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_the_arguments_start_with_what_is_required(explorer: str, visit: Visit) -> None:
    """Optional fields are left out; what was typed is kept until it is reset."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.has_verdict("Valid")
    assert '{\n  "city": ""\n}' == visitor.written()

    visitor.write('{"city": "Oslo"}')
    visitor.page.get_by_role("link", name="numbers").click()
    visitor.page.get_by_role("link", name="get_weather").click()
    expect(visitor.editor).to_have_text('{"city": "Oslo"}')
    visitor.page.get_by_role("button", name="Reset").click()

    expect(visitor.page.locator(".cm-line")).to_have_count(3)


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


@pytest.mark.parametrize(
    ("text", "pointer", "marked"),
    [
        ("{}", "/city", "{"),
        ('{"city": "x", "place": {}}', "/place/zip", '"place"'),
        ('{"city": "x", "place": {"zip": "1", "a/b": 5}}', "/place/a~1b", "5"),
        ('{"city": "x", "days": 1, "days": 0}', "/days", "0"),
    ],
)
def test_a_pointer_finds_its_text(
    explorer: str, visit: Visit, text: str, pointer: str, marked: str
) -> None:
    """A missing field at its parent, escapes undone, the last of repeated keys."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.write(text)
    visitor.has_verdict("1 problem")

    expect(visitor.page.locator(".cm-lintRange-error")).to_have_text(marked)
    expect(visitor.problems.filter(has_text=pointer)).to_have_count(1)


def test_a_problem_in_the_list_leads_to_its_place(explorer: str, visit: Visit) -> None:
    """A click puts the caret there, so that typing mends it."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.write('{"city": "Oslo", "days": 99}')
    visitor.problems.get_by_role("button").click()
    visitor.page.keyboard.type("7")

    visitor.has_verdict("Valid")
    assert '{"city": "Oslo", "days": 7}' == visitor.written()


def test_broken_json_is_shown_at_once_and_never_sent(explorer: str, visit: Visit) -> None:
    """The page says where it breaks; the server hears nothing of it."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.has_verdict("Valid")
    broken = '{"city": "Oslo" "days": 1}'
    visitor.write(broken)

    visitor.has_verdict("Not JSON yet; nothing was sent.")
    expect(visitor.page.locator(".cm-lintRange-error")).to_have_text('"')
    expect(visitor.problems).to_contain_text("line 1, column 17")
    expect(visitor.execute).to_be_disabled()

    visitor.write('{"city": "Bergen"}')
    visitor.has_verdict("Valid")

    assert broken not in [body for _, body in visitor.posts]


def test_only_the_newest_answer_counts(explorer: str, visit: Visit) -> None:
    """A slow answer about an older text changes nothing."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.has_verdict("Valid")
    held: list[Route] = []

    def hold_bad(route: Route) -> None:
        if "99" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    visitor.page.route("**/validate", hold_bad)
    with visitor.page.expect_request("**/validate"):
        visitor.write('{"city": "Oslo", "days": 99}')
    visitor.write('{"city": "Oslo", "days": 9}')
    visitor.has_verdict("Valid")

    assert 1 == len(held)
    expect(visitor.problems).to_have_count(0)


def test_typing_key_by_key_closes_brackets_and_loses_nothing(explorer: str, visit: Visit) -> None:
    """Fast typing over a selection arrives whole."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.editor.click()
    visitor.page.keyboard.press("ControlOrMeta+a")
    visitor.page.keyboard.type('{"city": "Oslo", "place": {"zip": "0150')

    visitor.has_verdict("Valid")
    assert '{"city": "Oslo", "place": {"zip": "0150"}}' == visitor.written()


def test_a_broken_schema_is_said_to_be_the_tools_own_fault(explorer: str, visit: Visit) -> None:
    """Nobody should look for the mistake in the arguments."""
    visitor = visit(f"{explorer}/#/tools/broken")

    visitor.has_verdict("The tool's own schema is broken, so nothing can match it.")
    expect(visitor.execute).to_be_disabled()


def test_a_call_shows_its_result(explorer: str, visit: Visit, handler: Handler) -> None:
    """Success, duration, trace, text as text, and the exact body."""
    visitor = visit(f"{explorer}/#/tools/get_weather")
    visitor.write('{"city": "Oslo"}')
    run(visitor)

    expect(visitor.result).to_contain_text(re.compile(r"\d ms"))
    expect(visitor.result).to_contain_text("trace-1")
    expect(visitor.result.get_by_role("region", name="Content 1")).to_have_text(
        "<b>get_weather</b> is fine"
    )
    visitor.result.get_by_role("tab", name="Raw").click()
    raw = visitor.result.get_by_role("region", name="Raw body").inner_text()
    assert "<b>get_weather</b> is fine" == json.loads(raw)["content"][0]["text"]
    assert [("get_weather", {"city": "Oslo"})] == [call[:2] for call in handler.calls]


def test_ctrl_enter_executes(explorer: str, visit: Visit, handler: Handler) -> None:
    """From inside the editor, without the mouse."""
    visitor = visit(f"{explorer}/#/tools/numbers")
    visitor.write('{"n": 5}')
    visitor.has_verdict("Valid")
    visitor.page.keyboard.press("ControlOrMeta+Enter")

    expect(visitor.result.get_by_text("Success")).to_be_visible()
    assert '{"n": 5}' == visitor.written()


def test_numbers_arrive_as_they_were_typed(explorer: str, visit: Visit, handler: Handler) -> None:
    """The page never reads and rewrites the text: 20 digits and 1.0 survive."""
    visitor = visit(f"{explorer}/#/tools/numbers")
    text = '{"n": 12345678901234567890, "x": 1.0}'
    visitor.write(text)
    run(visitor)

    ((_, args, body),) = handler.calls
    assert text == body.decode()
    assert 12345678901234567890 == args["n"]


def test_an_error_of_the_tool_is_not_a_success(explorer: str, visit: Visit) -> None:
    """The text is shown, and marked as an error."""
    visitor = visit(f"{explorer}/#/tools/fails")
    visitor.has_verdict("Valid")
    visitor.execute.click()

    expect(visitor.result).to_contain_text("Tool error")
    expect(visitor.result).to_contain_text("No such city.")
    expect(visitor.result).to_contain_text("trace-7")


def test_a_crash_of_the_handler_is_shown_without_its_secrets(explorer: str, visit: Visit) -> None:
    """Status 500, and nothing of the exception."""
    visitor = visit(f"{explorer}/#/tools/crashes")
    visitor.has_verdict("Valid")
    visitor.execute.click()

    expect(visitor.result).to_contain_text("500")
    expect(visitor.result).not_to_contain_text("hunter2")


def test_a_running_call_can_be_cancelled(explorer: str, visit: Visit) -> None:
    """It shows the time, and gives the button back."""
    visitor = visit(f"{explorer}/#/tools/numbers")
    visitor.page.route("**/call", lambda _: None)
    visitor.has_verdict("Valid")
    visitor.execute.click()
    expect(visitor.page.get_by_role("timer")).to_contain_text("Running")
    expect(visitor.execute).to_be_disabled()
    visitor.page.get_by_role("button", name="Cancel").click()

    expect(visitor.result).to_contain_text("Cancelled after")
    expect(visitor.execute).to_be_enabled()


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


def test_execution_that_is_off_is_said_to_be_off(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """The button is disabled with the reason; validation goes on."""
    visitor = visit(serve(create_app(TOOLS, handler)) + "/#/tools/get_weather")
    visitor.write('{"city": 5}')

    visitor.has_verdict("1 problem")
    expect(visitor.execute).to_be_disabled()
    expect(visitor.page.get_by_text("Execution is switched off on this server.")).to_be_visible()


def test_a_result_is_shown_by_the_kind_of_its_parts(explorer: str, visit: Visit) -> None:
    """Pictures as pictures, JSON laid out, what lies about its type as plain JSON."""
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()
    answer = {
        "content": [
            {"type": "image", "mimeType": "image/svg+xml", "data": svg},
            {"type": "image", "mimeType": "text/html", "data": svg},
            {"type": "text", "text": '{"a":[1.0]}'},
            {"type": "resource_link", "name": "notes", "uri": "javascript:alert(1)"},
        ],
        "structuredContent": {"total": 3},
        "isError": False,
    }
    visitor = visit(f"{explorer}/#/tools/numbers")
    visitor.page.route("**/call", lambda route: route.fulfill(json=answer))
    run(visitor)

    expect(visitor.result.get_by_role("img")).to_have_count(1)
    expect(visitor.result.get_by_role("region", name="Content 2")).to_contain_text("text/html")
    expect(visitor.result.get_by_role("region", name="Content 3")).to_have_text(
        '{\n  "a": [1.0]\n}', use_inner_text=True
    )
    expect(visitor.result.get_by_role("link")).to_have_count(0)
    visitor.result.get_by_role("tab", name="Structured").click()
    expect(visitor.result.get_by_role("region", name="Structured content")).to_contain_text("total")


def test_a_lost_server_is_said_to_be_lost(explorer: str, visit: Visit) -> None:
    """For validation and for calls, each with a way to try again."""
    visitor = visit(f"{explorer}/#/tools/numbers")
    visitor.has_verdict("Valid")
    visitor.page.route("**/tools/**", lambda route: route.abort())
    visitor.execute.click()
    expect(visitor.result).to_contain_text("The server cannot be reached. Is it still running?")
    visitor.write('{"n": 1}')
    visitor.has_verdict("Not checked: The server cannot be reached. Is it still running?")
    visitor.page.unroute_all()
    visitor.page.get_by_role("button", name="Check again").click()
    visitor.has_verdict("Valid")
    visitor.page.get_by_role("button", name="Try again").click()

    expect(visitor.result).to_contain_text("Success")


@pytest.mark.parametrize(
    ("status", "headers", "sentence"),
    [
        (403, {}, "The server refuses to execute (status 403)"),
        (413, {}, "The arguments are larger than this server accepts."),
        (503, {"Retry-After": "7"}, "It asks to wait 7 s."),
    ],
)
def test_a_refusal_is_a_sentence(
    explorer: str, visit: Visit, status: int, headers: dict[str, str], sentence: str
) -> None:
    """Whatever stands between page and tool, the reader learns what happened."""
    visitor = visit(f"{explorer}/#/tools/numbers")
    visitor.page.route(
        "**/call", lambda route: route.fulfill(status=status, headers=headers, json={"error": "no"})
    )
    visitor.has_verdict("Valid")
    visitor.execute.click()

    expect(visitor.result).to_contain_text(sentence)


def test_a_provider_that_fails_can_be_asked_again(serve: Serve, visit: Visit) -> None:
    """A failed list is a sentence with a way to try again; an empty one is another."""
    answers: list[Any] = [RuntimeError("secret"), [], TOOLS]

    def provider() -> Any:
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    page = visit(serve(create_app(provider, Handler()))).page
    expect(page.get_by_role("alert")).to_contain_text("The tools could not be listed")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The server answered, and its list is empty.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()

    expect(page.locator(".tool-row")).to_have_count(len(TOOLS))


def test_the_curl_text_is_quoted_for_a_shell(explorer: str, visit: Visit) -> None:
    """Absolute address, encoded name, and single quotes that survive."""
    visitor = visit(f"{explorer}/#/tools/a%2Fb")
    visitor.write('{"q": "it\'s é"}')
    visitor.page.get_by_role("tab", name="Take away").click()

    expect(visitor.page.get_by_role("region", name="cURL command")).to_have_text(
        f"curl -sS '{explorer}/tools/a%2Fb/call' \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        "  --data-raw '{\"q\": \"it'\\''s é\"}'"
    )


@pytest.mark.parametrize("name", ["a/b", "validate", MARKUP])
def test_any_name_can_be_opened_and_run(
    explorer: str, visit: Visit, handler: Handler, name: str
) -> None:
    """Slashes, route names and markup are a name like any other."""
    visitor = visit(explorer)
    visitor.page.get_by_role("link", name=name).click()
    expect(visitor.page.get_by_role("heading", name=name)).to_be_visible()
    run(visitor)

    assert [name] == [call[0] for call in handler.calls]
    expect(visitor.page.locator("img[src=x], b")).to_have_count(0)


def test_a_name_without_an_address_is_shown_and_explained(explorer: str, visit: Visit) -> None:
    """Two dots cannot be a path segment: listed, but not a link."""
    page = visit(explorer).page
    row = page.locator(".tool-row").filter(has_text="means a folder in every URL")

    expect(row).to_have_count(1)
    expect(row.get_by_role("link")).to_have_count(0)


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


@pytest.mark.parametrize("path", ["/explorer", "/explorer/"])
def test_the_page_works_with_and_without_a_slash(
    serve: Serve, visit: Visit, handler: Handler, path: str
) -> None:
    """Mounted in another application, all requests stay below the mount."""
    mount = create_mount("/explorer", tools=TOOLS, handle_call=handler, allow_execute=True)
    base = serve(Starlette(routes=[mount]))
    visitor = visit(f"{base}{path}#/tools/numbers")
    run(visitor)

    assert {f"{base}/explorer/tools/numbers/validate", f"{base}/explorer/tools/numbers/call"} == {
        url for url, _ in visitor.posts
    }


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


def test_a_thousand_tools_stay_usable(serve: Serve, visit: Visit) -> None:
    """All are listed, one is found, none is in the way."""
    tools = [{"name": f"tool_{n}", "description": f"Number {n}"} for n in range(1_000)]
    page = visit(serve(create_app(tools, Handler()))).page
    expect(page.get_by_role("status").first).to_have_text("1000 tools")
    page.get_by_role("searchbox").fill("tool_777")

    expect(page.locator(".tool-row")).to_have_count(1)


def test_c28_a_nullable_enum_is_sent_as_chosen_or_not_at_all(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """The choices are shown, also through a reference; untouched members are left out."""
    visitor = visit(one_tool(serve, handler, C28))
    fields = visitor.page.get_by_role("region", name="Input schema", exact=True)
    expect(fields).to_contain_text('"send", "receive"')
    expect(fields).to_contain_text('"admin", "guest"')
    run(visitor)
    visitor.write('{"direction": ""}')
    visitor.has_verdict("1 problem")
    expect(visitor.page.locator(".cm-lintRange-error")).to_have_text('""')
    visitor.write('{"direction": "send"}')
    run(visitor)
    visitor.page.get_by_role("button", name="Reset").click()
    run(visitor)

    assert [{}, {"direction": "send"}] == [args for _, args, _ in handler.calls[:2]]


def test_c29_an_object_is_sent_as_an_object(serve: Serve, visit: Visit, handler: Handler) -> None:
    """Never as a string; broken JSON is an error in the page and no call is sent."""
    visitor = visit(one_tool(serve, handler, C29))
    visitor.has_verdict("Valid")
    assert '{\n  "config": {}\n}' == visitor.written()

    visitor.write('{"config": {"a": 1, "params": }')
    visitor.has_verdict("Not JSON yet; nothing was sent.")
    expect(visitor.execute).to_be_disabled()
    visitor.write('{"config": "{\\"a\\": 1}"}')
    visitor.has_verdict("1 problem")
    expect(visitor.problems).to_contain_text("/config")
    visitor.write('{"config": {"a": 1}, "params": {"a": 1}}')
    run(visitor)

    assert [{"config": {"a": 1}, "params": {"a": 1}}] == [args for _, args, _ in handler.calls]


def test_c32_a_union_at_the_root_shows_its_branches(
    serve: Serve, visit: Visit, handler: Handler
) -> None:
    """The first branch is filled in, both are described, and nothing at all is refused."""
    visitor = visit(one_tool(serve, handler, C32))
    fields = visitor.page.get_by_role("region", name="Input schema", exact=True)
    visitor.has_verdict("Valid")
    assert '{\n  "kind": "email",\n  "address": ""\n}' == visitor.written()
    expect(fields).to_contain_text("phone")

    visitor.write("{}")
    visitor.has_verdict("1 problem")
    expect(visitor.problems).to_contain_text("anyOf")
    expect(visitor.problems).to_contain_text("line 1, column 1")
    expect(visitor.execute).to_be_disabled()
    visitor.write('{"kind": "sms", "phone": "1"}')
    run(visitor)

    assert [{"kind": "sms", "phone": "1"}] == [args for _, args, _ in handler.calls]
