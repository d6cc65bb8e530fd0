from __future__ import annotations

import datetime as dt
from collections import UserDict
from types import SimpleNamespace
from typing import Any

import pytest

from toolgauge.contract import (
    InvalidTool,
    Tool,
    compile_schema,
    dump_json,
    parse_json,
    read_input_schema,
    read_tool,
)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string", "default": None}, "unit": {"const": None}},
}
HINTS = {"readOnlyHint": True, "openWorldHint": False}


def test_a_plain_mapping_is_a_tool() -> None:
    """As MCP writes it."""
    tool = read_tool(
        {"name": "weather", "description": "d", "inputSchema": SCHEMA, "annotations": HINTS}
    )

    assert Tool(name="weather", description="d", input_schema=SCHEMA, annotations=HINTS) == tool


@pytest.mark.parametrize("key", ["inputSchema", "input_schema", "parameters"])
def test_the_input_schema_is_found_under_three_names(key: str) -> None:
    """As keys and as attributes (decision D1)."""
    for source in (
        {"name": "weather", key: SCHEMA},
        UserDict({"name": "weather", key: SCHEMA}),
        SimpleNamespace(name="weather", **{key: SCHEMA}),
    ):
        assert SCHEMA == read_tool(source).input_schema
        assert SCHEMA == read_input_schema(source)


def test_the_first_of_the_names_wins() -> None:
    """Also where it says "nothing"; ``None`` says that it is not there."""
    source = {"name": "a", "parameters": {"c": 1}, "input_schema": {"b": 1}, "inputSchema": {}}

    assert {} == read_tool(source).input_schema
    assert {"b": 1} == read_tool({**source, "inputSchema": None}).input_schema


def test_an_object_of_the_mcp_sdk_is_a_tool() -> None:
    """Version 2 names its attributes in snake case and the wire in camel case."""
    types = pytest.importorskip("mcp_types")
    source = types.Tool(
        name="weather",
        title="Weather",
        description=None,
        input_schema=SCHEMA,
        output_schema={"type": "object", "properties": {"t": {"default": None}}},
        annotations=types.ToolAnnotations(read_only_hint=True),
        _meta={"vendor": None},
    )
    wire = parse_json(dump_json(read_tool(source).to_detail()))

    assert {
        "name": "weather",
        "title": "Weather",
        "description": "",
        "inputSchema": SCHEMA,
        "outputSchema": {"type": "object", "properties": {"t": {"default": None}}},
        "annotations": {"readOnlyHint": True},
        "_meta": {"vendor": None},
    } == wire


def test_an_object_of_a_framework_is_a_tool() -> None:
    """FastMCP calls the schema ``parameters``; functions that hang on it are no data."""

    def run() -> None:
        """Do nothing."""

    source = SimpleNamespace(
        name="weather",
        title=None,
        description="d",
        parameters=SCHEMA,
        annotations=None,
        output_schema=None,
        fn=run,
        execution=run,
        icons=[{"src": "https://host.test/i.png"}],
        meta={"tags": ["a"]},
    )

    assert {
        "name": "weather",
        "description": "d",
        "inputSchema": SCHEMA,
        "icons": [{"src": "https://host.test/i.png"}],
        "_meta": {"tags": ["a"]},
    } == read_tool(source).to_detail()


def test_models_of_pydantic_are_read_under_their_aliases() -> None:
    """In JSON mode: a date is text, and a field without a value is left out (decision D2)."""
    pydantic = pytest.importorskip("pydantic")

    class Hints(pydantic.BaseModel):  # type: ignore[misc, name-defined]
        read_only: bool | None = pydantic.Field(None, serialization_alias="readOnlyHint")
        since: dt.date | None = None
        title: str | None = None

    class Definition(pydantic.BaseModel):  # type: ignore[misc, name-defined]
        name: str
        description: str | None = None
        input_schema: dict[str, Any]
        annotations: Hints | None = None

    tool = read_tool(
        Definition(
            name="weather",
            input_schema=SCHEMA,
            annotations=Hints(read_only=True, since=dt.date(2026, 1, 2)),
        )
    )

    assert SCHEMA == tool.input_schema
    assert {"readOnlyHint": True, "since": "2026-01-02"} == tool.annotations
    assert "" == tool.description
    assert {} == read_tool(Definition(name="a", input_schema={})).annotations


