"""What models read of a tool and its schemas, and no value is refused for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from toolgauge.changes.change import Change
from toolgauge.contract import dump_json
from toolgauge.contract.fingerprints import canonical_text
from toolgauge.contract.schema.equality import same
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.contract import Path, Tool


MAX_TEXTS = 50
_MAX_SHOWN_CHARS = 300
_MISSING = object()


def is_unchanged(old: Any, new: Any) -> bool:
    """Tell whether two JSON values are the same but for the order of keys."""
    try:
        return canonical_text(old) == canonical_text(new)
    except (RecursionError, TypeError, ValueError):
        return False


def shown(value: Any) -> str:
    """Write a value for people, cut where it is long."""
    text = dump_json(value).decode()
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"


def text_changes(
    schemas: tuple[Any, Any], bares: tuple[Any, Any], direction: Literal["input", "output"]
) -> list[Change]:
    """Give a notice for each annotation that differs at a place that both schemas have.

    Args:
        schemas: The old one and the new one.
        bares: The same without annotations.
        direction: Which side of a tool they are of.
    """
    found: list[Change] = []
    row: list[tuple[Any, Any, Any, Any, Path]] = [(*schemas, *bares, ())]
    while row:
        here, there, here_bare, there_bare, path = row.pop(0)
        if not isinstance(here, dict) or not isinstance(there, dict):
            continue
        kept = {*here_bare, *there_bare}
        for keyword in sorted({*here, *there} - kept):
            was, now = here.get(keyword, _MISSING), there.get(keyword, _MISSING)
            if was is not now and not same(was, now):
                found.append(_notice(direction, (*path, keyword), was, now))
                if len(found) == MAX_TEXTS:
                    return found
        below = [
            {place.path: place.schema for place in iter_places(each)}
            for each in (here, there, here_bare, there_bare)
        ]
        row += [
            (*(each[steps] for each in below), path + steps)
            for steps in below[0]
            if steps in below[1]
        ]
    return found


def _notice(direction: Literal["input", "output"], path: Path, was: Any, now: Any) -> Change:
    verb = "added" if was is _MISSING else "removed" if now is _MISSING else "changed"
    return Change(
        kind="input-text-changed" if direction == "input" else "output-text-changed",
        severity="notice",
        path=path,
        places=(path,),
        message=f"{path[-1]} {verb}: models read it, no value is refused for it",
    )


def member_changes(old: Tool, new: Tool) -> list[Change]:
    """Give what changed in description, title, annotations and other members."""
    found: list[Change] = []
    if old.description != new.description:
        found.append(
            Change(
                kind="description-changed",
                severity="notice",
                path=("description",),
                message="description changed: models choose tools by it",
            )
        )
    found += [
        Change(
            kind="title-changed" if key == "title" else "metadata-changed",
            severity="notice",
            path=(key,),
            message=f"{key} changed",
        )
        for key in _differing(old.extra, new.extra)
    ]
    annotations = _differing(old.annotations, new.annotations)
    return found + [
        _annotation_change(key, old.annotations, new.annotations) for key in annotations
    ]


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Give the members that only one has, or that hold something else."""
    return [
        key
        for key in sorted({*old, *new})
        if (key in old) != (key in new) or not is_unchanged(old[key], new[key])
    ]


def _annotation_change(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Change:
    """Word one annotation; a promise of harmlessness that is taken back breaks.

    Source: MCP 2025-11-25, ``ToolAnnotations``: clients approve calls by
    ``readOnlyHint`` and ``destructiveHint``. One that is absent there has the worse
    value, yet nobody reads that as a statement: to state it is a change.
    """
    is_broken = (key == "readOnlyHint" and old.get(key) is True) or (
        key == "destructiveHint" and new.get(key) is True
    )
    was, now = (shown(each[key]) if key in each else "(none)" for each in (old, new))
    return Change(
        kind="annotations-changed",
        severity="breaking" if is_broken else "notice",
        path=("annotations", key),
        message=f"{key} was {was} and is {now}"
        + (": who approved the tool, approved something else" if is_broken else ""),
        fix="ask again whoever approved the tool" if is_broken else None,
    )
