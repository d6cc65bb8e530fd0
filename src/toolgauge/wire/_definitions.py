"""A tool's definition as MCP writes it, and the way there from other names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.contract import Tool

SCHEMA_MEMBERS = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
"""How the input schema is called, first one wins: MCP, Anthropic, Gemini, OpenAI."""


def as_definition(tool: Tool) -> dict[str, Any]:
    """Give what every provider takes: name, description where there is one, schema."""
    made: dict[str, Any] = {"name": tool.name}
    if tool.description:
        made["description"] = tool.description
    made["inputSchema"] = tool.input_schema
    return made


def flat(key: str, tool: Mapping[str, Any], **first: Any) -> dict[str, Any]:
    """Write a definition with its schema under another name, and nothing else of it."""
    made = {each: tool[each] for each in ("name", "description") if each in tool}
    return {**first, **made, key: tool["inputSchema"]}


def in_mcp_shape(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rename the member that holds the schema, where it has another name."""
    if "inputSchema" in tool:
        return tool
    wire = dict(tool)
    for member in SCHEMA_MEMBERS:
        if member in wire:
            wire["inputSchema"] = wire.pop(member)
            break
    if "output_schema" in wire:
        wire["outputSchema"] = wire.pop("output_schema")
    if wire.get("type") == "function":
        del wire["type"]  # says which kind of entry this is; no part of the contract
    return wire