def test_objects_with_dict_are_read_as_pydantic_1_writes_them() -> None:
    """Without the fields that have no value (decision D2)."""

    class Old:
        def __init__(self, **fields: object) -> None:
            self.fields = fields

        def dict(self, *, exclude_none: bool, by_alias: bool) -> dict[str, object]:
            assert by_alias
            assert exclude_none
            return {key: value for key, value in self.fields.items() if value is not None}

    tool = read_tool(
        SimpleNamespace(
            name="weather",
            inputSchema=Old(type="object", title=None),
            annotations=Old(readOnlyHint=True, title=None),
        )
    )

    assert {"type": "object"} == tool.input_schema
    assert {"readOnlyHint": True} == tool.annotations


def test_a_tool_of_ours_is_given_back_as_it_is() -> None:
    """Whatever its schema."""
    tool = Tool(name="weather", input_schema=None)

    assert tool is read_tool(tool)
    assert None is read_input_schema(tool)


def test_nulls_of_a_schema_are_kept_and_nulls_beside_it_are_not() -> None:
    """``default: null`` and ``const: null`` mean something (decision D3)."""
    wire = read_tool(
        {
            "name": "weather",
            "description": None,
            "inputSchema": SCHEMA,
            "outputSchema": None,
            "annotations": {"title": None, "readOnlyHint": True},
            "title": None,
            "_meta": {"vendor": None},
        }
    ).to_detail()

    assert {
        "name": "weather",
        "description": "",
        "inputSchema": SCHEMA,
        "annotations": {"readOnlyHint": True},
        "_meta": {"vendor": None},
    } == wire


@pytest.mark.parametrize("annotations", [None, {}, {"title": None}, "text", [1], 5])
def test_annotations_that_say_nothing_are_left_out(annotations: object) -> None:
    """Omitted, never null and never empty (decision D4)."""
    tool = read_tool({"name": "a", "annotations": annotations})

    assert {"name": "a", "description": ""} == tool.to_summary()


def test_unlisted_members_travel_with_the_detail_and_not_with_the_summary() -> None:
    """The summary stays exact (decisions D4 and D10)."""
    source = {
        "name": "a",
        "title": "A",
        "execution": {"taskSupport": "optional"},
        "x-vendor": [1],
        "annotations": {**HINTS, "vendorHint": 1},
        "outputSchema": {"type": "object"},
    }
    tool = read_tool(source)

    assert {"name", "description", "annotations"} == set(tool.to_summary())
    assert {**source, "description": "", "inputSchema": {}} == tool.to_detail()


def test_extra_members_never_replace_those_that_a_tool_has() -> None:
    """A vendor's member of the same name loses."""
    tool = Tool(name="a", extra={"name": "b", "inputSchema": 1, "new": 2})

    assert {"name": "a", "description": "", "inputSchema": {}, "new": 2} == tool.to_detail()


@pytest.mark.parametrize("source", [{}, {"name": None}, {"name": 5}, None, 5, "text", object()])
def test_a_tool_without_a_name_is_no_tool(source: object) -> None:
    """Decision D5; the issue is about the name."""
    with pytest.raises(InvalidTool) as caught:
        read_tool(source)

    assert "" == caught.value.name
    assert [("name",)] == [issue.path for issue in caught.value.issues]


@pytest.mark.parametrize("description", [None, 5, ["a"], {}])
def test_a_description_that_is_no_text_is_empty(description: object) -> None:
    """MCP has it optional, the seed has it as text (decision D5)."""
    assert "" == read_tool({"name": "a", "description": description}).description
    assert "" == read_tool(SimpleNamespace(name="a", description=description)).description


@pytest.mark.parametrize(
    ("schema", "expected"),
    [(None, {}), (True, {}), (False, {"not": {}}), ({}, {}), ([1], [1]), ("x", "x"), (5, 5)],
)
def test_missing_and_boolean_schemas_are_written_as_objects(
    schema: object, expected: object
) -> None:
    """What is no schema at all is kept, so that it can be reported (decision D9)."""
    for source in (
        {"name": "a", "inputSchema": schema},
        SimpleNamespace(name="a", input_schema=schema),
    ):
        assert expected == read_tool(source).input_schema
        assert expected == read_input_schema(source)
    assert {} == read_input_schema({"name": "a"})


def test_a_schema_that_nests_5_000_deep_is_read_and_reported_where_it_is_used() -> None:
    """It neither overflows nor hides another tool."""
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"not": schema}
    problem = compile_schema(read_tool({"name": "a", "inputSchema": schema}).input_schema).problem

    assert problem is not None
    assert "schema" == problem.keyword


def test_a_renamed_tool_is_a_copy() -> None:
    """Nothing else changes."""
    tool = Tool(name="a", description="d", extra={"title": "A"})
    renamed = tool.with_name("b")

    assert ("a", "b") == (tool.name, renamed.name)
    assert renamed.with_name("a") == tool
