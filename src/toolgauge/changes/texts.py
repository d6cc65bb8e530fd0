"""What models read in a schema and no value is refused for: titles, descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from toolgauge.changes.change import Change
from toolgauge.contract.schema.containing.bare import annotations_of, same
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from toolgauge.contract import Path

MAX_TEXTS = 50
_MISSING = object()


def text_changes(
    old: Any, new: Any, direction: Literal["input", "output"], *, formats: bool
) -> list[Change]:
    """Give a notice for each annotation that differs at a place that both schemas have."""
    known = [annotations_of(each, formats=formats) for each in (old, new)]
    keywords = sorted(known[0] & known[1])
    found: list[Change] = []
    row: list[tuple[Any, Any, Path]] = [(old, new, ())]
    while row:
        here, there, path = row.pop(0)
        if not isinstance(here, dict) or not isinstance(there, dict):
            continue
        for keyword in keywords:
            was, now = here.get(keyword, _MISSING), there.get(keyword, _MISSING)
            if was is not now and not same(was, now):
                found.append(_notice(direction, (*path, keyword), was, now))
                if len(found) == MAX_TEXTS:
                    return found
        places = {place.path: place.schema for place in iter_places(there)}
        row += [
            (place.schema, places[place.path], path + place.path)
            for place in iter_places(here)
            if place.path in places
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
