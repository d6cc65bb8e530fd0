"""Two schemas of one side of a tool, compared by the values that they admit."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from toolgauge.changes.change import Change, Changes, Kind, in_order
from toolgauge.changes.places import differing, mixed_at
from toolgauge.changes.texts import is_unchanged, shown, text_changes
from toolgauge.contract import contains, to_pointer
from toolgauge.contract.schema.containing.alike import bare, sorted_sets
from toolgauge.contract.schema.containing.budget import Budget, TooCostly
from toolgauge.contract.schema.containing.containment import Containment
from toolgauge.contract.schema.containing.modern import aligned
from toolgauge.contract.schema.dialects import dialect_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolgauge.contract import CompiledSchema, Path


Direction: TypeAlias = Literal["input", "output"]

_MAX_BROKEN = 50
"""Most places that are listed as breaking; each is a question of its own."""

_MAX_STEPS = 100
"""Most places that are decided one after the other where all together are not."""


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
    """Return what changed between two schemas, in no order.

    What would take more than the budget is unproven, and says so.
    """
    if is_unchanged(old, new):
        return []
    sides = (old, new) if direction == "input" else (new, old)
    pair = _Pair(*sides, parts=sides, places=(), budget=budget, formats=formats)
    try:
        if any(pair.compile(each).problem is not None for each in sides):
            # No place of a broken schema is looked at: it may not even be JSON.
            return _judged(pair, direction)
        bares = bare(old, formats=formats), bare(new, formats=formats)
        parts = bares if direction == "input" else (bares[1], bares[0])
        if dialect_of(old) is not dialect_of(new):
            # Where two drafts write the same in different words, no place differs by that.
            in_one = aligned(parts[1], parts[0], budget)
            parts = parts if in_one is None else (in_one[1], in_one[0])
        else:
            parts = sorted_sets(parts[0]), sorted_sets(parts[1])
        one, other = parts if direction == "input" else (parts[1], parts[0])
        # What is only written differently is told as such.
        places = differing(one, other, budget) or differing(bares[0], bares[1], budget)
    except TooCostly as error:
        return [_unproven(direction, (), str(error))]
    pair = replace(pair, parts=parts, places=places)
    found = _judged(pair, direction) if places else []
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


@dataclass(frozen=True, slots=True)
class _Pair:
    """What is compared.

    Attributes:
        asked: The schema whose values must be admitted.
        given: The schema that must admit them.
        parts: Both as they are mixed: without annotations, in one dialect where possible.
        places: Where the parts differ.
        budget: What all of it may cost.
        formats: Whether ``format`` is asserted.
    """

    asked: Any
    given: Any
    parts: tuple[Any, Any]
    places: tuple[Path, ...]
    budget: Budget
    formats: bool

    def compile(self, schema: Any) -> CompiledSchema:
        """Compile a schema, within the budget."""
        return self.budget.compile(schema, formats=self.formats)

    def contains(self, bigger: Any, smaller: Any) -> Containment:
        """Compare two schemas, within the budget."""
        return contains(bigger, smaller, formats=self.formats, budget=self.budget)

    def mixed(self, places: Sequence[Path]) -> Any:
        """Return the asked schema with the differences at some places."""
        return mixed_at(*self.parts, places)

    def alone(self, place: Path) -> Containment:
        """Look for a value that the difference at one place alone costs."""
        mixed = self.mixed([place])
        if self.compile(mixed).problem is not None:
            return Containment(answer="unknown")
        found = self.contains(mixed, self.parts[0])
        # Another place may have made up for this one.
        is_lost = found.answer == "no" and self.is_lost(found.witness)
        return found if is_lost or found.answer == "yes" else Containment(answer="unknown")

    def is_lost(self, value: Any) -> bool:
        """Tell whether a value was admitted and no longer is."""
        admits, refuses = self.compile(self.asked), self.compile(self.given)
        return admits.is_valid(value) and not refuses.is_valid(value)

    def reversed(self) -> _Pair:
        """Return the pair for the opposite question."""
        return replace(self, asked=self.given, given=self.asked, parts=self.parts[::-1])


def _judged(pair: _Pair, direction: Direction) -> list[Change]:
    """Return the changes of what is admitted: one, or one for each place that breaks."""
    words = _WORDS[direction]
    forth = pair.contains(pair.given, pair.asked)
    if forth.answer == "unknown" and not forth.reason:
        forth = _in_steps(pair)
    change = _unproven(direction, pair.places, forth.reason)
    if forth.answer == "unknown":
        return [change]
    if forth.answer == "yes":
        return [_eased(change, pair, words)]
    refuses = pair.compile(pair.given)
    broken = _broken(change, blamed(pair, forth.witness), refuses, forth.witness, words)
    return [broken, *_also_broken(broken, pair, words)]


def _in_steps(pair: _Pair) -> Containment:
    """Decide by one difference after the other what is not decided for all of them.

    A value that one of them alone costs, and all together too, is a witness. Where each step
    from the asked schema to the given one admits all that the last one did, so does the last.
    """
    unknown = Containment(answer="unknown")
    places = pair.places
    if not 1 < len(places) <= _MAX_STEPS:
        return unknown
    with suppress(TooCostly):
        for place in places:
            found = pair.alone(place)
            if found.answer == "no":
                return found
        last = pair.parts[0]
        for count in range(1, len(places) + 1):
            here = pair.mixed(places[:count]) if count < len(places) else pair.parts[1]
            if pair.contains(here, last).answer != "yes":
                return unknown
            last = here
        return Containment(answer="yes")
    return Containment(answer="unknown", reason=str(TooCostly()))


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


def _also_broken(first: Change, pair: _Pair, words: _Words) -> list[Change]:
    """Return the other places whose difference alone breaks callers, each with a witness."""
    found: list[Change] = []
    with suppress(TooCostly):
        refuses = pair.compile(pair.given)
        for place in first.places[:_MAX_BROKEN]:
            answer = Containment(answer="yes") if place == first.path else pair.alone(place)
            if answer.answer == "no":
                broken = _broken(first, place, refuses, answer.witness, words)
                found.append(replace(broken, places=()))
    return found


def _eased(change: Change, pair: _Pair, words: _Words) -> Change:
    """Word a change that hurts nobody: is anything new admitted at all?"""
    back = pair.contains(pair.asked, pair.given)
    if back.answer == "yes":
        message = "written differently; the same values are admitted"
        return replace(
            change, kind=words.rewritten, severity="compatible", message=message, fix=None
        )
    path, tail = change.path, ""
    if back.answer == "no":
        path = blamed(pair.reversed(), back.witness)
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


def blamed(pair: _Pair, witness: Any) -> Path:
    """Find the place that makes the given schema refuse what the asked one admits.

    Returns:
        The last of the fewest first places that are enough together, if it is enough alone;
        else the first that is. The first of all where it takes more than the budget to tell.
    """
    places = pair.places

    def is_refused(chosen: Sequence[Path]) -> bool:
        compiled = pair.compile(pair.mixed(chosen))
        if compiled.problem is not None:
            return False
        pair.budget.spend(compiled.cost(witness))
        return not compiled.is_valid(witness)

    with suppress(TooCostly):
        low, high = 0, len(places)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_refused(places[:middle]) else (middle, high)
        likely = places[low : low + 1]
        if likely and (is_refused(likely) or len(places) > _MAX_STEPS):
            return likely[0]
        return next((each for each in places if is_refused([each])), (*likely, *places, ())[0])
    return places[0] if places else ()


def _why(refuses: CompiledSchema, witness: Any) -> str:
    """Say where and why a schema refuses a value."""
    issue = refuses.issues(witness)
    if not issue:
        return ""
    place = to_pointer(issue[0].path)
    return f" ({issue[0].message}{f' at {place}' if place else ''})"
