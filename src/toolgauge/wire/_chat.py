"""What the chat APIs share: tools and calls under ``function``.

OpenAI wrote the shape first; Mistral and Cohere took it over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.wire._arguments import read_call
from toolgauge.wire._definitions import as_definition, flat, in_mcp_shape
from toolgauge.wire._format import Declared
from toolgauge.wire._messages import rows

if TYPE_CHECKING:
    from toolgauge.contract import Tool
    from toolgauge.wire._format import WireCall


def to_entry(tool: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Write ``{"type": "function", "function": {"name", "description", "parameters"}}``."""
    return {"type": "function", "function": {**flat("parameters", tool), **more}}


def to_entries(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Write a list of tools."""
    return [to_entry(as_definition(each)) for each in tools]


def open_function(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    """Read what stands under ``function``."""
    function = entry.get("function")
    if not isinstance(function, Mapping):
        return None
    return (Declared((), entry, in_mcp_shape(function)),)


def calls_of(message: Mapping[str, Any]) -> tuple[WireCall, ...]:
    """Read ``tool_calls``; calls of custom tools take free text and are not ours."""
    return tuple(
        _call(each)
        for each in rows(message.get("tool_calls"))
        if each.get("type", "function") == "function"
    )


def holds_calls(message: Any) -> bool:
    """Tell a message with ``tool_calls``."""
    return isinstance(message, Mapping) and any(
        "function" in each or "custom" in each for each in rows(message.get("tool_calls"))
    )


def _call(call: Mapping[str, Any]) -> WireCall:
    function = call.get("function")
    if not isinstance(function, Mapping):
        function = {}
    return read_call(function.get("name"), function.get("arguments"), call.get("id"))
