from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import resolve, to_pointer
from toolgauge.upstream.entries import foreign_entries, read_entries

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WIRE = {"name": "weather", "description": "Now.", "inputSchema": SCHEMA}
FLAT = {"name": "weather", "description": "Now."}


def read_tools(document: object) -> list[Any]:
    """Give the tools in a document as MCP writes them."""
    return [entry.wire for entry in read_entries(document)]


@pytest.mark.parametrize(
    "document",
    [
        pytest.param([WIRE], id="array"),
        pytest.param({"tools": [WIRE], "nextCursor": None}, id="tools/list result"),
        pytest.param({"jsonrpc": "2.0", "id": 1, "result": {"tools": [WIRE]}}, id="response"),
        pytest.param({"name": "a manifest", "tools": [WIRE]}, id="manifest"),
        pytest.param(WIRE, id="one tool"),
        pytest.param([{"type": "function", "function": {**FLAT, "parameters": SCHEMA}}], id="chat"),
        pytest.param([{"type": "function", **FLAT, "parameters": SCHEMA}], id="responses"),
        pytest.param({"functions": [{**FLAT, "parameters": SCHEMA}]}, id="functions"),
        pytest.param([{**FLAT, "input_schema": SCHEMA}], id="anthropic"),
        pytest.param(
            [{"functionDeclarations": [{**FLAT, "parametersJsonSchema": SCHEMA}]}], id="gemini"
        ),
        pytest.param({"function_declarations": [{**FLAT, "parameters": SCHEMA}]}, id="gemini sdk"),
        pytest.param(
            {"tools": [{"toolSpec": {**FLAT, "inputSchema": {"json": SCHEMA}}}]}, id="bedrock"
        ),
        pytest.param(
            {"toolConfig": {"tools": [{"toolSpec": {**FLAT, "inputSchema": {"json": SCHEMA}}}]}},
            id="bedrock request",
        ),
    ],
)
def test_every_provider_shape_gives_the_same_tool(document: object) -> None:
    """What MCP writes comes out, whoever wrote what came in."""
    assert [WIRE] == read_tools(document)


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"tools": [WIRE]}, ("tools", 0)),
        ({"result": {"tools": [WIRE]}}, ("result", "tools", 0)),
        (WIRE, ()),
        ([{"type": "function", "function": {**FLAT, "parameters": SCHEMA}}], (0,)),
        (
            {"tools": [{"functionDeclarations": [{**FLAT, "parameters": SCHEMA}]}]},
            ("tools", 0, "functionDeclarations", 0),
        ),
        (
            {"toolConfig": {"tools": [{"toolSpec": {**FLAT, "inputSchema": {"json": SCHEMA}}}]}},
            ("toolConfig", "tools", 0),
        ),
    ],
)
def test_a_definition_stays_as_it_stands_in_its_document(
    document: object, path: tuple[str | int, ...]
) -> None:
    """Its place leads to it, and nothing inside has moved."""
    (entry,) = read_entries(document)

    assert path == entry.path
    assert resolve(document, to_pointer(path)) == entry.raw
    assert WIRE == entry.wire


def test_gemini_writes_types_in_capitals_and_we_do_not() -> None:
    """Only ``type`` in schema positions changes; values that say OBJECT stay."""
    declared = {
        "type": "OBJECT",
        "properties": {
            "type": {"type": "STRING", "enum": ["OBJECT"]},
            "list": {"type": "ARRAY", "items": {"anyOf": [{"type": "INTEGER"}]}},
        },
    }

    (tool,) = read_tools([{"functionDeclarations": [{"name": "t", "parameters": declared}]}])

    assert {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["OBJECT"]},
            "list": {"type": "array", "items": {"anyOf": [{"type": "integer"}]}},
        },
    } == tool["inputSchema"]


def test_gemini_responses_become_output_schemas() -> None:
    """``response`` is the contract of the result."""
    declared = {"name": "t", "response": {"type": "OBJECT"}}

    (tool,) = read_tools([{"functionDeclarations": [declared]}])

    assert {"name": "t", "outputSchema": {"type": "object"}} == tool


def test_odd_entries_pass_through_to_be_reported() -> None:
    """Finding fault with single tools is somebody else's work."""
    entries = [
        {"functionDeclarations": ["x", {"name": "t", "parameters": {"items": 5}}]},
        {"toolSpec": {"name": "s", "inputSchema": 5}},
        {"name": "a", "input_schema": {}, "output_schema": {"type": "object"}},
        7,
    ]

    read = read_tools(entries)

    assert ["x", {"name": "t", "inputSchema": {"items": 5}}] == read[:2]
    assert {"name": "s", "inputSchema": 5} == read[2]
    assert {"name": "a", "inputSchema": {}, "outputSchema": {"type": "object"}} == read[3]
    assert 7 == read[4]


def test_a_tool_in_wire_shape_passes_through_untouched() -> None:
    """Members that we do not know, and nulls inside a schema, keep their meaning."""
    tool: dict[str, Any] = {
        "name": "t",
        "inputSchema": {"properties": {"a": {"default": None}}},
        "_meta": {"vendor": 1},
        "type": "function",
    }

    (read,) = read_tools({"tools": [tool]})

    assert read is tool


@pytest.mark.parametrize(
    "document",
    [
        None,
        5,
        "tools",
        {},
        {"openapi": "3.1.0", "paths": {}},
        {"tools": {"weather": SCHEMA}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}},
        [1, 2, 3],
        [{"id": 1}, {"id": 2}],
    ],
)
def test_json_without_tools_says_so(document: object) -> None:
    """A document is never taken for an empty list of tools."""
    with pytest.raises(LookupError):
        read_tools(document)


def test_an_empty_list_is_an_empty_list() -> None:
    """A server may have no tools today."""
    assert [] == read_tools({"tools": []})


FOREIGN: list[dict[str, Any]] = [
    {"type": "web_search"},
    {"type": "web_search_preview_2025_03_11"},
    {"type": "file_search", "vector_store_ids": ["v"]},
    {"type": "mcp", "server_label": "s", "server_url": "https://example.org"},
    {"type": "custom", "name": "sql", "description": "Write SQL."},
    {"type": "custom", "custom": {"name": "sql"}},
    {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
    {"type": "bash_20250124", "name": "bash"},
    {"cachePoint": {"type": "default"}},
    {"googleSearch": {}},
    {"google_search": {}, "url_context": {}},
    {"codeExecution": {}},
]
OWN: list[dict[str, Any]] = [
    {"type": "custom", "name": "t", "input_schema": {}},
    {"type": "function", "name": "t", "parameters": {}},
    {"googleSearch": {}, "functionDeclarations": [{"name": "t"}]},
    {"name": "web_search"},
    {"name": "t", "type": "mcp", "inputSchema": {}, "parameters": {}},
]


@pytest.mark.parametrize("entry", FOREIGN, ids=str)
def test_what_the_provider_runs_is_passed_over_with_a_notice(entry: dict[str, Any]) -> None:
    """A request may hold it beside tools, or alone."""
    tool = {"name": "t", "inputSchema": SCHEMA}

    assert [tool] == read_tools({"tools": [entry, tool]})
    assert [] == read_tools({"tools": [entry]})
    (problem,) = foreign_entries({"tools": [entry, tool]})
    assert problem.index is None


@pytest.mark.parametrize("entry", OWN, ids=str)
def test_a_tool_that_looks_like_the_provider_s_is_a_tool(entry: dict[str, Any]) -> None:
    """It says what it takes, or nothing of what the provider says."""
    assert 1 == len(read_tools([entry]))
    assert () == foreign_entries([entry])
