"""Whether the members that the user named are in the input at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.arrow import pa, pq
from toolgauge.audit.errors import MissingColumn, UnreadableInput
from toolgauge.audit.reading import Overlong, iter_lines, reason_of
from toolgauge.audit.units import whole_unit
from toolgauge.contract import InvalidJson, dump_json, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolgauge.audit.inputs import Input

_MAX_SHOWN = 40
_MAX_DEPTH = 128
_ROWS = 200
_ESCAPES = (b"\\u", b"\\/")
"""What a name may be written with that ``dump_json`` writes plainly."""

_LINE_BYTES = 16 * 1024 * 1024


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
        lines = [each for each in inputs if each.kind != "parquet"]
        if not any(_has_member(each, name) for each in lines):
            files = inputs[0].name if len(inputs) == 1 else f"{len(inputs)} files"
            raise MissingColumn(name, files, list(present)[:_MAX_SHOWN])


def _members(source: Input) -> list[str]:
    """Give the members of a file's first rows, or its columns."""
    if source.kind == "parquet":
        try:
            with source.open() as file:
                names: list[str] = pq.read_schema(file).names
        except (OSError, pa.ArrowException) as error:
            raise UnreadableInput(source.name, 0, reason_of(error)) from None
        return names
    found: dict[str, None] = {}
    for lines in iter_lines(whole_unit(source), _LINE_BYTES):
        for line in () if isinstance(lines, Overlong) else lines[:_ROWS]:
            row = _parsed(line)
            if isinstance(row, dict):
                found.update(dict.fromkeys(row))
        break
    return list(found)


def _has_member(source: Input, name: str) -> bool:
    """Look for a name in all of a text, as it is or with escapes."""
    text = dump_json(name)
    for lines in iter_lines(whole_unit(source), _LINE_BYTES):
        if isinstance(lines, Overlong):
            continue
        if any(text in line or _has_escaped(name, line) for line in lines):
            return True
    return False


def _has_escaped(name: str, line: bytes) -> bool:
    if not any(each in line for each in _ESCAPES):
        return False
    row = _parsed(line)
    return isinstance(row, dict) and name in row


def _parsed(line: bytes) -> Any:
    try:
        return parse_json(line, max_depth=_MAX_DEPTH)
    except InvalidJson:
        return None
