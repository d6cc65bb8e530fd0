"""``define_tool`` and ``@tool``: from a validator and a handler to a tool that runs."""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import attrs
import marshmallow
import msgspec
import pydantic
import pydantic.v1
import pytest
from fastmcp.exceptions import ToolError as FastMCPToolError
from fastmcp.tools.base import ToolResult
from mcp.server.mcpserver.exceptions import ToolError as SdkToolError
from mcp_types import CallToolResult, TextContent

from toolgauge import (
    CallContext,
    CallResult,
    Failure,
    Gate,
    InvalidTool,
    Issue,
    Success,
    Tool,
    define_tool,
    tool,
)
from toolgauge.contract import Result, compile_schema, schema_issues
from toolgauge.gate import InvalidOutput
from toolgauge.standard import (
    JsonSchemas,
    NoJsonSchema,
    Props,
    Unconvertible,
    UnknownValidator,
    _vendors,
    define_outputs,
    iter_disagreements,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Color(Enum):
    RED = "red"


class Model(pydantic.BaseModel):
    city: str
    day: date = date(2026, 1, 2)
    kept: int | None = None
    renamed: int = pydantic.Field(default=1, serialization_alias="asName")


class Old(pydantic.v1.BaseModel):
    city: str
    day: date = date(2026, 1, 2)


class Struct(msgspec.Struct):
    city: str
    day: date = date(2026, 1, 2)


@attrs.define
class Attrs:
    city: str
    day: date = date(2026, 1, 2)


@dataclass
class Data:
    city: str
    color: Color = Color.RED


class Typed(TypedDict):
    city: str


class Tuple(NamedTuple):
    city: str


class Loaded(marshmallow.Schema):
    city = marshmallow.fields.String(required=True)
    day = marshmallow.fields.Date()


TOWN: dict[str, Any] = {"town": "Oslo"}
INPUTS: list[tuple[Any, Callable[[Any], str], dict[str, Any]]] = [
    (Model, lambda value: value.city, TOWN),
    (Struct, lambda value: value.city, TOWN),
    (Attrs, lambda value: value.city, TOWN),
    (Data, lambda value: value.city, TOWN),
    (Typed, lambda value: value["city"], TOWN),
    (Loaded(), lambda value: value["city"], TOWN),
    (pydantic.TypeAdapter(Data), lambda value: value.city, TOWN),
    (dict[str, str], lambda value: value["city"], {"city": 1}),
    ({"type": "object", "required": ["city"]}, lambda value: value["city"], TOWN),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("declared", "handler", "wrong"), INPUTS)
async def test_any_validator_defines_a_tool(
    declared: Any, handler: Callable[[Any], str], wrong: dict[str, Any]
) -> None:
    """The handler gets the validator's value; a fault of the arguments never gets there."""
    gate = Gate([define_tool(name="t", description="d", input=declared, handler=handler)])
    good, bad = await gate.call("t", {"city": "Oslo"}), await gate.call("t", wrong)

    assert "Oslo" == good.content[0]["text"]
    assert bad.is_error
    assert bad.issues


OUTPUTS: list[tuple[Any, Any, dict[str, Any]]] = [
    (
        Model,
        Model(city="Oslo"),
        {"city": "Oslo", "day": "2026-01-02", "kept": None, "asName": 1},
    ),
    (Old, Old(city="Oslo"), {"city": "Oslo", "day": "2026-01-02"}),
    (Struct, Struct("Oslo"), {"city": "Oslo", "day": "2026-01-02"}),
    (Attrs, Attrs("Oslo"), {"city": "Oslo", "day": "2026-01-02"}),
    (Data, Data("Oslo"), {"city": "Oslo", "color": "red"}),
    (Typed, Typed(city="Oslo"), {"city": "Oslo"}),
    (Loaded(), {"city": "Oslo", "day": date(2026, 1, 2)}, {"city": "Oslo", "day": "2026-01-02"}),
    (pydantic.TypeAdapter(Data), Data("Oslo"), {"city": "Oslo", "color": "red"}),
    ({"type": "object", "required": ["city"]}, {"city": "Oslo"}, {"city": "Oslo"}),
    ({"type": "object"}, Data("Oslo"), {"city": "Oslo", "color": "red"}),
    (dict[str, Decimal], {"x": Decimal("1.50")}, {"x": "1.50"}),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("declared", "result", "written"), OUTPUTS)
async def test_results_are_written_by_the_library_of_their_type(
    declared: Any, result: Any, written: dict[str, Any]
) -> None:
    """As JSON that keeps the published output schema, nulls and aliases included."""

    async def handler(_: Any) -> Any:
        return result

    made = define_tool(name="t", input={"type": "object"}, handler=handler, output=declared)
    answer = await Gate([made]).call("t", {})

    assert made.output_schema is not None
    assert () == compile_schema(made.output_schema).issues(written)
    assert written == answer.structured
    assert written == json.loads(answer.content[0]["text"])


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Data("Oslo"), '{"city":"Oslo","color":"red"}'),
        ([Data("Oslo"), Struct("Rome")], '[{"city":"Oslo","color":"red"},{"city":"Rome",'),
        ({"all": (Attrs("Oslo"),)}, '{"all":[{"city":"Oslo","day":"2026-01-02"}]}'),
        (Model(city="Oslo"), '{"city":"Oslo","day":"2026-01-02","kept":null,"asName":1}'),
        ({"all": Model(city="Oslo")}, '{"all":{"city":"Oslo","day":"2026-01-02","kept":null,'),
        ([Model(city="Oslo")], '[{"city":"Oslo","day":"2026-01-02","kept":null,'),
        ([], "[]"),
        ("Oslo", "Oslo"),
        (5, "5"),
        (CallResult(content=({"type": "text", "text": "as it is"},)), "as it is"),
        (TextContent(type="text", text="a block"), "a block"),
    ],
)
async def test_without_an_output_a_result_is_written_as_its_class_wants(
    result: Any, text: str
) -> None:
    """In lists and mappings too."""
    made = define_tool(name="t", input={"type": "object"}, handler=lambda _: result)
    answer = await Gate([made]).call("t", {})

    assert made.output_schema is None
    assert answer.content[0]["text"].startswith(text)


