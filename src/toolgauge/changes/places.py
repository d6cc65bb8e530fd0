"""Where two schemas differ, and schemas that are mixed from both."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Final

from toolgauge.contract.schema.document import REFERENCES
from toolgauge.contract.schema.equality import same
from toolgauge.contract.schema.subschemas import iter_places, iter_subschemas, with_subschemas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.contract import Path
    from toolgauge.contract.schema.containing.budget import Budget

_MISSING: Final = object()
_MAPS: Final = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
_HOLDERS: Final = frozenset({"$defs", "definitions"})


def differing(old: Any, new: Any, budget: Budget) -> tuple[Path, ...]:
    """Return the smallest places where two schemas without annotations differ.

    A place that only one of the schemas has is given as it is there. Definitions that only
    one has come last: they matter where something refers to them, which is another place.

    Raises:
        TooCostly: If the comparison takes more than the budget.
    """
    found = list(dict.fromkeys(_differing(old, new, (), budget)))
    return tuple(sorted(found, key=lambda each: _is_definition(each, old, new)))


def _is_definition(place: Path, old: Any, new: Any) -> bool:
    is_one_sided = _MISSING in (_at(old, place), _at(new, place))
    return place == ("$schema",) or (is_one_sided and not _HOLDERS.isdisjoint(place[-2:]))


def _differing(old: Any, new: Any, path: Path, budget: Budget) -> Iterator[Path]:
    if same(old, new, budget.spend_on):
        return
    if not isinstance(old, dict) or not isinstance(new, dict) or _refers_elsewhere(old, new):
        yield path
        return
    olds = {place.path: place.schema for place in iter_places(old)}
    news = {place.path: place.schema for place in iter_places(new)}
    holders = {steps[0] for steps in (*olds, *news)}
    for keyword in dict.fromkeys([*old, *new]):
        if keyword not in holders:
            if not same(old.get(keyword, _MISSING), new.get(keyword, _MISSING), budget.spend_on):
                yield (*path, keyword)
        elif type(old.get(keyword, {})) is not type(new.get(keyword, {})):
            yield (*path, keyword)
    for steps in dict.fromkeys([*olds, *news]):
        if steps not in olds or steps not in news:
            # A keyword that is new as a whole is one place, not one for each branch.
            is_new = steps[0] not in old or steps[0] not in new
            yield path + (steps[:1] if is_new and steps[0] not in _HOLDERS else steps)
        else:
            yield from _differing(olds[steps], news[steps], path + steps, budget)


def _refers_elsewhere(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Tell whether one subschema, below the root, refers to something that the other does not."""
    is_root = not _HOLDERS.isdisjoint((*old, *new))
    return not is_root and any(old.get(each) != new.get(each) for each in REFERENCES)


def mixed_at(schema: Any, other: Any, places: Iterable[Path]) -> Any:
    """Return a schema that is like another one at some places.

    What is taken from the other schema refers to the definitions there: all of it is added
    under a name of its own.
    """
    parts = [(place, _at(other, place)) for place in places]
    # What is taken away comes last, from the end: indices before it stay as they are.
    gone = [place for place, part in parts if part is _MISSING]
    home = _home(schema)
    made, is_held = schema, False
    for place, part in parts:
        if part is not _MISSING:
            moved = _moved_at(place, part, home) if place else part
            is_held |= moved is not part
            made = _with(made, place, moved)
    for place in reversed(gone):
        made = _with(made, place, _MISSING)
    if is_held:
        made = _with(made, ("$defs", home), _moved(_with(other, ("$schema",), _MISSING), home))
    return made


def _home(schema: Any) -> str:
    """Return a name that no definition of a schema has."""
    name = "other"
    taken = schema.get("$defs") if isinstance(schema, dict) else None
    while isinstance(taken, dict) and name in taken:
        name += "-"
    return name


def _moved_at(place: Path, part: Any, home: str) -> Any:
    """Move a subschema, or all subschemas of a keyword."""
    keyword = place[-1]
    is_keyword = isinstance(keyword, str) and _MAPS.isdisjoint(place[-2:-1])
    if not isinstance(part, list) and not (is_keyword and keyword in _MAPS):
        return _moved(part, home)
    holder = {keyword: part}
    made = _moved(holder, home)
    return part if made is holder else made[keyword]


def _moved(part: Any, home: str) -> Any:
    """Return a part of a schema with references that lead below ``$defs/<home>``."""
    if not isinstance(part, dict):
        return part
    if not any(_is_pointer(each.get("$ref")) for each in iter_subschemas(part)):
        return part
    made = with_subschemas(part, lambda each: _moved(each, home))
    if _is_pointer(part.get("$ref")):
        made["$ref"] = f"#/$defs/{home}{part['$ref'][1:]}"
    return made


def _is_pointer(reference: object) -> bool:
    return isinstance(reference, str) and (reference == "#" or reference.startswith("#/"))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return _MISSING
    return value


def _with(value: Any, path: Path, part: Any) -> Any:
    """Give a copy with one place replaced, added or taken away."""
    if not path:
        return part
    step, *rest = path
    made = copy(value)
    if isinstance(made, list) and isinstance(step, int):
        if rest and step < len(made):
            made[step] = _with(made[step], tuple(rest), part)
        else:
            made[step : step + 1] = [] if part is _MISSING else [part]
    elif isinstance(made, dict):
        if rest:
            made[step] = _with(made.get(step, {}), tuple(rest), part)
        elif part is _MISSING:
            made.pop(step, None)
        else:
            made[step] = part
    return made
