"""The official MCP SDK's ``Tool`` of its ``MCPServer``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.standard.frameworks import as_tool, from_blocks
from toolgauge.standard.functions.annotations import Resolver, home_of, signature_of
from toolgauge.standard.functions.contexts import ContextParameter, find_context

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Tool

_PAIR = 2


def convert(tool: Any) -> Tool:
    """Return the tool as ours.

    A tool that asks for the SDK's ``Context`` gets one for the request that runs,
    where the call came through the SDK.
    """
    context = _context_of(tool)

    async def run(arguments: Any) -> CallResult:
        given = context.supply() if context is not None else None
        return _read(await tool.run(arguments, given, convert_result=True))

    return as_tool(tool, run)


def _context_of(tool: Any) -> ContextParameter | None:
    name = tool.context_kwarg
    home = home_of(tool.fn)
    if name is None or home is None:
        return None
    written = signature_of(tool.fn).parameters[name].annotation
    return find_context(tool.name, name, Resolver(tool.name, home).resolve(name, written))


def _read(found: Any) -> CallResult:
    """Read what ``run`` returns: a whole result, content and structure, or content alone."""
    if hasattr(found, "content"):
        structured = getattr(found, "structured_content", None)
        return from_blocks(found.content, structured, is_error=bool(found.is_error))
    if isinstance(found, tuple) and len(found) == _PAIR:
        return from_blocks(*found)
    return from_blocks(found)
