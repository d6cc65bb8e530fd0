"""Schemas and lists of tools that a document keeps as JSON text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.auditing.row_tools import definitions
from toolgauge.changes import compare
from toolgauge.contract import read_tool
from toolgauge.lowering import lower
from toolgauge.rules import check
from toolgauge.upstream import FileSource, open_source

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
TEXT = json.dumps(SCHEMA)
STRICT = {
    "type": "function",
    "function": {"name": "t", "parameters": {**SCHEMA, "additionalProperties": False}},
}

SHAPES: dict[str, Any] = {
    "mcp": {"name": "t", "inputSchema": TEXT},
    "anthropic": {"name": "t", "input_schema": TEXT},
    "openai": {"type": "function", "function": {"name": "t", "parameters": TEXT}},
    "openai, all of it": {
        "type": "function",
        "function": json.dumps({"name": "t", "parameters": SCHEMA}),
    },
    "bedrock": {"toolSpec": {"name": "t", "inputSchema": {"json": TEXT}}},
    "gemini": {"functionDeclarations": [{"name": "t", "parametersJsonSchema": TEXT}]},
    "an entry": json.dumps({"name": "t", "inputSchema": SCHEMA}),
}


async def opened(tmp_path: Path, document: Any) -> Any:
    """Open a file that holds a document."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    async with open_source(FileSource(path)) as upstream:
        return upstream


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_schema_that_is_json_text_is_read_as_what_it_holds(
    shape: str, tmp_path: Path
) -> None:
    """By what lists, checks, lowers, compares and audits; told as a note, if at all."""
    upstream = await opened(tmp_path, [SHAPES[shape]])
    raw = [each.raw for each in upstream.entries]
    plain = [{"name": "t", "inputSchema": SCHEMA}]

    assert [SCHEMA] == [read_tool(each).input_schema for each in upstream.tools]
    assert all(each.is_note for each in upstream.problems)
    assert not [each for each in check(raw, ["mcp-spec"]).findings if each.severity == "error"]
    assert 1 == len(lower(raw, "openai-strict").tools)
    assert () == tuple(compare(plain, upstream.tools).changes)
    assert [SCHEMA] == [read_tool(each).input_schema for each in definitions([SHAPES[shape]])]


async def test_it_is_told_once_for_all_tools(tmp_path: Path) -> None:
    """One note, however many tools."""
    document = [{"name": f"t{each}", "inputSchema": TEXT} for each in range(5)]

    assert [True] == [each.is_note for each in (await opened(tmp_path, document)).problems]


@pytest.mark.parametrize("text", ["{", "object", "[1]", "5", '"{}"', ""])
@pytest.mark.parametrize("member", ["inputSchema", "outputSchema"])
async def test_text_that_holds_no_schema_is_told_at_its_place(
    member: str, text: str, tmp_path: Path
) -> None:
    """It hides no other tool, and is no note."""
    broken = {"name": "t", "inputSchema": SCHEMA, member: text}
    upstream = await opened(tmp_path, [broken, {"name": "good", "inputSchema": TEXT}])
    found = check([broken], ["mcp-spec"]).findings

    assert [("t", 0)] == [(each.name, each.index) for each in upstream.problems if not each.is_note]
    assert 2 == len(upstream.tools)
    assert (member,) in [each.path for each in found if each.severity in {"error", "warning"}]


@pytest.mark.parametrize("as_text", [False, True])
async def test_s7_a_request_body_with_tools_json_is_read(tmp_path: Path, *, as_text: bool) -> None:
    """Also where the list is JSON text."""
    tools: Any = [STRICT, {"name": "u", "parameters": STRICT["function"]["parameters"]}]  # type: ignore[index]
    body = {"tools_json": json.dumps(tools) if as_text else tools}

    assert ["t", "u"] == [each["name"] for each in (await opened(tmp_path, body)).tools]
