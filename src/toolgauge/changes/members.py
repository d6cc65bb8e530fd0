"""What changed in a tool's definition beside its schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.changes.change import Change
from toolgauge.changes.schemas import is_unchanged, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.contract import Tool

_MISSING = "(none)"


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
    was, now = (shown(each[key]) if key in each else _MISSING for each in (old, new))
    return Change(
        kind="annotations-changed",
        severity="breaking" if is_broken else "notice",
        path=("annotations", key),
        message=f"{key} was {was} and is {now}"
        + (": who approved the tool, approved something else" if is_broken else ""),
        fix="ask again whoever approved the tool" if is_broken else None,
    )
