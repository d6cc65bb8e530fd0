"""The chat APIs: tools and calls under ``function``, and a ``tool`` message for each result.

OpenAI wrote the shape first; Mistral and Cohere took it over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from toolgauge.wire._calls import CallMembers, WireCall, rows
from toolgauge.wire._format import Declared, Format, WireResult, flat, in_mcp_shape

CALL = CallMembers(wrappers=("function",))


def to_entry(tool: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Write ``{"type": "function", "function": {"name", "description", "parameters"}}``."""
    return {"type": "function", "function": flat("parameters", tool, **more)}


def open_function(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    """Read the definition under ``function``."""
    function = entry.get("function")
    if not isinstance(function, Mapping):
        return None
    return (Declared(raw=entry, wire=in_mcp_shape(function)),)


def calls_of(message: Any) -> tuple[WireCall, ...] | None:
    """Read ``tool_calls`` of a message, or of the response around it.

    Calls of custom tools take free text, and are left out.
    """
    if isinstance(message, Mapping) and isinstance(message.get("message"), Mapping):
        message = message["message"]
    if not isinstance(message, Mapping) or not {"role", "tool_calls", "content"} & message.keys():
        return None
    return tuple(
        _call(each)
        for each in rows(message.get("tool_calls"))
        if each.get("type", "function") == "function"
    )


def holds_calls(message: Any) -> bool:
    """Return whether a message has ``tool_calls``."""
    return isinstance(message, Mapping) and any(
        "function" in each or "custom" in each for each in rows(message.get("tool_calls"))
    )


def _call(call: Mapping[str, Any]) -> WireCall:
    function = call.get("function")
    inner = function if isinstance(function, Mapping) else {}
    return CALL.read({**inner, "id": call.get("id")})


def tool_message(result: WireResult, content: object, **more: object) -> dict[str, Any]:
    """Write the ``tool`` message that answers one call."""
    return {"role": "tool", "tool_call_id": result.call.id or "", **more, "content": content}


chat_format = partial(Format, members=("function",), opens=open_function, call=CALL, calls=calls_of)
"""Makes the format of one chat API: its name, and what it does not share."""
