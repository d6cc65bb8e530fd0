"""Rows of each origin are read as their own clients write them; nothing in them is an exception."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from anthropic.types import Message
from google.genai import types as gemini
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion

from toolgauge.auditing import SHAPES, Contracts, RowReader
from toolgauge.auditing.dialects import DIALECTS, bfcl, map_types, xlam
from toolgauge.auditing.row_tools import RowTools, without_nulls, without_padding
from toolgauge.auditing.tally import NO_TIME, hour_of
from toolgauge.auditing.verdicts import MISSING, Call, Malformed, Recorded
from toolgauge.contract import dump_json, schema_issues

if TYPE_CHECKING:
    from collections.abc import Iterator

FUNCTION = {"name": "weather", "arguments": '{"city": "Oslo"}'}
OPENAI = ChatCompletion.model_validate(
    {
        "id": "c1",
        "created": 1,
        "model": "m",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "a", "type": "function", "function": FUNCTION}],
                },
            }
        ],
    }
).model_dump(mode="json")
ANTHROPIC = Message.model_validate(
    {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [
            {"type": "text", "text": "let me see"},
            {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Oslo"}},
        ],
    }
).model_dump(mode="json")
GEMINI = gemini.GenerateContentResponse.model_validate(
    {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"functionCall": {"name": "weather", "args": {"city": "Oslo"}}}],
                }
            }
        ]
    }
)
REQUEST = {"name": "weather", "arguments": {"city": "Oslo"}}
ITEM = {"type": "function_call", "call_id": "a", **FUNCTION}
STEP = {"type": "function_call", "id": "a", "name": "weather", "arguments": {"city": "Oslo"}}
TEXT = [{"type": "text", "text": "let me see"}]
BLOCKED = {"candidates": [{"finishReason": "SAFETY", "index": 0}]}


@pytest.mark.parametrize(
    ("row", "shape", "path"),
    [
        (OPENAI, "openai", ("choices", 0, "message", "tool_calls", 0, "function", "arguments")),
        (
            OPENAI["choices"][0]["message"],
            "openai",
            ("tool_calls", 0, "function", "arguments"),
        ),
        (ANTHROPIC, "anthropic", ("content", 1, "input")),
        ([ANTHROPIC], "anthropic", (0, "content", 1, "input")),
        ({"messages": [ANTHROPIC]}, "anthropic", ("messages", 0, "content", 1, "input")),
        (
            GEMINI.model_dump(mode="json", by_alias=True, exclude_none=True),
            "gemini",
            ("candidates", 0, "content", "parts", 0, "functionCall", "args"),
        ),
        (
            GEMINI.model_dump(mode="json", exclude_none=True)["candidates"][0]["content"],
            "gemini",
            ("parts", 0, "function_call", "args"),
        ),
        (
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": REQUEST},
            "mcp",
            ("params", "arguments"),
        ),
        (
            {"jsonrpc": "2.0", "params": {"tool": "mcp.tool:weather", "input": {"city": "Oslo"}}},
            "mcp",
            ("params", "input"),
        ),
        (REQUEST, "direct", ("arguments",)),
        ({"tool": "weather", "input": {"city": "Oslo"}}, "direct", ("input",)),
        (
            {"role": "assistant", "content": None, "function_call": FUNCTION},
            "openai",
            ("function_call", "arguments"),
        ),
        (
            {"messages": [{"role": "assistant", "content": "", "function_call": FUNCTION}]},
            "openai",
            ("messages", 0, "function_call", "arguments"),
        ),
        (
            {"choices": [{"message": {"function_call": FUNCTION, "tool_calls": None}}]},
            "openai",
            ("choices", 0, "message", "function_call", "arguments"),
        ),
        (ITEM, "openai-responses", ("arguments",)),
        (
            [{"role": "user", "content": "hello"}, ITEM, {"type": "reasoning", "summary": []}],
            "openai-responses",
            (1, "arguments"),
        ),
        (
            {"object": "response", "output": [{"type": "message", "content": []}, ITEM]},
            "openai-responses",
            ("output", 1, "arguments"),
        ),
        (STEP, "gemini-interactions", ("arguments",)),
        ([{"type": "thought"}, STEP], "gemini-interactions", (1, "arguments")),
        (
            {"id": "i", "status": "requires_action", "steps": [STEP]},
            "gemini-interactions",
            ("steps", 0, "arguments"),
        ),
    ],
)
def test_a_row_is_read_as_its_client_wrote_it(
    row: Any, shape: str, path: tuple[str | int, ...]
) -> None:
    """Found without being told its shape, and the same when told."""
    found = RowReader().read(row)

    assert found == RowReader(shape=shape).read(row)
    assert found is not None
    (call,) = found
    assert isinstance(call, Call)
    assert ("weather", path) == (call.tool, call.path)
    assert call.arguments in ({"city": "Oslo"}, '{"city": "Oslo"}')


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, ()),
        ({"jsonrpc": "2.0", "method": "tools/list"}, ()),
        ({"messages": [{"role": "user", "content": "hello"}]}, ()),
        ({"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}, []),
        ({**ANTHROPIC, "content": TEXT}, ()),
        ({"messages": [{"role": "assistant", "content": TEXT}]}, ()),
        ({"role": "user", "content": "hello"}, ()),
        ({"role": "assistant", "content": "hello", "function_call": None}, ()),
        ({"role": "tool", "name": "weather", "tool_call_id": "a", "content": "rain"}, ()),
        ({"choices": [{"index": 0, "delta": {"content": "he"}, "finish_reason": None}]}, ()),
        ({"tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "x", "input": ""}}]}, ()),
        (BLOCKED, ()),
        ({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]}, ()),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, ()),
        ({"object": "response", "output": []}, ()),
        ({"id": "i", "steps": []}, ()),
        ([{"type": "model_output", "content": []}], ()),
        ([{"type": "custom_tool_call", "name": "x", "input": ""}], ()),
        ({"type": "function_call_output", "call_id": "a", "output": "rain"}, ()),
        ({"question": "x", "something": "else"}, None),
        ({"candidates": [{"name": "Ada"}]}, None),
        ({"output": [1]}, None),
        ([{"role": "model", "parts": [{"functionCall": {}}]}], None),
        (7, None),
    ],
)
def test_a_row_without_a_call_holds_none(row: Any, found: Any) -> None:
    """That is told apart from a row of no known shape."""
    read = RowReader().read(row)

    assert (found is None) == (read is None)
    assert not read


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ({"tool_calls": "none"}, ("tool_calls",)),
        ({"tool_calls": [None]}, ("tool_calls", 0)),
        ({"tool_calls": [{"function": {"name": 7}}]}, ("tool_calls", 0, "function", "name")),
        ({"jsonrpc": "2.0", "method": "tools/call", "params": 3}, ("params",)),
        ({"jsonrpc": "2.0", "method": "tools/call", "params": {}}, ("params",)),
        ({"parts": [{"functionCall": None}]}, ("parts", 0, "functionCall")),
        ({"content": [{"type": "tool_use", "input": {}}]}, ("content", 0)),
        ({"function_call": {"arguments": "{}"}}, ("function_call",)),
        ({"messages": [{"role": "user", "function_call": 3}]}, ("messages", 0, "function_call")),
        ({"choices": [{"delta": {"tool_calls": [{}]}}]}, ("choices", 0, "delta", "tool_calls")),
        ({"choices": [{"delta": {"function_call": {}}}]}, ("choices", 0, "delta", "function_call")),
        ([{"type": "function_call", "arguments": "{}"}], (0,)),
    ],
)
def test_what_is_no_call_is_malformed_at_its_place(row: Any, path: tuple[str | int, ...]) -> None:
    """The row is read to its end."""
    found = RowReader().read(row)

    assert found is not None
    (malformed,) = found
    assert isinstance(malformed, Malformed)
    assert path == malformed.issue.path


def test_a_call_that_stands_beside_a_role_is_one() -> None:
    """A row is a message only where nothing in it may hold a call."""
    (call,) = RowReader().read({**REQUEST, "role": "user", "content": "hello"}) or ()

    assert isinstance(call, Call)
    assert "weather" == call.tool


def test_a_message_of_another_shape_than_the_named_one_is_none() -> None:
    """Calls in it are not passed over; messages without one are the same in both."""
    theirs = OPENAI["choices"][0]["message"]
    for row in ({**theirs, "content": ""}, {"messages": [{**theirs, "content": ""}]}):
        assert RowReader(shape="anthropic").read(row) is None
    assert RowReader(shape="openai").read(ANTHROPIC) is None
    assert [] == RowReader(shape="anthropic").read({"role": "user", "content": "hello"})


def test_arguments_that_are_left_out_are_none_or_missing() -> None:
    """Gemini and MCP leave them out of a call without any; elsewhere they are missing."""
    empty = [
        {"parts": [{"functionCall": {"name": "now"}}]},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "now"}},
    ]
    for row in empty:
        (call,) = RowReader().read(row) or ()
        assert isinstance(call, Call)
        assert {} == call.arguments
    (call,) = RowReader().read({"name": "now"}) or ()
    assert isinstance(call, Call)
    assert call.arguments is MISSING


def test_an_answer_that_is_missing_in_anthropics_messages_is_noted() -> None:
    """In the next message, as their API wants it."""
    uses: list[dict[str, Any]] = [
        {"type": "tool_use", "id": each, "name": "weather", "input": {}} for each in ("a", "b")
    ]
    answer = {"type": "tool_result", "tool_use_id": "a", "content": "rain"}
    row = {
        "messages": [
            {"role": "assistant", "content": uses},
            {"role": "user", "content": [answer]},
        ]
    }
    first, second = RowReader().read(row) or ()

    assert isinstance(first, Call)
    assert ["no answer to call id 'b'"] == [each.message for each in first.notes]
    assert isinstance(second, Call)
    assert () == second.notes


@pytest.mark.parametrize(
    ("line", "verdict", "errors"),
    [
        ({"canonicalCode": None}, "valid", []),
        ({"canonicalCode": "TIMEOUT"}, "valid", []),
        (
            {
                "canonicalCode": "INVALID_INPUT",
                "errors": [
                    {"path": "/params/arguments/city", "keyword": "type"},
                    {"path": "no pointer"},
                    "no error",
                ],
            },
            "invalid",
            [("city",)],
        ),
        ({"canonicalCode": "NOT_FOUND", "errors": None}, "unknown_tool", []),
    ],
)
def test_our_own_log_has_its_verdicts_in_it(line: Any, verdict: str, errors: list[Any]) -> None:
    """Paths lead into the arguments."""
    row = {"schemaVersion": "1", "tool": "mcp.tool:weather", **line}
    (found,) = RowReader().read(row) or ()

    assert isinstance(found, Recorded)
    assert ("weather", verdict) == (found.tool, found.verdict)
    assert errors == [each.path for each in found.issues]
    assert () == RowReader().read({**row, "tool": None})


LOG_LINE = {"schemaVersion": "1", "tool": "weather", "canonicalCode": "OK", "errors": []}


def _with_everything_replaced(row: Any) -> Iterator[Any]:
    """Put something of another type in each place of a row, one at a time."""
    held = row.items() if isinstance(row, dict) else enumerate(row)
    for key, value in list(held):
        for other in ([], {}, [1], {"a": 1}, None, 7, "text"):
            copy = deepcopy(row)
            copy[key] = other
            yield copy
        if isinstance(value, dict | list):
            for inner in _with_everything_replaced(value):
                copy = deepcopy(row)
                copy[key] = inner
                yield copy


@pytest.mark.parametrize(
    "row",
    [
        OPENAI,
        {"messages": [*[each["message"] for each in OPENAI["choices"]], {"role": "tool"}]},
        ANTHROPIC,
        {"messages": [ANTHROPIC]},
        GEMINI.model_dump(mode="json", exclude_none=True),
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": REQUEST},
        REQUEST,
        LOG_LINE,
        {"object": "response", "output": [ITEM]},
        {"choices": [{"delta": {"function_call": FUNCTION}}]},
        BLOCKED,
    ],
    ids=[
        *("openai", "messages", "anthropic", "conversation", "gemini", "mcp", "direct", "log"),
        *("responses", "piece", "blocked"),
    ],
)
def test_no_member_of_another_type_is_an_exception(row: Any) -> None:
    """A role that is a list, a code that is an object: whatever may stand in one place."""
    rows = list(_with_everything_replaced(row))
    for each in rows:
        RowReader().read(each)
        for shape in SHAPES:
            RowReader(shape=shape).read(each)

    assert len(rows) > 10


KEYS = st.sampled_from(
    [
        *("messages", "role", "content", "tool_calls", "function", "name", "arguments", "type"),
        *("choices", "message", "contents", "parts", "functionCall", "args", "jsonrpc", "method"),
        *("params", "tool", "input", "ground_truth", "answers", "id", "canonicalCode", "errors"),
        *("schemaVersion", "candidates", "question", "function_call", "delta", "output", "object"),
        *("finishReason", "promptFeedback"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(row=JSON)
def test_no_row_is_an_exception(row: Any) -> None:
    """Whatever it holds, for each shape and dialect."""
    for shape in SHAPES:
        RowReader(shape=shape).read(row)
    for dialect in (None, *DIALECTS):
        RowReader(dialect=dialect).read(row)


NAMES = st.sampled_from(["str", "int", "float", "bool", "Any", "None", "list", "dict"])
TYPES = st.recursive(
    NAMES,
    lambda inner: (
        inner.map(lambda each: f"List[{each}]")
        | inner.map(lambda each: f"Optional[{each}]")
        | st.tuples(inner, inner).map(lambda two: f"Dict[{two[0]}, {two[1]}]")
        | st.lists(inner, min_size=1, max_size=3).map(lambda some: f"Tuple[{', '.join(some)}]")
        | st.lists(inner, min_size=2, max_size=3).map(lambda some: f"Union[{', '.join(some)}]")
        | st.lists(inner, min_size=2, max_size=3).map(" | ".join)
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(text=TYPES, optional=st.sampled_from(["", ", optional"]))
def test_every_type_of_xlam_becomes_a_schema(text: str, optional: str) -> None:
    """It is legal, and told what was made of it."""
    schema, made = xlam.to_schema({"x": {"type": text + optional}})

    assert () == tuple(schema_issues(schema))
    assert ([] if optional else ["x"]) == schema["required"]
    assert not [each for each in made if "not known" in each]


@settings(max_examples=200, deadline=None)
@given(text=st.text("strinLOp[]|, .", max_size=20) | st.just("List[" * 40 + "]" * 40))
def test_a_type_that_is_none_is_read_as_anything(text: str) -> None:
    """Told, and never an exception."""
    schema, _ = xlam.to_schema({"x": {"type": text}})

    assert () == tuple(schema_issues(schema))


def test_xlam_reads_what_its_rows_hold() -> None:
    """Calls as JSON text; a schema that is one already; broken text with its place."""
    (call,) = xlam.read_xlam({"answers": '[{"name": "weather", "arguments": {}}]'}) or ()
    (broken,) = xlam.read_xlam({"answers": "[{"}) or ()
    (no_list,) = xlam.read_xlam({"answers": {}}) or ()

    assert isinstance(call, Call)
    assert isinstance(broken, Malformed)
    assert isinstance(no_list, Malformed)
    assert ("answers",) == broken.issue.path == no_list.issue.path
    legal = {"type": "object", "properties": {"x": {"type": "list"}}}
    assert {"type": "array"} == xlam.to_schema(legal)[0]["properties"]["x"]
    assert (None, {}) == xlam.to_schema(None)
    assert {"x": 5} == xlam.to_schema({"x": 5})[0]["properties"]
    given = {"x": {"type": ["string"], "required": False}, "y": {"type": "x" * 600}}
    assert [] == [each for each in xlam.to_schema(given)[0]["required"] if each == "x"]


def test_bfcl_chooses_what_is_acceptable_at_every_depth() -> None:
    """The first value; what may be left out is; the question and several turns hold no call."""
    truth = {"f": {"a": [1, 2], "b": ["", 5], "c": [{"d": ["x"]}], "e": [[{"g": [1]}]], "h": 3}}
    (call,) = bfcl.read_bfcl({"ground_truth": [truth]}) or ()

    assert isinstance(call, Call)
    assert {"a": 1, "c": {"d": "x"}, "e": [{"g": 1}], "h": 3} == call.arguments
    assert () == bfcl.read_bfcl({"question": []})
    assert () == bfcl.read_bfcl({"ground_truth": [["f(a=1)"]]})
    wrongs: list[Any] = [{"ground_truth": 3}, {"ground_truth": [{"f": {}, "g": {}}]}]
    for wrong in wrongs:
        (malformed,) = bfcl.read_bfcl(wrong) or ()
        assert isinstance(malformed, Malformed)
    (odd,) = bfcl.read_bfcl({"ground_truth": [{"f": [1]}]}) or ()
    assert isinstance(odd, Call)
    assert [1] == odd.arguments


def test_names_of_types_are_mapped_and_names_of_parameters_are_not() -> None:
    """Also in lists of schemas, definitions and items; data stays."""
    schema: dict[str, Any] = {
        "type": "dict",
        "properties": {"type": {"type": "dict"}, "dict": {"items": {"type": "any"}}},
        "anyOf": [{"type": "dict"}],
        "enum": [{"type": "dict"}],
        "items": [{"type": "dict"}],
    }
    mapped, made = map_types(schema, {"dict": "object", "any": None})

    assert {
        "type": "object",
        "properties": {"type": {"type": "object"}, "dict": {"items": {}}},
        "anyOf": [{"type": "object"}],
        "enum": [{"type": "dict"}],
        "items": [{"type": "object"}],
    } == mapped
    assert {"type 'dict' read as 'object'": 4, "type 'any' read as 'anything'": 1} == made


def test_the_padding_of_tables_is_told_from_data() -> None:
    """A null in ``enum`` is data; a declared null stays."""
    assert {"enum": [None], "a": [{}]} == without_nulls({"enum": [None], "a": [{"b": None}]})
    schema: Any = {"properties": {"a": {}, "b": {"items": {"properties": {"c": {}}}}}}
    padded = {"a": None, "b": [{"c": None, "d": None}, 5], "e": None}
    assert {"a": None, "b": [{"c": None}, 5]} == without_padding(padded, schema)


CITY = {"type": "object", "properties": {"city": {"type": "string"}}}
UPPER = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
MCP = {"name": "weather", "inputSchema": CITY}


@pytest.mark.parametrize(
    "held",
    [
        [MCP],
        MCP,
        {"tools": [MCP]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}},
        [{"name": "weather", "input_schema": CITY}],
        [{"name": "weather", "parameters": CITY}],
        [{"type": "function", "function": {"name": "weather", "parameters": CITY}}],
        {"functions": [{"name": "weather", "parameters": CITY}]},
        [
            {"type": "web_search_preview"},
            {"type": "function", "name": "weather", "parameters": CITY},
        ],
        [{"functionDeclarations": [{"name": "weather", "parameters": UPPER}]}],
        {"function_declarations": [{"name": "weather", "parameters": UPPER}]},
        {
            "toolConfig": {
                "tools": [{"toolSpec": {"name": "weather", "inputSchema": {"json": CITY}}}]
            }
        },
    ],
)
@pytest.mark.parametrize("drops_padding", [False, True])
def test_a_row_may_hold_its_tools_as_any_provider_writes_them(
    held: Any, *, drops_padding: bool
) -> None:
    """Whatever stands around them, as objects and as text."""
    for tools in (held, dump_json(held).decode()):
        own = RowTools("tools", drops_padding=drops_padding).of({"tools": tools}, Contracts())

        assert own is not None
        assert own.problem is None
        assert [("weather", CITY)] == [(name, each.schema) for name, each in own.contracts.items()]


@pytest.mark.parametrize("held", [[{"x": 1}], [3], 3, "{", [{"functionDeclarations": [3]}]])
def test_what_is_no_tool_is_a_problem_of_its_row(held: Any) -> None:
    """It is told, and never an exception."""
    own = RowTools("tools").of({"tools": held}, Contracts())

    assert own is not None
    assert own.problem is not None


@pytest.mark.parametrize(
    ("value", "hour"),
    [
        ("2026-03-01T15:20:00+01:00", "2026-03-01T14"),
        ("2026-03-01T14:59:59Z", "2026-03-01T14"),
        ("2026-03-01", "2026-03-01T00"),
        (1772373600, "2026-03-01T14"),
        (1772373600.5, "2026-03-01T14"),
        (1772373600_000, "2026-03-01T14"),
        (1772373600_000_000, "2026-03-01T14"),
        (1772373600_000_000_000, "2026-03-01T14"),
        ("1772373600", "2026-03-01T14"),
        ("1772373600.5", "2026-03-01T14"),
        ("1772373600000", "2026-03-01T14"),
        ("1701123456789", "2023-11-27T22"),
        ("20260301", "2026-03-01T00"),
        ("20260301T14", "2026-03-01T14"),
        ("2026-W09-7", "2026-03-01T00"),
        ("1" * 400, NO_TIME),
        ("yesterday", NO_TIME),
        ("0001-01-01T00:00:00+23:00", NO_TIME),
        (True, NO_TIME),
        (None, NO_TIME),
        (1e300, NO_TIME),
        (float("nan"), NO_TIME),
        ([], NO_TIME),
    ],
)
def test_a_time_is_counted_in_its_hour(value: object, hour: str) -> None:
    """Texts and Unix times of four precisions; what is none has no time."""
    assert hour == hour_of(value)
