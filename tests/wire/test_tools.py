from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.judges import takes_tools
from tests.wire.specimens import BARE, SCHEMA, WEATHER
from toolgauge import InvalidTool, Tool
from toolgauge.upstream.entries import read_entries
from toolgauge.wire import UnreadableMessage, formats, from_tools

each_format = pytest.mark.parametrize("name", sorted(formats()))


@each_format
def test_the_providers_own_types_take_the_tools(name: str) -> None:
    """With and without a description; nothing in them is unknown."""
    takes_tools(name, formats()[name].to_tools([WEATHER, BARE]))


@each_format
def test_what_is_written_is_read_again(name: str) -> None:
    """Name, description and schema, in the order of the list."""
    made = formats()[name].to_tools([WEATHER, BARE])

    assert [_promise(WEATHER), _promise(BARE)] == [_promise(each) for each in from_tools(made)]


@each_format
def test_the_schema_goes_out_verbatim(name: str) -> None:
    """The very object, so that not a key moves."""
    made = formats()[name].to_tools([WEATHER])

    assert any(each is SCHEMA for each in _walk(made))


@each_format
def test_no_tools_are_an_empty_list(name: str) -> None:
    """Whatever stands around it."""
    made = formats()[name].to_tools([])

    assert made in ([], {"tools": []})


@each_format
def test_every_variant_is_an_entry_that_is_read_again(name: str) -> None:
    """Strict ones too."""
    for write in formats()[name].entries.values():
        entry = write({"name": "t", "description": "d", "inputSchema": SCHEMA})

        (tool,) = from_tools([entry])
        assert ("t", "d", SCHEMA) == (tool.name, tool.description, tool.input_schema)


def test_mcp_alone_carries_everything() -> None:
    """Annotations, the output schema and members that we do not know."""
    tool = Tool(
        name="t",
        input_schema={"type": "object"},
        output_schema={"type": "object"},
        annotations={"readOnlyHint": True},
        extra={"title": "T"},
    )

    made = formats()["mcp"].to_tools([tool])

    takes_tools("mcp", made)
    assert tool == from_tools(made)[0]


def test_responses_say_that_they_are_not_strict() -> None:
    """The API would take them for strict if nothing were said."""
    (made,) = formats()["openai-responses"].to_tools([WEATHER])

    assert made["strict"] is False


def test_gemini_groups_its_declarations() -> None:
    """One tool of the request holds them all."""
    made = formats()["gemini"].to_tools([WEATHER, BARE])

    assert ["weather", "now"] == [each["name"] for each in made[0]["functionDeclarations"]]


@pytest.mark.parametrize(
    "request_",
    [
        {
            "contents": [],
            "tools": [{"functionDeclarations": [{"name": "t"}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        },
        {"messages": [], "toolConfig": {"tools": [{"toolSpec": {"name": "t"}}], "toolChoice": {}}},
        {"messages": [], "functions": [{"name": "t"}], "function_call": {"name": "t"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "t"}], "nextCursor": "a"}},
    ],
    ids=["gemini", "bedrock", "openai-chat", "mcp"],
)
def test_tools_are_read_from_a_whole_request(request_: dict[str, Any]) -> None:
    """Whatever else the provider's request holds beside them."""
    assert ["t"] == [each.name for each in from_tools(request_)]
    assert ["t"] == [each.wire["name"] for each in read_entries(request_)]


def test_objects_of_sdks_are_read() -> None:
    """Tools as a program holds them before it sends them."""
    from google.genai import types as gemini
    from mistralai.client import models as mistral

    function = mistral.Function(name="weather", parameters=SCHEMA)
    declared = gemini.FunctionDeclaration(name="weather", parameters_json_schema=SCHEMA)
    found = [
        *from_tools([mistral.Tool(function=function)]),
        *from_tools([gemini.Tool(function_declarations=[declared])]),
    ]

    assert [SCHEMA, SCHEMA] == [each.input_schema for each in found]


@pytest.mark.parametrize("document", [None, 5, "tools", {"paths": {}}, {"tools": {"a": 1}}])
def test_what_holds_no_list_is_refused(document: object) -> None:
    """Never taken for an empty list."""
    with pytest.raises(UnreadableMessage):
        from_tools(document)


@pytest.mark.parametrize("entry", [5, {"input_schema": {}}, {"function": {"name": 5}}])
def test_an_entry_without_a_name_is_refused(entry: object) -> None:
    """It cannot be called."""
    with pytest.raises(InvalidTool):
        from_tools([entry])


def test_a_definition_without_a_schema_is_a_tool() -> None:
    """As some providers allow."""
    assert [Tool(name="t")] == from_tools(MappingProxyType({"functions": [{"name": "t"}]}))


def test_openapi_types_of_gemini_are_read_as_json_schema() -> None:
    """In the declarations of a group; odd ones are refused like others."""
    declared = {
        "name": "t",
        "parameters": {
            "type": "OBJECT",
            "properties": {"list": {"type": "ARRAY", "items": {"anyOf": [{"type": "INTEGER"}]}}},
        },
        "response": {"type": "OBJECT"},
    }

    (tool,) = from_tools({"tools": [{"functionDeclarations": [declared]}]})

    inner = {"type": "array", "items": {"anyOf": [{"type": "integer"}]}}
    assert {"type": "object", "properties": {"list": inner}} == tool.input_schema
    assert {"type": "object"} == tool.output_schema
    with pytest.raises(InvalidTool):
        from_tools([{"functionDeclarations": ["x"]}])


def test_a_bedrock_schema_without_its_wrapper_is_kept() -> None:
    """So that somebody can be told of it."""
    (tool,) = from_tools([{"toolSpec": {"name": "t", "inputSchema": 5}}])

    assert 5 == tool.input_schema


def test_an_output_schema_is_read_by_both_names() -> None:
    """As the SDKs of Python write it."""
    (tool,) = from_tools([{"name": "t", "input_schema": {}, "output_schema": {"type": "object"}}])

    assert {"type": "object"} == tool.output_schema


_NAMES = st.text(min_size=1, max_size=20)
_SCHEMAS = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(
            st.sampled_from(["a", "type", "function", "parameters", "json", "input_schema"]),
            st.sampled_from([{"type": "string"}, {"type": "ARRAY"}, {"default": None}]),
            max_size=3,
        ),
        "description": st.text(max_size=10),
    },
)


@each_format
@given(names=st.lists(_NAMES, max_size=3), schema=_SCHEMAS, description=st.text(max_size=20))
def test_any_tool_survives_the_way_out_and_back(
    name: str, names: list[str], schema: dict[str, Any], description: str
) -> None:
    """Names and schemas are the tool's business, not the format's."""
    tools = [Tool(name=each, description=description, input_schema=schema) for each in names]

    found = from_tools(formats()[name].to_tools(tools))

    assert [_promise(each) for each in tools] == [_promise(each) for each in found]


def _promise(tool: Tool) -> tuple[str, str, Any]:
    """Give what every format carries; ``strict`` of a request stays as an extra member."""
    return tool.name, tool.description, tool.input_schema


def _walk(value: Any) -> list[Any]:
    children = value.values() if isinstance(value, dict) else value
    below = [each for child in children for each in _walk(child)] if _is_nested(value) else []
    return [value, *below]


def _is_nested(value: object) -> bool:
    return isinstance(value, dict | list)