@pytest.mark.anyio
async def test_a_result_with_a_member_called_type_is_no_block_of_content() -> None:
    """It was declared to be an object."""

    class Typed(pydantic.BaseModel):
        type: str = "text"
        text: str = "mine"

    made = define_tool(name="t", input=Model, handler=lambda _: Typed(), output=Typed)
    answer = await Gate([made]).call("t", {"city": "Oslo"})

    assert {"type": "text", "text": "mine"} == answer.structured


class Rows(pydantic.RootModel[list[int]]): ...


class Row(msgspec.Struct, array_like=True):
    city: str


class Tree(pydantic.BaseModel):
    children: list[Tree] = []


class Page(pydantic.BaseModel):
    """Refers to a class that lies at the root of its schema."""

    rows: list[Data]


LIST = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "array"}
NESTED: dict[str, Any] = LIST | {
    "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/n"}, {"$ref": "#/x/y"}]}
}
NESTED |= {"$defs": {"n": {"type": "integer"}}, "x": {"y": {"type": "string"}}}
OTHERS: list[tuple[Any, Any, Any, str]] = [
    (list[int], [1], [1], "[1]"),
    (list[int], [], [], "[]"),
    (int, 0, 0, "0"),
    (str, "Oslo", "Oslo", "Oslo"),
    (Model | None, None, None, ""),
    (Tree | None, Tree(), {"children": []}, '{"children":[]}'),
    (list[Page], [Page(rows=[])], [{"rows": []}], '[{"rows":[]}]'),
    (Any, 5, 5, "5"),
    (Rows, Rows([1]), [1], "[1]"),
    (Row, Row("Oslo"), ["Oslo"], '["Oslo"]'),
    (Tuple, Tuple("Oslo"), ["Oslo"], '["Oslo"]'),
    (pydantic.TypeAdapter(list[date]), [date(2026, 1, 2)], ["2026-01-02"], '["2026-01-02"]'),
    (Loaded(many=True), [{"city": "Oslo"}], [{"city": "Oslo"}], '[{"city":"Oslo"}]'),
    (LIST, [Data("Oslo")], [{"city": "Oslo", "color": "red"}], '[{"city":"Oslo","color":"red"}]'),
    (NESTED, [[], 1, "a"], [[], 1, "a"], '[[],1,"a"]'),
    ({"$id": "https://x.example/a"} | NESTED, [[1]], [[1]], "[[1]]"),
    ({"enum": ["a", "b"]}, "a", "a", "a"),
    ({"type": ["object", "null"]}, None, None, ""),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("declared", "result", "written", "text"), OTHERS)
