"""Where in the text of a JSON document the places are that JSON Pointers name."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolgauge.contract import Path

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A place in a text.

    Attributes:
        line: From 1.
        column: In characters, from 1.
    """

    line: int
    column: int


@dataclass(slots=True)
class _Branch:
    """One step of the wanted paths: where it is, and the steps below it."""

    offset: int = -1
    below: dict[str, _Branch] = field(default_factory=dict)


@dataclass(slots=True)
class _Open:
    """An array or object that the scan is inside of; ``branch`` is ``None`` where unwanted."""

    branch: _Branch | None
    is_array: bool
    index: int = 0
    key: str | None = None
    key_offset: int = 0


def find_positions(text: str, paths: Iterable[Path]) -> Mapping[Path, Position]:
    r"""Find places in JSON text, in one pass whatever their number.

    A member of an object is found at its key. A path that leads nowhere, as that
    of a missing keyword does, is found at the nearest place above it.

    Args:
        text: One JSON document, known to be well-formed.
        paths: Keys and indices from the root.

    Example:
        >>> find_positions('{\n  "a": [1, 2]}', [("a", 1)])
        {('a', 1): Position(line=2, column=12)}
    """
    wanted = list(dict.fromkeys(paths))
    root = _Branch()
    for path in wanted:
        branch = root
        for step in path:
            branch = branch.below.setdefault(str(step), _Branch())
    _scan(text, root)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return {path: _position(_offset(root, path), starts) for path in wanted}


def _offset(root: _Branch, path: Path) -> int:
    """Return the offset of a path, or of the nearest one above it."""
    branch, found = root, root.offset
    for step in path:
        branch = branch.below[str(step)]
        if branch.offset < 0:
            break
        found = branch.offset
    return max(found, 0)


def _position(offset: int, starts: list[int]) -> Position:
    line = bisect_right(starts, offset)
    return Position(line=line, column=offset - starts[line - 1] + 1)


def _scan(text: str, root: _Branch) -> None:
    """Walk over the tokens and note where the wanted places begin."""
    inside: list[_Open] = []
    for match in _TOKEN.finditer(text):
        sign = match.group()
        if sign in "]}":
            if inside:
                inside.pop()
        elif sign == ",":
            _advance(inside)
        elif sign != ":":
            top = inside[-1] if inside else None
            if top is not None and not top.is_array and top.key is None:
                top.key, top.key_offset = json.loads(sign), match.start()
                continue
            branch = _enter(top, root, match.start())
            if sign in "[{":
                inside.append(_Open(branch, sign == "["))


def _advance(inside: list[_Open]) -> None:
    """Move to the next value after a comma."""
    if inside:
        inside[-1].index += 1
        inside[-1].key = None


def _enter(top: _Open | None, root: _Branch, offset: int) -> _Branch | None:
    """Note where a value begins, if it or something in it is wanted."""
    if top is None:
        branch: _Branch | None = root
    elif top.branch is None:
        return None
    else:
        step = str(top.index) if top.is_array else top.key or ""
        branch = top.branch.below.get(step)
        offset = offset if top.is_array else top.key_offset
    if branch is not None:
        branch.offset = offset
    return branch
