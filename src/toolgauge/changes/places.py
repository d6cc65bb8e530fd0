"""Where two schemas differ: the smallest places, and the one that a value runs into."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.budget import TooCostly
from toolgauge.contract.schema.equality import same
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.contract import Path
    from toolgauge.contract.schema.containing.budget import Budget

MAX_PLACES = 20
_MISSING = object()


def differing(old: Any, new: Any, budget: Budget) -> tuple[Path, ...]:
    """Give the smallest places where two schemas without annotations differ.

    A place that only one of the schemas has is given as it is there.

    Raises:
        TooCostly: If the comparison takes more than the budget.
    """
    found: list[Path] = []
    for each in _differing(old, new, (), budget):
        found.append(each)
        if len(found) == MAX_PLACES:
            break
    return tuple(dict.fromkeys(found))


def _differing(old: Any, new: Any, path: Path, budget: Budget) -> Iterator[Path]:
    if same(old, new, budget.spend_on):
        return
    if not isinstance(old, dict) or not isinstance(new, dict):
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
            whole = steps[:1] if steps[0] not in old or steps[0] not in new else steps
            yield path + whole
        else:
            yield from _differing(olds[steps], news[steps], path + steps, budget)


def blamed(  # noqa: PLR0913 - both schemas, and what is known of them
    admitting: Any,
    refusing: Any,
    places: Sequence[Path],
    witness: Any,
    budget: Budget,
    *,
    formats: bool,
) -> Path:
    """Find the place that makes the one schema refuse what the other admits.

    Args:
        admitting: The schema that admits the witness.
        refusing: The one that refuses it.
        places: Where they differ.
        witness: The value.
        budget: What that may cost.
        formats: Whether ``format`` is asserted.

    Returns:
        The first place whose difference alone is enough; the first of all where
        it takes several together, or more than the budget to tell.
    """
    try:
        for place in places:
            mixed = mixed_at(admitting, refusing, place)
            compiled = budget.compile(mixed, formats=formats)
            budget.spend(compiled.cost(witness))
            if compiled.problem is None and not compiled.is_valid(witness):
                return place
    except TooCostly:
        pass
    return places[0] if places else ()


def mixed_at(schema: Any, other: Any, place: Path) -> Any:
    """Give a schema that is the other one at one place."""
    return _with(schema, place, _at(other, place))


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
