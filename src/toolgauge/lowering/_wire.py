"""Writes lowered tools in the shape that each provider's request wants."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from toolgauge.wire import formats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolgauge.wire import WriteEntry


def _shapes() -> dict[str, WriteEntry]:
    found = {name: write for each in formats().values() for name, write in each.entries.items()}
    # Strict tools_json takes Anthropic's names.
    return {**found, "tools-json": found["anthropic"]}


SHAPES: Mapping[str, WriteEntry] = MappingProxyType(_shapes())
"""Every shape by its name; each gives one entry of the request's list: for Gemini of
one ``functionDeclarations``, for Bedrock of ``toolConfig.tools``."""

_OF_TARGET = {
    "anthropic": "anthropic",
    "anthropic-strict": "anthropic-strict",
    "anthropic-managed-agents": "anthropic",
    "bedrock-converse": "bedrock",
    "gemini-json-schema": "gemini-json-schema",
    "gemini-parameters": "gemini-parameters",
    "mcp-spec": "mcp",
    "openai-strict": "openai-chat-strict",
    "tools-json-strict": "tools-json",
}


def to_wire(
    tools: Iterable[Mapping[str, Any]], target: str, shape: str = ""
) -> list[dict[str, Any]]:
    """Write tools in a shape, or in that of a target; ``openai-chat`` where none is known."""
    write = SHAPES[shape or _OF_TARGET.get(target, "openai-chat")]
    return [write(each) for each in tools]
