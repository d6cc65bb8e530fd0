"""FastMCP's ``Tool``, from a server's list or made with ``Tool.from_function``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.standard.frameworks import as_tool, from_blocks, reject_guarded

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Tool


def convert(tool: Any) -> Tool:
    """Return the tool as ours.

    Outside of a FastMCP server there is no request of its kind: a tool that asks for
    FastMCP's ``Context`` fails with FastMCP's own error, and one with checks of its own
    on who is asking (``auth``) is not run. The server as a source has one.
    """

    async def run(arguments: Any) -> CallResult:
        reject_guarded(tool, "auth")
        found = await tool.run(arguments)
        is_error = bool(getattr(found, "is_error", False))
        return from_blocks(found.content, found.structured_content, is_error=is_error)

    return as_tool(tool, run)
