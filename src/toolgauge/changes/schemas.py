"""Two schemas of one side of a tool, compared by the values that they admit."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from toolgauge.changes.change import Change, Changes, Kind, in_order
from toolgauge.changes.texts import is_unchanged, shown, text_changes
from toolgauge.contract import contains, to_pointer
from toolgauge.contract.schema.containing.alike import bare
from toolgauge.contract.schema.containing.budget import Budget, TooCostly
from toolgauge.contract.schema.equality import same
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolgauge.contract import CompiledSchema, Path


Direction: TypeAlias = Literal["input", "output"]

_MAX_BROKEN = 8
"""Each place is a question of its own."""


class _Words(NamedTuple):
    """How one direction calls what can happen."""

    broken: Kind
    eased: Kind
    rewritten: Kind
    unproven: Kind
    break_words: str
    ease_words: str
    fix: str


_WORDS: Final[Mapping[Direction, _Words]] = {
    "input": _Words(
        "input-narrowed",
        "input-widened",
        "input-rewritten",
        "input-unproven",
        "the new schema refuses what the old one admits",
        "the new schema admits all that the old one does",
        "keep admitting what was admitted, or give the changed tool a new name",
    ),
    "output": _Words(
        "output-widened",
        "output-narrowed",
        "output-rewritten",
        "output-unproven",
        "the new schema admits results that the old one does not",
        "whatever the new schema admits, the old one does too",
        "keep to the old results, or give the changed tool a new name",
    ),
}


def compare_schemas(
    old: Any, new: Any, *, direction: Direction = "input", formats: bool = False
) -> Changes:
    """Compare two schemas by the values that they admit.

    For an input the callers write the values, and the new schema must admit all
    that the old one does. For an output they read them, and it is the other way
    round: a wider output breaks.

    Args:
        old: JSON Schema as parsed JSON.
        new: The same.
        direction: ``"input"`` or ``"output"``.
        formats: Whether ``format`` is asserted (decision X4); where it is not, a
            changed format is a notice.

    Example:
        >>> changes = compare_schemas({"type": "string"}, {"type": "string", "minLength": 1})
        >>> changes.verdict, changes.changes[0].pointer, changes.changes[0].witness
        ('breaking', '/minLength', '')
    """
    return in_order(schema_changes(old, new, direction, Budget(), formats=formats))


def schema_changes(
    old: Any, new: Any, direction: Direction, budget: Budget, *, formats: bool
) -> list[Change]:
    """Give what changed between two schemas, in no order.

    What would take more than the budget is unproven, and says so.
    """
    if is_unchanged(old, new):
        return []
    try:
        if any(budget.compile(each, formats=formats).problem is not None for each in (old, new)):
            # No place of a broken schema is looked at: it may not even be JSON.
            return _judged(old, new, direction, (), budget, formats=formats)
        bares = bare(old, formats=formats), bare(new, formats=formats)
        places = differing(*bares, budget)
    except TooCostly as error:
        return [_unproven(direction, (), str(error))]
    found = _judged(old, new, direction, places, budget, formats=formats) if places else []
    return found + text_changes((old, new), bares, direction)


def _unproven(direction: Direction, places: tuple[Path, ...], reason: str) -> Change:
    return Change(
        kind=_WORDS[direction].unproven,
        severity="unproven",
        path=places[0] if places else (),
        places=places,
        message=reason or "neither a value that breaks nor a proof that none does was found",
        fix="look at the places that differ; treat it as breaking until it is clear",
    )


def _judged(  # noqa: PLR0913 - both schemas, and what is known of them
    old: Any,
    new: Any,
    direction: Direction,
    places: tuple[Path, ...],
    budget: Budget,
    *,
    formats: bool,
) -> list[Change]:
    """Give the one change of what is admitted."""
    words = _WORDS[direction]
    asked, given = (old, new) if direction == "input" else (new, old)
    forth = contains(given, asked, formats=formats, budget=budget)
    change = _unproven(direction, places, forth.reason)
    if forth.answer == "unknown":
        return [change]
    if forth.answer == "yes":
        return [_eased(change, asked, given, words, budget, formats=formats)]
    path = blamed(asked, given, places, forth.witness, budget, formats=formats)
    refuses = budget.compile(given, formats=formats)
    broken = _broken(change, path, refuses, forth.witness, words)
    try:
        more = _also_broken(broken, asked, given, words, budget, formats=formats)
    except TooCostly:
        more = []
    return [broken, *more]


def _broken(
    change: Change, path: Path, refuses: CompiledSchema, witness: Any, words: _Words
) -> Change:
    """Word a change that hurts, with the value that shows it."""
    return replace(
        change,
        kind=words.broken,
        severity="breaking",
        path=path,
        message=f"{words.break_words}: {shown(witness)}{_why(refuses, witness)}",
        has_witness=True,
        witness=witness,
        fix=words.fix,
    )


def _also_broken(  # noqa: PLR0913 - both schemas, and what is known of them
    first: Change, asked: Any, given: Any, words: _Words, budget: Budget, *, formats: bool
) -> list[Change]:
    """Give the other places whose difference alone breaks callers, each with a witness."""
    found: list[Change] = []
    refuses = budget.compile(given, formats=formats)
    for place in first.places[:_MAX_BROKEN]:
        if place == first.path:
            continue
        mixed = mixed_at(asked, given, place)
        if budget.compile(mixed, formats=formats).problem is not None:
            continue
        answer = contains(mixed, asked, formats=formats, budget=budget)
        # Another place may have made up for this one.
        if answer.answer == "no" and not refuses.is_valid(answer.witness):
            broken = _broken(first, place, refuses, answer.witness, words)
            found.append(replace(broken, places=()))
    return found


def _eased(  # noqa: PLR0913 - both schemas, and what is known of them
    change: Change, asked: Any, given: Any, words: _Words, budget: Budget, *, formats: bool
) -> Change:
    """Word a change that hurts nobody: is anything new admitted at all?"""
    back = contains(asked, given, formats=formats, budget=budget)
    if back.answer == "yes":
        message = "written differently; the same values are admitted"
        return replace(
            change, kind=words.rewritten, severity="compatible", message=message, fix=None
        )
    path, tail = change.path, ""
    if back.answer == "no":
        path = blamed(given, asked, change.places, back.witness, budget, formats=formats)
        tail = f"; only one of them admits {shown(back.witness)}"
    return replace(
        change,
        kind=words.eased,
        severity="compatible",
        path=path,
        message=words.ease_words + tail,
        has_witness=back.answer == "no",
        witness=back.witness,
        fix=None,
    )


def _why(refuses: CompiledSchema, witness: Any) -> str:
    """Say where and why a schema refuses a value."""
    issue = refuses.issues(witness)
    if not issue:
        return ""
    place = to_pointer(issue[0].path)
    return f" ({issue[0].message}{f' at {place}' if place else ''})"


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
