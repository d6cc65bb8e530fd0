"""How the rows of a run are read: their shape, and where their tools stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.audit.dialects import DIALECTS
from toolgauge.audit.shapes import (
    anthropic,
    contract_log,
    direct,
    gemini,
    mcp,
    openai_chat,
    openai_responses,
)
from toolgauge.audit.shapes.direct import direct_shape, usual_arguments_key, usual_tool_key
from toolgauge.audit.shapes.members import ARGUMENTS_KEYS
from toolgauge.contract import InvalidJson, parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.audit.calls import Found, Shape
    from toolgauge.audit.inputs import Input

_MAX_DEPTH = 128

SHAPES: dict[str, Shape] = {
    each.SHAPE.name: each.SHAPE
    for each in (contract_log, mcp, openai_chat, anthropic, gemini, direct, openai_responses)
}
"""Every shape by name, in the order in which a row is tried against them."""


_OF_OTHER_SHAPES = (
    *("canonicalCode", "jsonrpc", "tool_calls", "function_call", "choices", "messages"),
    *("content", "parts", "contents", "candidates", "promptFeedback", "prompt_feedback"),
)
"""Members that may make a row one of another shape than a direct one."""


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
        if self.tool is None and self.keys[0] in direct.TOOL_KEYS:
            others.update(direct.TOOL_KEYS[: direct.TOOL_KEYS.index(self.keys[0])])
        if self.arguments is None and self.keys[1] in ARGUMENTS_KEYS:
            others.update(ARGUMENTS_KEYS[: ARGUMENTS_KEYS.index(self.keys[1])])
        if self.shape is None and self.tool is None and self.arguments is None:
            others.update(_OF_OTHER_SHAPES)
        return frozenset(others)

    def read(self, row: Any) -> Found | None:
        """Give what a row holds, ``None`` where it is of no known shape."""
        if self.dialect is not None:
            own = DIALECTS[self.dialect].read
            found = None if own is None else own(row)
            if found is not None:
                return found
        if self.tool is not None or self.arguments is not None:
            return direct_shape(self.tool, self.arguments).read(row)
        if self.shape is not None:
            return SHAPES[self.shape].read(row)
        tried = (shape.read(row) for shape in SHAPES.values())
        return next((found for found in tried if found is not None), None)


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
