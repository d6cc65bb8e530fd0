"""Rows that are a call: ``{"tool": "search", "arguments": {…}}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.wire import ARGUMENTS_KEYS, MISSING, RecordedCall, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

TOOL_KEYS = ("tool", "name", "tool_name")


def _read_row(row: Any) -> Sequence[RecordedCall] | None:
    """Read a row that names a tool itself."""
    if not isinstance(row, dict) or not any(isinstance(row.get(key), str) for key in TOOL_KEYS):
        return None
    return read_members(row, None, None)


def read_members(
    row: Any, tool: str | None, arguments: str | None
) -> Sequence[RecordedCall] | None:
    """Read a row that is a call.

    Args:
        row: The row.
        tool: The member that names the tool; the usual one by default.
        arguments: The member that holds the arguments; the usual one by default.
    """
    if not isinstance(row, dict):
        return None
    key = arguments or usual_arguments_key(row)
    name = row.get(tool or usual_tool_key(row))
    if key is None:
        return (RecordedCall(name, MISSING),)
    namespace = row.get("namespace") if row.get("type") == "function_call" else None
    return (
        RecordedCall(
            name,
            row.get(key, MISSING),
            (key,),
            namespace=namespace if isinstance(namespace, str) else "",
        ),
    )


def usual_tool_key(row: dict[str, Any]) -> str:
    """Return the member that names the tool; the first of the usual ones where there is none."""
    found = (key for key in TOOL_KEYS if isinstance(row.get(key), str))
    return next(found, TOOL_KEYS[0])


def usual_arguments_key(row: dict[str, Any]) -> str | None:
    """Return the member that holds the arguments, if there is one."""
    return next((key for key in ARGUMENTS_KEYS if key in row), None)


SHAPE = Shape(
    name="direct",
    title="an object that names its tool and holds its arguments",
    read=_read_row,
    rank=2,
)
