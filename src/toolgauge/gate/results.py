"""Turns whatever a handler gives back into one kind of result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallResult, dump_json
from toolgauge.contract.reading import plain
from toolgauge.gate.errors import InvalidResult

if TYPE_CHECKING:
    from toolgauge.contract import Issue

_TRIPLE = 3


_MCP_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link"})


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
    blocks = [plain(each) for each in content] if isinstance(content, list | tuple) else content
    return CallResult(
        content=_content(blocks),
        is_error=bool(is_error),
        trace_id=None if trace_id is None else str(trace_id),
    )


def from_handler(found: object) -> CallResult:
    """Read the answer of a tool's own handler.

    A text is one text block; a list of MCP blocks, or a single one, is the
    content; any other mapping is structured content, with its JSON as text for
    clients that read no other; anything else is its JSON as text, and nothing at
    all is no content.
    """
    if isinstance(found, CallResult):
        return found
    if isinstance(found, str):
        return CallResult(content=({"type": "text", "text": found},))
    value = [plain(each) for each in found] if isinstance(found, list | tuple) else plain(found)
    if isinstance(value, Mapping) and not _is_block(value):
        return CallResult(content=(_text(value),), structured=value)
    return CallResult(content=_blocks(value))


def _blocks(value: Any) -> tuple[Any, ...]:
    """Give MCP blocks as they are, and anything else as one block of text."""
    if value is None:
        return ()
    if _is_block(value):
        return (value,)
    if isinstance(value, list) and all(_is_block(each) for each in value):
        return tuple(value)
    return (_text(value),)


def refused(issues: tuple[Issue, ...]) -> CallResult:
    """Give the result of a call that was refused before the tool ran."""
    lines = [f"{issue.pointer or '/'}: {issue.message}" for issue in issues]
    text = "Invalid arguments\n" + "\n".join(lines)
    return CallResult(content=({"type": "text", "text": text},), is_error=True, issues=issues)


def _content(value: Any) -> tuple[Any, ...]:
    """Give content blocks as they are, and anything else as one block of text."""
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
        return tuple(value)
    return (_text(value),)


def _is_block(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("type") in _MCP_TYPES


def _text(value: object) -> dict[str, str]:
    """Write a value as a block of text; what is no text as JSON."""
    return {"type": "text", "text": value if isinstance(value, str) else dump_json(value).decode()}
