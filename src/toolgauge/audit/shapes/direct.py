"""Rows that are a call: ``{"tool": "search", "arguments": {…}}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import MISSING, Call, Shape
from toolgauge.audit.shapes.members import ARGUMENTS_KEYS

if TYPE_CHECKING:
    from toolgauge.audit.calls import Found

TOOL_KEYS = ("tool", "name", "tool_name")


def read_direct(row: Any) -> Found | None:
    """Read a row that names a tool itself."""
    if not isinstance(row, dict):
        return None
    tool = next((key for key in TOOL_KEYS if isinstance(row.get(key), str)), None)
    return None if tool is None else (_call(row, tool, usual_arguments_key(row)),)


def direct_shape(tool: str | None = None, arguments: str | None = None) -> Shape:
    """Make the shape of rows with members of these names; the usual ones by default."""
    title = "an object that names its tool and holds its arguments"
    if tool is None and arguments is None:
        return Shape(name="direct", title=title, read=read_direct)

    def read(row: Any) -> Found | None:
        if not isinstance(row, dict):
            return None
        return (_call(row, tool or usual_tool_key(row), arguments or usual_arguments_key(row)),)

    return Shape(name="direct", title=title, read=read)


def usual_tool_key(row: dict[str, Any]) -> str:
    """Give the member that names the tool; the first of the usual ones where there is none."""
    found = (key for key in TOOL_KEYS if isinstance(row.get(key), str))
    return next(found, TOOL_KEYS[0])


def usual_arguments_key(row: dict[str, Any]) -> str | None:
    """Give the member that holds the arguments, if there is one."""
    return next((key for key in ARGUMENTS_KEYS if key in row), None)


def _call(row: dict[str, Any], tool: str, arguments: str | None) -> Call:
    if arguments is None or arguments not in row:
        return Call(row.get(tool), MISSING, () if arguments is None else (arguments,))
    return Call(row.get(tool), row[arguments], (arguments,))


SHAPE = direct_shape()
