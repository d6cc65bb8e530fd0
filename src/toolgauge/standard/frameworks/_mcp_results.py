"""Results of the two MCP server libraries, as ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallResult
from toolgauge.contract.reading import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

_PACKAGES = frozenset({"mcp", "fastmcp"})


def from_blocks(
    content: Iterable[object], structured: object = None, *, is_error: bool = False
) -> CallResult:
    """Give content blocks, as models of the SDK, as a result."""
    return CallResult(
        content=tuple(plain(each) for each in content), structured=structured, is_error=is_error
    )


def said_on_purpose(error: Exception) -> CallResult | None:
    """Give what a tool wants the model to read; ``None`` for any other exception.

    Both libraries have a ``ToolError`` for that. The SDK's ``UnexpectedToolError`` wraps
    what nobody expected.
    """
    names = {
        each.__name__
        for each in type(error).__mro__
        if each.__module__.partition(".")[0] in _PACKAGES
    }
    if "ToolError" not in names or "UnexpectedToolError" in names:
        return None
    return CallResult(content=({"type": "text", "text": str(error)},), is_error=True)


def described(tool: Any) -> dict[str, Any]:
    """Give what both kinds of tool say of themselves beyond name and schema."""
    extra: dict[str, Any] = {}
    for wire, attribute in (("title", "title"), ("icons", "icons"), ("_meta", "meta")):
        value = getattr(tool, attribute, None)
        if value:
            extra[wire] = [plain(each) for each in value] if isinstance(value, list) else value
    annotations = plain(getattr(tool, "annotations", None)) or {}
    return {"extra": extra, "annotations": annotations}