async def test_a_result_that_is_no_object_is_a_member_of_one(
    declared: Any, result: Any, written: Any, text: str
) -> None:
    """As structured content up to 2025-11-25 demands it; text is the result itself."""
    made = define_tool(name="t", input={}, handler=lambda _: result, output=declared)
    answer = await Gate([made]).call("t", {})

    assert made.output_schema is not None
    assert "object" == made.output_schema["type"]
    assert schema_issues(made.output_schema) == ()
    assert {"result": written} == answer.structured
    assert text == "".join(each["text"] for each in answer.content)


@pytest.mark.anyio
@pytest.mark.parametrize("wrong", [{"result": [["a", [1.5]]]}, {"result": {}}, {}, [1]])
async def test_references_are_led_to_where_the_schema_went(wrong: Any) -> None:
    """So that the wrapped schema refuses what the bare one did."""
    given = CallResult(structured=wrong)
    made = define_tool(name="t", input={}, handler=lambda _: given, output=NESTED)

    with pytest.raises(InvalidOutput):
        await Gate([made]).call("t", {})


@pytest.mark.parametrize(
    "declared",
    [
        Tree,
        Model | Page,
        {"required": ["city"]},
        {},
        {"$ref": "#a", "$defs": {"x": {"$anchor": "a"}}},
        {
            "$ref": "#/$defs/a",
            "$defs": {"a": {"allOf": [{"type": "object"}, {"minProperties": 1}]}},
        },
        {"oneOf": [{"const": {}}, {"enum": [{}]}]},
    ],
)
def test_the_schema_of_an_object_is_published_as_it_is(declared: Any) -> None:
    """Also where a schema written by hand does not say so."""
    made = define_tool(name="t", input={}, handler=str, output=declared)

    assert made.output_schema is not None
    assert "result" not in made.output_schema.get("properties", {})


def _sdk_result(**members: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="full")], **members)


ANSWERS: list[tuple[Any, bool, Any]] = [
    (_sdk_result(is_error=True), True, None),
    (_sdk_result(structured_content={"city": None}), False, {"city": None}),
    (ToolResult(content="full", is_error=True), True, None),
    (ToolResult(content="full", structured_content={"city": None}), False, {"city": None}),
]


@pytest.mark.anyio
@pytest.mark.parametrize("output", [None, {"type": "object"}, Model | None, Model])
@pytest.mark.parametrize(("found", "is_error", "structured"), ANSWERS)
async def test_a_result_of_an_mcp_library_is_complete(
    found: Any, is_error: bool, structured: Any, output: Any
) -> None:
    """Its error is one, whatever was declared."""
    made = define_tool(name="t", input={}, handler=lambda _: found, output=output)
    made = dataclasses.replace(made, output_schema=None)
    answer = await Gate([made]).call("t", {})

    assert ({"type": "text", "text": "full"},) == tuple(answer.content)
    assert (is_error, structured) == (answer.is_error, answer.structured)


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [SdkToolError, FastMCPToolError])
async def test_what_a_function_raises_for_the_model_reaches_it(kind: Any) -> None:
    """With the errors of the two libraries that are meant for that."""

    @tool
    def fail(x: int) -> Model:
        raise kind("no such city")

    answer = await Gate([fail]).call("fail", {"x": 1})

    assert (True, "no such city") == (answer.is_error, answer.content[0]["text"])


@pytest.mark.anyio
async def test_no_result_is_no_content() -> None:
    """Whatever was declared."""
    made = define_tool(name="t", input=Model, handler=lambda _: None)

    assert () == (await Gate([made]).call("t", {"city": "Oslo"})).content


def _with_default(value: Any, call: Any = None) -> list[Any]:
    return [call]


def _with_marked_default(value: Any, call: CallContext | None = None) -> list[Any]:
    return [None if call is None else call.tool]


def _with_gone(value: Any, call: Gone = None) -> list[Any]:  # type: ignore[name-defined]  # noqa: F821
    return [call]


def _with_call(value: Any, call: CallContext) -> list[Any]:
    return [call.tool, call.request]


async def _with_call_later(value: Any, call: Any) -> list[Any]:
    return [call.tool, call.request]


def _by_keyword(value: Any, *, call: int = 1) -> list[Any]:
    return [call]


