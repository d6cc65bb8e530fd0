"""One call as an example: its arguments to be read, and where in them the fault is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from toolgauge.auditing.verdicts import Verdict
from toolgauge.contract import dump_json, parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.auditing.verdicts import Judged
    from toolgauge.contract import Issue, Path

MAX_EXAMPLE_CHARS = 2_000
"""Most of the arguments that an example shows, in characters."""

_BEFORE = 600
"""So many characters before the place are kept, where something must be cut."""

_MAX_DEPTH = 256


class Example(NamedTuple):
    """A call as an example.

    Attributes:
        file, line, call: Which call it is, in the order of examples.
        text: What ``example_of`` gives, as JSON: most examples only travel.
    """

    file: str
    line: int
    call: int
    text: str

    def to_json(self) -> dict[str, Any]:
        """Give it as people see it: see ``example_of``."""
        shown: dict[str, Any] = parse_json(self.text, max_depth=_MAX_DEPTH)
        return shown


def kept_example(judged: Judged, issue: Issue) -> Example:
    """Keep a call as an example."""
    return Example(*judged.row, judged.call, dump_json(example_of(judged, issue)).decode())


def example_of(judged: Judged, issue: Issue) -> dict[str, Any]:
    """Give a record with its arguments, cut around the place that is at fault.

    Returns:
        ``Judged.to_json`` with ``arguments`` (indented JSON, or the text that they
        are), ``at`` (the issue's path), ``mark`` (the place in ``arguments`` as
        ``[first, end]`` in characters, ``None`` where it is not in them),
        ``missing`` (the name of the member that is not there) and ``isCut``. Only of
        ``invalid`` calls does the path lead into the arguments.
    """
    path = issue.path if judged.verdict is Verdict.INVALID else None
    text, start, end, missing = _written(judged.arguments, path)
    low = max(0, min(start - _BEFORE, len(text) - MAX_EXAMPLE_CHARS))
    shown = text[low : low + MAX_EXAMPLE_CHARS]
    mark = None
    if start >= 0:
        mark = [start - low, min(end - low, len(shown))]
    return {
        **judged.to_json(),
        "arguments": shown,
        "at": issue.pointer,
        "mark": mark,
        "missing": missing,
        "isCut": len(shown) < len(text),
    }


def _written(arguments: Any, path: Path | None) -> tuple[str, int, int, str | None]:
    """Write arguments; give the text, the place's start and end (-1: nowhere), what is missing."""
    if isinstance(arguments, str):
        return arguments, -1, -1, None
    if path is None or not isinstance(arguments, dict | list):
        return _json(arguments, 0), -1, -1, None
    parts: list[str] = []
    start, end, missing = _write(arguments, path, 0, parts)
    return "".join(parts), start, end, missing


def _write(value: Any, path: Path, depth: int, parts: list[str]) -> tuple[int, int, str | None]:
    """Write a value in parts; give where the place of ``path`` begins and ends in them.

    Only the way to the place is walked; what is before and after it is written at once.
    """
    held = _members(value)
    step = path[0] if path else None
    if step is None or held is None:
        return _whole(value, depth, parts)
    at = next((index for index, (key, _) in enumerate(held) if key == step), len(held))
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    parts.append(opening + _beside(held[:at], depth))
    if at < len(held):
        key, each = held[at]
        parts.append(("," if at else "") + _start(key, depth))
        start, end, missing = _write(each, path[1:], depth + 1, parts)
        parts.append(("," if held[at + 1 :] else "") + _beside(held[at + 1 :], depth))
    else:
        # The place is not there: it belongs before the closing bracket.
        start = end = sum(map(len, parts))
        missing = str(step)
    if held:
        parts.append("\n" + "  " * depth)
    parts.append(closing)
    return start, end, missing


def _beside(held: Sequence[tuple[str | int, Any]], depth: int) -> str:
    """Write some members of what stands ``depth`` levels deep, each on its line."""
    if not held:
        return ""
    whole = dict(held) if isinstance(held[0][0], str) else [each for _, each in held]
    try:
        text = orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode()
    except TypeError:
        return ",".join(_start(key, depth) + _json(each, depth + 1) for key, each in held)
    return _deeper(text[1:-2], depth)


def _start(key: str | int, depth: int) -> str:
    """Begin the line of a member."""
    name = f"{_json(key, 0)}: " if isinstance(key, str) else ""
    return "\n" + "  " * (depth + 1) + name


def _whole(value: Any, depth: int, parts: list[str]) -> tuple[int, int, None]:
    start = sum(map(len, parts))
    parts.append(_json(value, depth))
    return start, start + len(parts[-1]), None


def _members(value: Any) -> list[tuple[str | int, Any]] | None:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else None


def _json(value: Any, depth: int) -> str:
    """Write a value with indented lines, as it stands ``depth`` levels deep."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except TypeError:
        # Integers past 64 bits, numbers that no double holds, dates of a Parquet column.
        try:
            text = dump_json(value).decode()
        except TypeError:
            return "?"
    return _deeper(text, depth)


def _deeper(text: str, depth: int) -> str:
    return text.replace("\n", "\n" + "  " * depth) if depth else text
