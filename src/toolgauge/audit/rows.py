"""How the rows of a run are read: their shape, and where their tools stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.audit.dialects import DIALECTS
from toolgauge.audit.shapes import SHAPES
from toolgauge.audit.shapes.direct import (
    TOOL_KEYS,
    read_members,
    usual_arguments_key,
    usual_tool_key,
)
from toolgauge.contract import InvalidJson, parse_json
from toolgauge.wire import ARGUMENTS_KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.audit.calls import Found
    from toolgauge.audit.inputs import Input

_MAX_DEPTH = 128


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the calls of a row. Crosses processes.

    Attributes:
        shape: The name of a shape; ``None`` to try all of them for each row.
        tool: The member that names the tool, where the user said so.
        arguments: The member that holds the arguments, where the user said so.
        keys: The members of a direct row that a loop may look at by itself.
        dialect: The name of a dialect, whose own shape is tried first.
    """

    shape: str | None = None
    tool: str | None = None
    arguments: str | None = None
    keys: tuple[str, str] | None = None
    dialect: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give what the result depends on."""
        return {
            "shape": self.shape,
            "tool": self.tool,
            "arguments": self.arguments,
            "dialect": self.dialect,
        }

    @property
    def rivals(self) -> frozenset[str]:
        """Members that may make ``read`` find something else in a row than ``keys`` do."""
        if self.keys is None:
            return frozenset()
        others: set[str] = set()
        if self.tool is None and self.keys[0] in TOOL_KEYS:
            others.update(TOOL_KEYS[: TOOL_KEYS.index(self.keys[0])])
        if self.arguments is None and self.keys[1] in ARGUMENTS_KEYS:
            others.update(ARGUMENTS_KEYS[: ARGUMENTS_KEYS.index(self.keys[1])])
        if self.shape is None and self.tool is None and self.arguments is None:
            others.update(*(each.members for each in SHAPES.values()))
        return frozenset(others)

    def read(self, row: Any) -> Found | None:
        """Give what a row holds, ``None`` where it is of no known shape."""
        if self.dialect is not None:
            own = DIALECTS[self.dialect].read
            found = None if own is None else own(row)
            if found is not None:
                return found
        if self.tool is not None or self.arguments is not None:
            return read_members(row, self.tool, self.arguments)
        if self.shape is not None:
            return SHAPES[self.shape].read(row)
        is_object = isinstance(row, dict)
        for shape in SHAPES.values():
            if is_object and shape.members and shape.members.isdisjoint(row):
                continue
            found = shape.read(row)
            if found is not None:
                return found
        return None


_SNIFF_BYTES = 1024 * 1024


def sniff_inputs(
    inputs: Sequence[Input], tool: str | None = None, arguments: str | None = None
) -> tuple[str, str] | None:
    """Find the two members that direct rows have, from the user's words or the first row.

    Only a way to be quick: rows that look otherwise are read all the same.
    """
    if tool is not None and arguments is not None:
        return tool, arguments
    for each in inputs:
        if each.kind != "lines":
            continue
        with each.open() as file:
            line = file.read(_SNIFF_BYTES).lstrip().partition(b"\n")[0]
        try:
            row = parse_json(line, max_depth=_MAX_DEPTH)
        except InvalidJson:
            continue
        if isinstance(row, dict):
            names = tool or usual_tool_key(row), arguments or usual_arguments_key(row)
            if names[0] in row and names[1] in row:
                return names[0], str(names[1])
    return None
