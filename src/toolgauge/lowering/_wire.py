"""Writes lowered tools in the shape that each provider's request wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_Tool = dict[str, Any]


def _flat(key: str, tool: Mapping[str, Any], **more: Any) -> _Tool:
    made = {each: tool[each] for each in ("name", "description") if each in tool}
    return {**more, **made, key: tool["inputSchema"]}


def _chat(tool: Mapping[str, Any], **more: Any) -> _Tool:
    return {"type": "function", "function": {**_flat("parameters", tool), **more}}


def _bedrock(tool: Mapping[str, Any]) -> _Tool:
    made = _flat("inputSchema", tool)
    return {"toolSpec": {**made, "inputSchema": {"json": tool["inputSchema"]}}}


SHAPES: Mapping[str, Callable[[Mapping[str, Any]], _Tool]] = {
    "mcp": lambda tool: _flat("inputSchema", tool),
    "openai-chat": _chat,
    "openai-chat-strict": lambda tool: _chat(tool, strict=True),
    "openai-responses": lambda tool: {
        **_flat("parameters", tool, type="function"),
        "strict": False,
    },
    "openai-responses-strict": lambda tool: {
        **_flat("parameters", tool, type="function"),
        "strict": True,
    },
    "anthropic": lambda tool: _flat("input_schema", tool),
    "anthropic-strict": lambda tool: {**_flat("input_schema", tool), "strict": True},
    # The entries of one `functionDeclarations` list.
    "gemini-parameters": lambda tool: _flat("parameters", tool),
    "gemini-json-schema": lambda tool: _flat("parametersJsonSchema", tool),
    # The entries of `toolConfig.tools`.
    "bedrock": _bedrock,
    "tools-json": lambda tool: _flat("input_schema", tool),
}
"""Every shape by its name; each gives one entry of the request's list."""

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


def to_wire(tools: Iterable[Mapping[str, Any]], target: str, shape: str = "") -> list[_Tool]:
    """Write tools in a shape, or in that of a target; ``openai-chat`` where none is known."""
    write = SHAPES[shape or _OF_TARGET.get(target, "openai-chat")]
    return [write(each) for each in tools]
