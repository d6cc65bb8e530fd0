"""Rows that are a call: ``{"tool": "search", "arguments": {…}}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import MISSING, Call, Shape

if TYPE_CHECKING:
    from toolgauge.audit.calls import Found

TOOL_KEYS = ("tool", "name", "tool_name")
ARGUMENTS_KEYS = ("arguments", "input", "args")


def read_direct(row: Any) -> Found | None:
    """Read a row that names a tool itself."""
    if not isinstance(row, dict):
        return None
    tool = next((key for key in TOOL_KEYS if isinstance(row.get(key), str)), None)
    arguments = next((key for key in ARGUMENTS_KEYS if key in row), None)
    if tool is None or (arguments is None and len(row) > 1):
        return None
    if arguments is None:
        return (Call(row[tool], MISSING),)
    return (Call(row[tool], row[arguments], (arguments,)),)


def direct_shape(tool: str | None = None, arguments: str | None = None) -> Shape:
    """Make the shape of rows with members of these names; the usual ones by default."""
    title = "an object that names its tool and holds its arguments"
    if tool is None and arguments is None:
        return Shape(name="direct", title=title, read=read_direct)
    tool_key, arguments_key = tool or TOOL_KEYS[0], arguments or ARGUMENTS_KEYS[0]

    def read(row: Any) -> Found | None:
        if not isinstance(row, dict):
            return None
        return (Call(row.get(tool_key), row.get(arguments_key, MISSING), (arguments_key,)),)

    return Shape(name="direct", title=title, read=read, keys=(tool_key, arguments_key))


SHAPE = direct_shape()
