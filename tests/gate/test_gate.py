"""The gate in process: validate, call, and what reaches a handler."""

from __future__ import annotations

import functools
import json
import pickle
from typing import Any
from unittest.mock import ANY

import anyio
import pytest
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import TextContent
from pydantic import BaseModel

from toolgauge import CallResult, Gate, InvalidProvider, Tool, ToolgaugeError, UnknownTool
from toolgauge.contract import Bounds
from toolgauge.gate import CallTimedOut, InvalidResult, NoHandler, TooManyCalls

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def test_valid_arguments_have_no_issues() -> None:
    """An empty tuple, so that it reads as ``if not issues``."""
    assert () == Gate([{"name": "t", "inputSchema": SCHEMA}]).validate("t", {"a": 1})


def test_invalid_arguments_have_an_issue_each() -> None:
    """At their place, with their keyword."""
    issues = Gate([{"name": "t", "inputSchema": SCHEMA}]).validate("t", {"a": "x"})

    assert [("/a", "type")] == [(each.pointer, each.keyword) for each in issues]


def test_formats_are_asserted_with_one_switch() -> None:
    """Off by default (decision X4)."""
    tool = {"name": "t", "inputSchema": {"properties": {"u": {"format": "uuid"}}}}

    assert not Gate([tool]).validate("t", {"u": "7"})
    assert Gate([tool], formats=True).validate("t", {"u": "7"})


async def test_an_unknown_tool_is_an_exception() -> None:
    """The caller is wrong, not a value."""
    gate = Gate([])
    with pytest.raises(UnknownTool):
        gate.validate("t", {})
    with pytest.raises(UnknownTool):
        await gate.call("t", {})


async def test_an_async_provider_can_call_but_not_validate_now() -> None:
    """What can only be awaited says so."""

    async def provider() -> list[Any]:
        return [Tool(name="t", handler=lambda args: "done")]

    gate = Gate(provider)
    result = await gate.call("t", {})

    assert "done" == result.content[0]["text"]
    with pytest.raises(InvalidProvider):
        gate.validate("t", {})
    with pytest.raises(InvalidProvider):
        gate.tools()


class Point(BaseModel):
    """A result that is a model."""

    x: int


async def give_text(args: dict[str, Any]) -> str:
    """Answer with text."""
    return f"got {args['a']}"


IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///a", "blob": ""}}
LINK = {"type": "resource_link", "uri": "file:///a", "name": "a"}


@pytest.mark.parametrize(
    ("handler", "content", "structured"),
    [
        (give_text, [{"type": "text", "text": "got 1"}], None),
        (lambda args: args, [{"type": "text", "text": '{"a":1}'}], {"a": 1}),
        (lambda args: Point(x=1), [{"type": "text", "text": '{"x":1}'}], {"x": 1}),
        (lambda args: None, [], None),
        (lambda args: 5, [{"type": "text", "text": "5"}], None),
        (lambda args: [1, 2], [{"type": "text", "text": "[1,2]"}], None),
        (lambda args: [IMAGE, EMBEDDED, LINK], [IMAGE, EMBEDDED, LINK], None),
        (lambda args: [], [{"type": "text", "text": "[]"}], None),
        (lambda args: {"type": "text", "text": "x"}, [{"type": "text", "text": "x"}], None),
        (lambda args: TextContent(text="sdk"), [{"type": "text", "text": "sdk"}], None),
        (lambda args: (TextContent(text="sdk"),), [{"type": "text", "text": "sdk"}], None),
        (lambda args: {"type": "circle"}, ANY, {"type": "circle"}),
        (
            lambda args: [{"type": "circle"}],
            [{"type": "text", "text": '[{"type":"circle"}]'}],
            None,
        ),
        (lambda args: [TextContent(text="sdk")], [{"type": "text", "text": "sdk"}], None),
        (lambda args: [[1]], [{"type": "text", "text": "[[1]]"}], None),
        (functools.partial(lambda b, args: f"{b}", 7), [{"type": "text", "text": "7"}], None),
    ],
)
async def test_a_handler_may_give_what_it_has(
    handler: Any, content: list[Any], structured: Any
) -> None:
    """Text, mappings, models, blocks; sync or async."""
    result = await Gate([Tool(name="t", handler=handler)]).call("t", {"a": 1})

    assert content == list(result.content)
    assert structured == result.structured
    assert not result.is_error


