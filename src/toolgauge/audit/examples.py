"""One call as an example: its arguments to be read, and where in them the fault is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import orjson

from toolgauge.contract import dump_json, parse_json, to_pointer

if TYPE_CHECKING:
    from toolgauge.audit.verdicts import Judged
    from toolgauge.contract import Issue, Path

MAX_EXAMPLE_CHARS = 2_000
"""Most of the arguments that an example shows, in characters."""

_BEFORE = 600
"""So many characters before the place are kept, where something must be cut."""


_MAX_KEPT_BYTES = 16_384
"""Arguments up to this length are kept as they are; longer ones are cut at once."""


Example: TypeAlias = "Kept | dict[str, Any]"
"""An example, kept; or as JSON, as it crosses runs."""


class Kept(NamedTuple):
    """What ``shown_example`` needs, kept at little cost: most examples are never shown.

    Attributes:
        record: The call, without its arguments.
        path: Where in them the fault is.
        text: The arguments as JSON.
    """

    record: Judged
    path: Path
    text: bytes


def kept_example(judged: Judged, issue: Issue) -> Example:
    """Keep a call as an example; where its arguments are long, as it will be shown."""
    arguments = judged.arguments
    if isinstance(arguments, dict | list):
        try:
            text = dump_json(arguments)
        except TypeError:
            return example_of(judged, issue)
        if len(text) <= _MAX_KEPT_BYTES:
            return Kept(judged.without_arguments(), issue.path, text)
    return example_of(judged, issue)


def wire_example(kept: Example) -> dict[str, Any]:
    """Give an example as JSON, still cheap: ``{"record", "at": […], "json"}``, or shown."""
    if isinstance(kept, Kept):
        record, path, text = kept
        return {"record": record.to_json(), "at": list(path), "json": text.decode()}
    return kept


def shown_example(kept: Example) -> dict[str, Any]:
    """Give an example as people see it: see ``example_of``."""
    wire = wire_example(kept)
    if "record" not in wire:
        return wire
    arguments = parse_json(wire["json"], max_depth=_MAX_DEPTH)
    return _shown(wire["record"], arguments, tuple(wire["at"]))


def place_of(kept: Example) -> tuple[str, int, int]:
    """Give the file, line and call that an example is of, for their order."""
    if isinstance(kept, Kept):
        return *kept.record.row, kept.record.call
    record = kept.get("record", kept)
    return record["file"], record["line"], record["call"]


_MAX_DEPTH = 256


def example_of(judged: Judged, issue: Issue) -> dict[str, Any]:
    """Give a record with its arguments, cut around the place that is at fault.

    Returns:
        ``Judged.to_json`` with ``arguments`` (indented JSON, or the text that they
        are), ``at`` (the issue's path), ``mark`` (the place in ``arguments`` as
        ``[first, end]`` in characters, ``None`` where it is not in them),
        ``missing`` (the name of the member that is not there) and ``isCut``.
    """
    return _shown(judged.to_json(), judged.arguments, issue.path)


def _shown(record: dict[str, Any], arguments: Any, path: Path) -> dict[str, Any]:
    text, start, end, missing = _written(arguments, path)
    low = max(0, min(start - _BEFORE, len(text) - MAX_EXAMPLE_CHARS))
    shown = text[low : low + MAX_EXAMPLE_CHARS]
    mark = None
    if start >= 0:
        mark = [start - low, min(end - low, len(shown))]
    return {
        **record,
        "arguments": shown,
        "at": to_pointer(path),
        "mark": mark,
        "missing": missing,
        "isCut": len(shown) < len(text),
    }


def _written(arguments: Any, path: Path) -> tuple[str, int, int, str | None]:
    """Write arguments; give the text, the place's start and end (-1: nowhere), what is missing."""
    if isinstance(arguments, str):
        return arguments, -1, -1, None
    if not isinstance(arguments, dict | list):
        return _json(arguments, 0), -1, -1, None
    parts: list[str] = []
    start, end, missing = _write(arguments, path, 0, parts)
    return "".join(parts), start, end, missing


def _write(value: Any, path: Path, depth: int, parts: list[str]) -> tuple[int, int, str | None]:
    """Write a value in parts; give where the place of ``path`` begins and ends in them.

    Only the way to the place is walked; everything beside it is written at once.
    """
    held = _members(value)
    step = path[0] if path else None
    if step is None or held is None:
        return _whole(value, depth, parts)
    pad = "\n" + "  " * (depth + 1)
    start = end = -1
    missing: str | None = None
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    parts.append(opening)
    for number, (key, each) in enumerate(held):
        parts.append(("," if number else "") + pad)
        if isinstance(key, str):
            parts.append(f"{_json(key, 0)}: ")
        if key == step:
            start, end, missing = _write(each, path[1:], depth + 1, parts)
        else:
            parts.append(_json(each, depth + 1))
    if start < 0:
        # The place is not there: it belongs before the closing bracket.
        start = end = sum(map(len, parts))
        missing = str(step)
    if held:
        parts.append("\n" + "  " * depth)
    parts.append(closing)
    return start, end, missing


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
    return text.replace("\n", "\n" + "  " * depth) if depth else text
