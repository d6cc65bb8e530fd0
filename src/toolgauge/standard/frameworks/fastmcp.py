"""FastMCP's ``Tool``, from a server's list or made with ``Tool.from_function``."""

from __future__ import annotations

from typing import Any

from toolgauge.contract import CallResult, Tool
from toolgauge.standard.frameworks._guards import refuse_guarded
from toolgauge.standard.frameworks._mcp_results import described, from_blocks, said_on_purpose


def convert(tool: Any) -> Tool:
    """Give the tool as ours.

    Outside of a FastMCP server there is no request of its kind: a tool that asks for
    FastMCP's ``Context`` fails with FastMCP's own error, and one with checks of its own
    on who is asking (``auth``) is not run. The server as a source has one.
    """

    async def run(arguments: Any) -> CallResult:
        refuse_guarded(tool, "auth")
        try:
            found = await tool.run(arguments)
        except Exception as error:
            told = said_on_purpose(error)
            if told is None:
                raise
            return told
        is_error = bool(getattr(found, "is_error", False))
        return from_blocks(found.content, found.structured_content, is_error=is_error)

    return Tool(
        name=tool.name,
        description=tool.description or "",
        input_schema=tool.parameters,
        output_schema=tool.output_schema,
        handler=run,
        **described(tool),
    )
