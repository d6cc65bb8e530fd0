"""How the rows of a run are read: their shape, and the members that they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.arrow import pa, pq
from toolgauge.auditing.dialects import DIALECTS
from toolgauge.auditing.errors import MissingColumn, UnreadableInput
from toolgauge.auditing.reading import damage_of, iter_blocks, parsed
from toolgauge.auditing.shapes import SHAPES
from toolgauge.auditing.shapes.direct import (
    TOOL_KEYS,
    read_members,
    usual_arguments_key,
    usual_tool_key,
)
from toolgauge.contract import dump_json
from toolgauge.wire import ARGUMENTS_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolgauge.auditing.inputs import Input
    from toolgauge.auditing.verdicts import Found

_SNIFF_BYTES = 1024 * 1024
_MAX_SHOWN = 40
_ROWS = 200
_ESCAPES = (b"\\u", b"\\/")
"""What a name may be written with that ``dump_json`` writes plainly."""


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
            others.update(("namespace",), *(each.members for each in SHAPES.values()))
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
            row = parsed(file.read(_SNIFF_BYTES).lstrip().partition(b"\n")[0])
        if isinstance(row, dict):
            names = tool or usual_tool_key(row), arguments or usual_arguments_key(row)
            if names[0] in row and names[1] in row:
                return names[0], str(names[1])
    return None


def require_columns(inputs: Sequence[Input], names: Iterable[str]) -> None:
    """Refuse a name that no row has.

    A Parquet file tells by its schema. Of lines the first ones of each file are looked
    at; only a name that is not among those is looked for in all of the text.

    Raises:
        MissingColumn: If a name is in no row of any file; it says which there are.
        UnreadableInput: If a file is damaged.
    """
    missing = dict.fromkeys(names)
    if not missing:
        return
    present: dict[str, None] = {}
    for each in inputs:
        present.update(dict.fromkeys(_members(each)))
    for name in [each for each in missing if each not in present]:
        if not any(each.kind != "parquet" and _has_member(each, name) for each in inputs):
            files = inputs[0].name if len(inputs) == 1 else f"{len(inputs)} files"
            raise MissingColumn(name, files, list(present)[:_MAX_SHOWN])


def _members(source: Input) -> Iterable[str]:
    """Return the members of a file's first rows, or its columns."""
    if source.kind == "parquet":
        try:
            with source.open() as file:
                names: list[str] = pq.read_schema(file).names
        except (OSError, pa.ArrowException) as error:
            raise UnreadableInput(source.name, 0, damage_of(error)) from None
        return names
    _, lines = next(iter_blocks(source), (1, []))
    rows = map(parsed, lines[:_ROWS])
    return dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row)


def _has_member(source: Input, name: str) -> bool:
    """Look for a name in all of a text, as it is or with escapes."""
    text = dump_json(name)
    return any(
        text in line or _has_escaped(name, line)
        for _, lines in iter_blocks(source)
        for line in lines
    )


def _has_escaped(name: str, line: bytes) -> bool:
    row = parsed(line) if any(each in line for each in _ESCAPES) else None
    return isinstance(row, dict) and name in row