@pytest.mark.parametrize(
    "data",
    [
        {"type": "image", "name": "a.png", "url": "https://x.example/a.png"},
        {"type": "audio", "data": "", "seconds": 3},
        {"type": "text", "id": 1},
        {"type": "text", "text": {"de": "Haus"}},
        {"type": "resource", "id": "r1"},
        {"type": "resource", "resource": {"uri": "file:///a"}},
        {"type": "resource", "resource": "gold"},
        {"type": "resource_link", "uri": "file:///a"},
        {"type": ["string", "null"]},
    ],
)
async def test_data_with_a_member_called_type_is_no_block(data: dict[str, Any]) -> None:
    """Blocks have members of their own, which a client insists on."""
    one = await Gate([Tool(name="t", handler=lambda args: data)]).call("t", {})
    many = await Gate([Tool(name="t", handler=lambda args: [data])]).call("t", {})

    assert data == one.structured
    assert [data] == json.loads(many.content[0]["text"])


@pytest.mark.parametrize("found", [[1], [], 5, "text", True])
async def test_what_was_promised_is_structured(found: Any) -> None:
    """From 2026-07-28 on that may be any JSON value."""
    tool = Tool(name="t", handler=lambda args: found, output_schema={"not": {"type": "object"}})
    result = await Gate([tool]).call("t", {})

    assert found == result.structured


async def test_nulls_of_a_model_are_part_of_the_result() -> None:
    """As its schema has them; at the top, in a list and further down."""

    class Priced(BaseModel):
        price: float | None = None

    given: Any
    for given in (Priced(), [Priced()], {"hotel": Priced()}):
        tool = Tool(name="t", handler=functools.partial(lambda found, args: found, given))
        result = await Gate([tool]).call("t", {})

        assert '{"price":null}' in result.content[0]["text"]


async def test_a_result_of_the_sdks_first_version_is_one() -> None:
    """It has the names of the wire."""
    members = {"content": [TextContent(text="no")], "isError": True, "structuredContent": {"a": 1}}
    found = type("CallToolResult", (), {"__module__": "mcp.types", **members})()
    result = await Gate([Tool(name="t", handler=lambda args: found)]).call("t", {})

    assert ({"type": "text", "text": "no"},) == result.content
    assert (True, {"a": 1}) == (result.is_error, result.structured)


async def test_a_handle_call_may_raise_for_the_model() -> None:
    """As a handler may."""

    async def handle_call(name: str, args: Any) -> Any:
        raise ToolError("no such city")

    result = await Gate([{"name": "t"}], handle_call).call("t", {})

    assert (True, "no such city") == (result.is_error, result.content[0]["text"])


async def test_a_callable_object_with_an_async_call_is_awaited() -> None:
    """It is not sent to a thread."""

    class Handler:
        async def __call__(self, args: dict[str, Any]) -> str:
            await anyio.lowlevel.checkpoint()
            return "async"

    result = await Gate([Tool(name="t", handler=Handler())]).call("t", {})

    assert "async" == result.content[0]["text"]


@pytest.mark.parametrize(
    "args", [{}, {"a": "x"}, [], None, 5, {"a": float("nan")}, {"a": object()}]
)
async def test_arguments_that_break_the_contract_never_reach_the_tool(args: Any) -> None:
    """The result is an error whose issues say why."""
    seen: list[Any] = []
    gate = Gate([Tool(name="t", input_schema=SCHEMA, handler=seen.append)])
    result = await gate.call("t", args)

    assert result.is_error
    assert gate.validate("t", args) == result.issues
    assert not seen


