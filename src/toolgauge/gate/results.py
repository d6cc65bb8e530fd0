"""Turns whatever a handler gives back into one kind of result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallResult, dump_json
from toolgauge.contract.jsontext import is_of_mcp
from toolgauge.contract.reading import plain_result
from toolgauge.gate.errors import InvalidResult

if TYPE_CHECKING:
    from toolgauge.contract import Issue

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
    blocks = (
        [plain_result(each) for each in content] if isinstance(content, list | tuple) else content
    )
    return CallResult(
        content=_content(blocks),
        is_error=bool(is_error),
        trace_id=None if trace_id is None else str(trace_id),
    )


def from_handler(found: object, *, is_promised: bool = False) -> CallResult:
    """Read the answer of a tool's own handler.

    A text is one text block; a list of MCP blocks, or a single one, is the
    content; a result of the MCP SDK or of FastMCP is one as it is; any other mapping
    is structured content, with its JSON as text for clients that read no other;
    anything else is its JSON as text, and nothing at all is no content.

    Args:
        found: The answer.
        is_promised: Whether the tool has an output schema: what is no mapping is
            structured content too then.
    """
    if isinstance(found, CallResult):
        return found
    if is_of_mcp(found) and hasattr(found, "content"):
        return _from_mcp(found)
    value: Any = plain_result(found)
    if isinstance(value, list | tuple):
        value = [plain_result(each) for each in value]
    if value is None:
        return CallResult()
    blocks = value if isinstance(value, list) else [value]
    if blocks and all(map(_is_block, blocks)):
        return CallResult(content=tuple(blocks))
    has_structure = is_promised or isinstance(value, Mapping)
    return CallResult(content=(_text(value),), structured=value if has_structure else None)


def from_error(error: Exception) -> CallResult | None:
    """Read what a handler raised for the model to see; ``None`` for any other exception.

    That is the ``ToolError`` of the MCP SDK and of FastMCP.
    """
    if not is_of_mcp(error):
        return None
    from toolgauge.standard.frameworks import _mcp_results  # noqa: PLC0415 - rarely needed

    return _mcp_results.said_on_purpose(error)


def _from_mcp(found: Any) -> CallResult:
    """Read a whole result of the MCP SDK, 1 or 2, or of FastMCP."""
    # FastMCP gives the newer class the older names back, with a warning to who reads them.
    is_newer = hasattr(found, "is_error")
    return CallResult(
        content=tuple(map(plain_result, found.content)),
        structured=getattr(found, "structured_content" if is_newer else "structuredContent", None),
        is_error=bool(getattr(found, "is_error" if is_newer else "isError", False)),
    )


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
    """Tell a block of MCP from data that has a member ``type`` as well."""
    if not isinstance(value, Mapping):
        return False
    kind = value.get("type")
    if kind == "resource":
        inner = value.get("resource")
        return _has_texts(inner, "uri", "text") or _has_texts(inner, "uri", "blob")
    return isinstance(kind, str) and kind in _MEMBERS and _has_texts(value, *_MEMBERS[kind])


_MEMBERS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
"""The members that each kind of block must have.

Source: MCP 2026-07-28, schema, ``ContentBlock``.
"""


def _has_texts(value: object, *names: str) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(each), str) for each in names)


def _text(value: object) -> dict[str, str]:
    """Write a value as a block of text; what is no text as JSON."""
    return {"type": "text", "text": value if isinstance(value, str) else dump_json(value).decode()}
