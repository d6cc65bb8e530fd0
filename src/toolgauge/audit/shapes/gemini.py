"""Gemini's contents: ``functionCall`` parts, arguments as an object.

A row is a content, an object with ``contents``, or a response with ``candidates``.

Source: Gemini API, Part: ``{functionCall: {id?, name, args}}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import MISSING, Call, Malformed, Shape
from toolgauge.audit.shapes.members import named_call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.audit.calls import Found
    from toolgauge.contract import Path

_KEYS = ("functionCall", "function_call")
_FEEDBACK = ("promptFeedback", "prompt_feedback")
_REASONS = ("finishReason", "finish_reason")


def read_gemini(row: Any) -> Found | None:
    """Read every ``functionCall`` of a row's contents."""
    if not isinstance(row, dict):
        return None
    contents = list(_contents(row))
    if not contents and not _is_blocked(row):
        return None
    return [
        _call(part[key], (*path, "parts", index, key))
        for content, path in contents
        for index, part in enumerate(content["parts"])
        if isinstance(part, dict)
        for key in _KEYS
        if key in part
    ]


def _contents(row: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Path]]:
    """Find the contents of a row and where they stand."""
    held: list[tuple[Any, Path]] = [(row, ())]
    if isinstance(row.get("contents"), list):
        held += [(each, ("contents", index)) for index, each in enumerate(row["contents"])]
    if isinstance(row.get("candidates"), list):
        held += [
            (each.get("content"), ("candidates", index, "content"))
            for index, each in enumerate(row["candidates"])
            if isinstance(each, dict)
        ]
    for content, path in held:
        if isinstance(content, dict) and isinstance(content.get("parts"), list):
            yield content, path


def _is_blocked(row: dict[str, Any]) -> bool:
    """Tell a response without contents: a filter held them back, or there was no room left."""
    if any(isinstance(row.get(key), dict) for key in _FEEDBACK):
        return True
    candidates = row.get("candidates")
    return (
        isinstance(candidates, list)
        and bool(candidates)
        and all(
            isinstance(each, dict) and any(isinstance(each.get(key), str) for key in _REASONS)
            for each in candidates
        )
    )


def _call(call: Any, path: Path) -> Call | Malformed:
    """Read one call; without arguments it has none, as Gemini writes it."""
    read = named_call(call, path, tool="name", arguments="args")
    if isinstance(read, Call) and (read.arguments is MISSING or read.arguments is None):
        return Call(read.tool, {}, read.path)
    return read


SHAPE = Shape(
    name="gemini",
    title="Gemini contents with functionCall",
    read=read_gemini,
)
