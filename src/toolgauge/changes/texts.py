"""What models read in a schema and no value is refused for: titles, descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from toolgauge.changes.change import Change
from toolgauge.contract.schema.containing.bare import same
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from toolgauge.contract import Path

MAX_TEXTS = 50
_MISSING = object()


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
