"""Turns whatever a handler gives back into one kind of result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgauge.contract import CallResult, dump_json
from toolgauge.contract.reading import plain
from toolgauge.gate.errors import InvalidResult

_TRIPLE = 3


def from_handle_call(name: str, found: object) -> CallResult:
    """Read the answer of a ``handle_call``.

    Raises:
        InvalidResult: If it is neither ``(content, is_error, trace_id)`` nor a
            ``CallResult``.
    """
    if isinstance(found, CallResult):
        return found
    if not isinstance(found, tuple | list) or len(found) != _TRIPLE:
        raise InvalidResult(name, f"a {type(found).__name__}")
    content, is_error, trace_id = found
    return CallResult(
        content=_blocks(content),
        is_error=bool(is_error),
        trace_id=None if trace_id is None else str(trace_id),
    )


def from_handler(found: object) -> CallResult:
    """Read the answer of a tool's own handler.

    A text is one text block; a mapping is structured content, and its JSON as
    text for clients that read no other; a list of MCP blocks is the content;
    anything else is its JSON as text, and nothing at all is no content.
    """
    if isinstance(found, CallResult):
        return found
    value = plain(found)
    if value is None:
        return CallResult()
    if isinstance(value, Mapping):
        return CallResult(content=(_text(dump_json(value).decode()),), structured=value)
    return CallResult(content=_blocks(value))


def _blocks(content: object) -> tuple[Any, ...]:
    """Read content blocks; what is none becomes a text block."""
    value = plain(content)
    if value is None:
        return ()
    if isinstance(value, list) and all(_is_block(each) for each in value):
        return tuple(value)
    if _is_block(value):
        return (value,)
    return (_text(value if isinstance(value, str) else dump_json(value).decode()),)


def _is_block(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("type"), str)


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