@pytest.mark.parametrize("args", [[], None, 5])
async def test_arguments_must_be_an_object_even_if_the_schema_does_not_say_so(args: Any) -> None:
    """A handler is written for named arguments."""
    seen: list[Any] = []
    result = await Gate([Tool(name="t", handler=seen.append)]).call("t", args)

    assert ["type"] == [each.keyword for each in result.issues]
    assert not seen


async def test_handle_call_gets_name_arguments_and_request() -> None:
    """As many as it asks for."""
    seen: list[Any] = []

    async def three(name: str, args: Any, request: Any) -> Any:
        seen.append((name, args, request))
        return [{"type": "text", "text": "x"}], True, 7

    async def starred(*args: Any) -> CallResult:
        seen.append(args)
        return CallResult()

    result = await Gate([{"name": "t"}], three).call("t", {"b": 2}, "request")
    await Gate([{"name": "t"}], starred).call("t", {})

    assert [("t", {"b": 2}, "request"), ("t", {}, None)] == seen
    assert (True, "7") == (result.is_error, result.trace_id)


async def test_a_tool_without_a_handler_cannot_be_called() -> None:
    """It can be validated."""
    gate = Gate([{"name": "t"}])

    assert not gate.validate("t", {})
    with pytest.raises(NoHandler):
        await gate.call("t", {})


async def test_a_handlers_own_error_passes_through() -> None:
    """In process the caller gets it as it is, time-outs of its own included."""

    async def fail(name: str, args: Any) -> Any:
        raise TimeoutError("my own")

    with pytest.raises(TimeoutError, match="my own"):
        await Gate([{"name": "t"}], fail).call("t", {})


async def test_a_handler_that_takes_too_long_is_stopped() -> None:
    """An async one is cancelled, a sync one left behind."""

    async def slow(args: Any) -> None:
        await anyio.sleep_forever()

    gate = Gate([Tool(name="t", handler=slow)], bounds=Bounds(handler_timeout_s=0.01))
    with pytest.raises(CallTimedOut):
        await gate.call("t", {})


async def test_calls_in_flight_are_bounded() -> None:
    """A place is given back when a call ends, well or badly."""
    entered = anyio.Event()

    async def slow(args: Any) -> None:
        entered.set()
        await anyio.sleep_forever()

    gate = Gate([Tool(name="t", handler=slow)], bounds=Bounds(max_calls_in_flight=1))
    async with anyio.create_task_group() as group:
        group.start_soon(gate.call, "t", {})
        await entered.wait()
        with pytest.raises(TooManyCalls):
            await gate.call("t", {})
        group.cancel_scope.cancel()
    with anyio.move_on_after(0.01) as scope:
        await gate.call("t", {})

    assert scope.cancelled_caught


async def test_objects_of_the_official_sdk_are_content() -> None:
    """Most servers in Python build their answers of these."""

    async def handle_call(name: str, args: Any) -> Any:
        return [TextContent(text="hello")], False, None

    result = await Gate([{"name": "t"}], handle_call).call("t", {})

    assert ({"type": "text", "text": "hello"},) == result.content


@pytest.mark.parametrize("garbage", [None, 5, "text", ([], False)])
async def test_a_handle_call_that_gives_garbage_is_named(garbage: Any) -> None:
    """With the tool's name and what was found."""

    async def handle_call(name: str, args: Any) -> Any:
        return garbage

    with pytest.raises(InvalidResult):
        await Gate([{"name": "t"}], handle_call).call("t", {})


@pytest.mark.parametrize(
    "error",
    [NoHandler("t"), InvalidResult("t", "a str"), CallTimedOut("t", 1.5), TooManyCalls(3)],
)
def test_errors_survive_a_process_boundary(error: ToolgaugeError) -> None:
    """With their fields and their sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - it is our own

    assert vars(error) == vars(copy)
    assert str(error) == str(copy)
