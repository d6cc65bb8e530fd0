"""Tools and results of the two MCP server libraries, the SDK and FastMCP, as ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import CallResult, Tool
from toolgauge.contract.reading import plain
from toolgauge.standard.frameworks import error_result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

_PACKAGES = frozenset({"mcp", "fastmcp"})


def as_tool(tool: Any, run: Callable[[Any], Awaitable[CallResult]]) -> Tool:
    """Return a tool of either library as ours.

    Args:
        tool: The library's own.
        run: Runs it with the arguments of a call.
    """

    async def handle(arguments: Any) -> CallResult:
        try:
            return await run(arguments)
        except Exception as error:
            said = said_on_purpose(error)
            if said is None:
                raise
            return said

    extra: dict[str, Any] = {}
    for wire, attribute in (("title", "title"), ("icons", "icons"), ("_meta", "meta")):
        value = getattr(tool, attribute, None)
        if value:
            extra[wire] = [plain(each) for each in value] if isinstance(value, list) else value
    return Tool(
        name=tool.name,
        description=tool.description or "",
        input_schema=tool.parameters,
        output_schema=tool.output_schema,
        annotations=plain(getattr(tool, "annotations", None)) or {},
        extra=extra,
        handler=handle,
    )


def from_blocks(
    content: Iterable[object], structured: object = None, *, is_error: bool = False
) -> CallResult:
    """Return content blocks, as models of the SDK, as a result."""
    return CallResult(
        content=tuple(plain(each) for each in content), structured=structured, is_error=is_error
    )


def said_on_purpose(error: Exception) -> CallResult | None:
    """Return what a tool wants the model to read; ``None`` for any other exception.

    Both libraries have a ``ToolError`` for that. The SDK's ``UnexpectedToolError`` wraps
    any other exception.
    """
    names = {
        each.__name__
        for each in type(error).__mro__
        if each.__module__.partition(".")[0] in _PACKAGES
    }
    if "ToolError" not in names or "UnexpectedToolError" in names:
        return None
    return error_result(str(error))
