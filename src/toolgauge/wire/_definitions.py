"""A tool's definition as MCP writes it, and the way there from other shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.contract import Path, Tool

SCHEMA_MEMBERS = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
"""Names of the input schema, first one wins: MCP, Anthropic, Gemini, OpenAI."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One tool as somebody declared it, broken ones too.

    Attributes:
        raw: The definition in its own shape: every path in it is a path in the
            document. Gemini's ``"OBJECT"`` reads ``"object"``.
        path: Its location in the document; empty for the document itself.
        wire: The definition as MCP writes it; a value that is no object is unchanged.
    """

    raw: Any
    path: Path = ()
    wire: Any


def as_definition(tool: Tool) -> dict[str, Any]:
    """Return the members that every provider takes: name, description if any, schema."""
    made: dict[str, Any] = {"name": tool.name}
    if tool.description:
        made["description"] = tool.description
    made["inputSchema"] = tool.input_schema
    return made


def flat(key: str, tool: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Write name, description and, under another key, the schema of a definition."""
    made = {each: tool[each] for each in ("name", "description") if each in tool}
    made[key] = tool["inputSchema"]
    made.update(more)
    return made


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
        del wire["type"]  # the kind of the entry; no part of the contract
    return wire