class Handlers:
    async def __call__(self, value: Any, call: CallContext) -> list[Any]:
        return [call.tool]

    def method(self, value: Any, call: CallContext) -> list[Any]:
        return [call.tool]


async def _promise(value: Any) -> list[Any]:
    return [value.city]


HANDLERS: list[tuple[Any, str]] = [
    (lambda value: [value.city], '["Oslo"]'),
    (_promise, '["Oslo"]'),
    (functools.partial(_promise), '["Oslo"]'),
    (lambda value: _promise(value), '["Oslo"]'),  # noqa: PLW0108 - sync, and gives an awaitable
    (_with_call, '["t","me"]'),
    (_with_call_later, '["t","me"]'),
    (_with_default, "[null]"),
    (_with_marked_default, '["t"]'),
    (_with_gone, "[null]"),
    (_by_keyword, "[1]"),
    (Handlers(), '["t"]'),
    (Handlers().method, '["t"]'),
    (str, "city='Oslo'"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("handler", "text"), HANDLERS)
async def test_a_handler_that_asks_for_the_call_gets_it(handler: Any, text: str) -> None:
    """A second positional parameter is for it; one with a default only where it says so."""
    made = define_tool(name="t", input=Model, handler=handler)
    answer = await Gate([made]).call("t", {"city": "Oslo"}, "me")

    assert answer.content[0]["text"].startswith(text)


def test_outside_of_a_call_a_handler_gets_a_context_without_a_request() -> None:
    """Whoever runs it by hand needs no gate."""
    made = define_tool(name="t", input=Model, handler=_with_call)
    assert made.handler is not None

    assert ["", None] == made.handler(Model(city="Oslo"))


def test_the_parts_of_a_definition_are_kept() -> None:
    """Name, description, annotations, schemas."""
    made = define_tool(
        name="t",
        description="d",
        input=Model,
        handler=str,
        output=Data,
        annotations={"readOnlyHint": True},
    )

    assert {"name": "t", "description": "d", "annotations": {"readOnlyHint": True}} == (
        made.to_summary()
    )
    assert Model.model_json_schema() == made.input_schema
    assert ["city", "color"] == list((made.output_schema or {})["properties"])


def test_a_json_schema_needs_no_second_check() -> None:
    """The gate holds every call against it already; with ``parameters`` there are two."""
    schema = {"type": "object", "required": ["city"]}

    assert define_tool(name="t", input=schema, handler=str).validate is None
    assert define_tool(name="t", input=schema, handler=str, parameters={}).validate is not None


@pytest.mark.parametrize(
    ("name", "declared"),
    [("", Model), ("t", int), ("t", list[int]), ("t", {"type": ["array", "null"]})],
)
def test_a_tool_that_nobody_could_call_is_refused(name: str, declared: Any) -> None:
    """Without a name, or with arguments that are no object."""
    with pytest.raises(InvalidTool):
        define_tool(name=name, input=declared, handler=str)


def test_a_recursive_root_is_a_reference() -> None:
    """It may lead to an object."""

    class Node(pydantic.BaseModel):
        children: list[Node] = []

    assert "$ref" in define_tool(name="t", input=Node, handler=str).input_schema


def test_what_nothing_knows_is_an_error() -> None:
    """As input and as output."""
    with pytest.raises(UnknownValidator):
        define_tool(name="t", input=object(), handler=str)  # type: ignore[call-overload]
    with pytest.raises(UnknownValidator):
        define_tool(name="t", input=Model, handler=str, output=object())


class Arbitrary: ...


def _returns_list(x: int) -> list[Data]:
    return [Data("Oslo")]


def _returns_arbitrary(x: int) -> Arbitrary:
    return Arbitrary()


def _returns_model(x: int) -> Model:
    return Model(city="Oslo")


def _returns_text(x: int) -> str:
    return "Oslo"


def _returns_mapping(x: int) -> dict[str, date]:
    return {"day": date(2026, 1, 2)}


def _returns_block(x: int) -> TextContent:
    return TextContent(type="text", text="Oslo")


def _returns_maybe(x: int) -> Model | None:
    return None


def _returns_nothing(x: int) -> None: ...


def _returns_unsaid(x: int):  # type: ignore[no-untyped-def]  # noqa: ANN202
    return Struct("Oslo")


RETURNS: list[tuple[Any, bool, str]] = [
    (_returns_list, False, '[{"city":"Oslo","color":"red"}]'),
    (_returns_model, True, '{"city":"Oslo","day":"2026-01-02","kept":null,"asName":1}'),
    (_returns_text, False, "Oslo"),
    (_returns_mapping, False, '{"day":"2026-01-02"}'),
    (_returns_block, False, "Oslo"),
    (_returns_maybe, False, ""),
    (_returns_nothing, False, ""),
    (_returns_unsaid, False, '{"city":"Oslo","day":"2026-01-02"}'),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("function", "is_published", "text"), RETURNS)
async def test_a_class_with_named_fields_becomes_the_output_schema(
    function: Any, is_published: bool, text: str
) -> None:
    """Everything else is written as its type says, without a promise."""
    made = tool(function)
    answer = await Gate([made]).call(made.name, {"x": 1})

    assert is_published == (made.output_schema is not None)
    assert text == "".join(each["text"] for each in answer.content)


def test_what_is_returned_may_be_a_class_that_no_library_knows() -> None:
    """Nothing was promised."""
    assert tool(_returns_arbitrary).output_schema is None


def test_an_output_that_was_promised_must_be_known() -> None:
    """It is published."""
    with pytest.raises((Unconvertible, UnknownValidator)):
        tool(output=Arbitrary)(_returns_arbitrary)


def test_the_decorators_own_words_win() -> None:
    """Over name, docstring and annotation."""

    @tool(name="n", description="d", output=None, annotations={"readOnlyHint": True})
    def function(x: int) -> Model:
        """Do not use this."""
        return Model(city="Oslo")

    assert ("n", "d", None) == (function.name, function.description, function.output_schema)
    assert {"readOnlyHint": True} == function.annotations
    assert isinstance(function, Tool)


class Own:
    """Speaks the protocol itself, and disagrees with itself."""

    @property
    def __standard_schema__(self) -> Props[Any]:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

        def validate(value: object) -> Result[Any]:
            if isinstance(value, dict) and int(value.get("n", 11)) <= 10:
                return Success(value)
            return Failure((Issue(path=("n",), message="is too much"),))

        given = JsonSchemas(input=lambda _: schema, output=lambda _: schema)
        return Props(vendor="own", validate=validate, json_schema=given)


def test_a_validator_without_a_schema_needs_parameters() -> None:
    """The error names the tool and the fix."""

    class Mute:
        @property
        def __standard_schema__(self) -> Props[Any]:
            return Props(vendor="mute", validate=Success)

    with pytest.raises(NoJsonSchema) as caught:
        define_tool(name="t", input=Mute(), handler=str)
    assert ("t", "mute") == (caught.value.tool, caught.value.vendor)

    made = define_tool(name="t", input=Mute(), handler=str, parameters={"type": "object"})
    assert {"type": "object"} == made.input_schema


def test_disagreements_of_tools_are_found_both_ways() -> None:
    """With a value that one accepts and the other refuses; tools that agree have none."""
    tools = [
        define_tool(name="agrees", input={"type": "object"}, handler=str),
        tool(name="agrees_too")(_returns_text),
        define_tool(name="own", input=Own(), handler=str),
        Tool(name="odd", input_schema="no schema", validate=Success),
    ]
    found = list(iter_disagreements(tools))

    assert {2} == {index for index, _ in found}
    assert {"schema", "validator"} == {each.accepted_by for _, each in found}
    for _, each in found:
        is_schema = each.accepted_by == "schema"
        assert is_schema == compile_schema(tools[2].input_schema).is_valid(each.value)


@pytest.mark.parametrize("installed", [{"msgspec"}, set()])
def test_a_dataclass_is_written_by_whatever_library_is_there(
    monkeypatch: pytest.MonkeyPatch, installed: set[str]
) -> None:
    """By none at all, too."""

    @dataclass
    class Inner:
        city: str

    @dataclass
    class Outer:
        inner: Inner

    monkeypatch.setattr(_vendors, "find_spec", lambda name: name in installed or None)
    # ``None`` in sys.modules makes an import fail as that of a missing module does.
    for each in {"pydantic", "msgspec"} - installed:
        monkeypatch.setitem(sys.modules, f"toolgauge.standard.adapters.{each}", None)
    made = define_tool(name="t", input={"type": "object"}, handler=lambda _: [Outer(Inner("Oslo"))])
    assert made.handler is not None

    assert [{"inner": {"city": "Oslo"}}] == made.handler({})
    assert ["Oslo"] == define_outputs.written(list[str])(["Oslo"])
