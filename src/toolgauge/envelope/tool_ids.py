"""The two names of a tool: its own, and the canonical dialect's (decision E1)."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "mcp.tool:"


def to_tool_id(name: str) -> str:
    """Give the canonical id of a tool: ``"mcp.tool:search"`` for ``"search"``."""
    return PREFIX + name


def to_tool_name(tool_id: str) -> str:
    """Give the name behind a canonical id.

    Raises:
        ValueError: If it is not of the form ``mcp.tool:<name>``.
    """
    if not tool_id.startswith(PREFIX) or tool_id == PREFIX:
        msg = f"{tool_id[:80]!r} is not of the form {PREFIX}<name>"
        raise ValueError(msg)
    return tool_id.removeprefix(PREFIX)
