"""Values that one schema probably admits and another refuses, simplest first.

Both schemas are walked side by side, and only where they differ: a difference
six levels down is probed there, and wrapped on the way back up in the least
that the levels above ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.alike import Alike
from toolgauge.contract.schema.containing.budget import Budget
from toolgauge.contract.schema.containing.pattern_samples import pattern_samples
from toolgauge.contract.schema.containing.proofs import values_of
from toolgauge.contract.schema.containing.specimens import (
    Specimens,
    as_mark,
    kinds_of,
    listed,
    mapped,
    merged,
    numbers,
    texts,
)
from toolgauge.contract.schema.equality import identity
from toolgauge.contract.schema.keywords import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator


_MAX_CHARS = 100_000
_LENGTHS = ("minLength", "maxLength")
_RANGES = (*LIMITS, "multipleOf")


def only_listed(case: dict[str, Any], against: dict[str, Any], budget: Budget) -> list[Any]:
    """Give the values that one side lists and the other does not.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    theirs = values_of(against)
    if theirs is None:
        return []
    budget.spend_on_all([theirs, values_of(case)])
    known = set(map(identity, theirs))
    return [each for each in values_of(case) or () if identity(each) not in known]


def text_probes(case: dict[str, Any], against: dict[str, Any], budget: Budget) -> Iterator[str]:
    """Yield texts at and beside every length, and near misses of every pattern.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    named = {k: against[k] for k in ("pattern", "format") if k in against}
    both = merged(case, named, budget)
    own = [text for each in (case, against, both) for text in texts(each, budget)]
    yield from own
    for schema in (case, against):
        for length in around(schema, _LENGTHS):
            for seed in [*own[:2], "a"]:
                yield seed[:length].ljust(length, seed[-1:] or "a")
            for pattern in (case.get("pattern"), against.get("pattern")):
                if isinstance(pattern, str):
                    for seed in pattern_samples(pattern, budget):
                        yield (seed * (length // max(1, len(seed)) + 1))[:length]
                        middle = len(seed) // 2
                        pad = max(0, length - len(seed))
                        yield seed[:middle] + seed[middle : middle + 1] * pad + seed[middle:]
    for seed in own:
        yield from (seed + "!", "!" + seed, seed.upper(), seed.lower(), seed[:-1], seed[1:])
        yield from (seed + "\n", f"{seed}{seed}", f"{seed} {seed}", seed + "0", seed + "a")
    yield from ("", "a", "A", "0", " ", "-", "é", "a b", "!")


def around(schema: dict[str, Any], keywords: tuple[str, ...]) -> list[int]:
    """Give each bound, one less and one more, as counts."""
    found: list[int] = []
    for keyword in keywords:
        value = schema.get(keyword)
        if isinstance(value, int | float) and 0 <= value <= _MAX_CHARS:
            found += [int(value), int(value) - 1, int(value) + 1]
    return [each for each in dict.fromkeys(found) if each >= 0]


def number_probes(
    case: dict[str, Any], against: dict[str, Any], budget: Budget
) -> Iterator[int | float]:
    """Yield the numbers at and beside every boundary, and multiples of every step.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    is_whole = "number" not in kinds_of(case)
    yield from numbers(case, "integer" if is_whole else "number")
    yield from numbers(merged(case, against, budget), "integer" if is_whole else "number")
    steps = _marks([1, 0.5, *(each.get("multipleOf") for each in (case, against))])
    marks = _marks([0, *(each.get(key) for each in (case, against) for key in _RANGES)])
    for step in steps:
        for mark in marks:
            if step > 0:
                yield from (mark, mark + step, mark - step)
                # The multiple of the step that is next to the boundary.
                near = (mark // step) * step
                yield from (near, near + step, near - step)
    if not is_whole:
        yield from (mark + 1 / 3 for mark in marks)
    yield from (1, -1, 10**6, -(10**6))


def _marks(values: list[Any]) -> list[int | float]:
    marks = (as_mark(each) for each in values)
    return list(dict.fromkeys(each for each in marks if each is not None))


_MAX_DEPTH = 10
_MAX_COUNT = 5_000
_MAX_BRANCH_PAIRS = 36
_COUNTS = ("minItems", "maxItems", "minContains", "maxContains")
_SIZES = ("minProperties", "maxProperties")
_PLAIN: tuple[Any, ...] = (None, True, False, 0, 1, -1, 0.5, "", "a", [], {})


class Probes:
    """Probes for two documents.

    Args:
        admitting: The document whose values are wanted.
        refusing: The document that should refuse them.
        is_alike: Whether equal subschemas mean the same in both: two dialects
            may read them differently.
        budget: What making the values may cost; passing it raises ``TooCostly``.
    """

    def __init__(
        self,
        admitting: Any,
        refusing: Any,
        *,
        is_alike: bool = True,
        budget: Budget | None = None,
    ) -> None:
        self._mean_alike = is_alike
        self._budget = Budget() if budget is None else budget
        self._is_alike = Alike(admitting, refusing, self._budget)
        self._admitting = Specimens(admitting, self._budget)
        self._refusing = Specimens(refusing, self._budget)
        self._by_sample: dict[int, tuple[Any, dict[str, Any]]] = {}

    def between(self, one: Any, other: Any, depth: int = 0) -> Iterator[Any]:
        """Yield values for a pair of subschemas that apply to the same place."""
        if depth > _MAX_DEPTH or self._is_spent or self._is_equal(one, other):
            return
        focused = self._focused(one, other)
        if focused is not None:
            yield from self._between(*focused, depth)
        yield from self._between(one, other, depth)

    def _between(self, one: Any, other: Any, depth: int) -> Iterator[Any]:
        cases = self._admitting.cases(one)
        others = self._refusing.cases(other)
        pairs = [(a, b) for a in cases for b in others][:_MAX_BRANCH_PAIRS]
        for case in cases:
            yield self._admitting.of_case(case)
        yield from self._of_refused(one, other)
        for case, against in pairs:
            yield from self._scalars(case, against)
        for case, against in pairs:
            if "object" in kinds_of(case):
                yield from self._objects(case, against, depth)
            if "array" in kinds_of(case):
                yield from self._arrays(case, against, depth)
        yield from _PLAIN

    def _focused(self, one: Any, other: Any) -> tuple[Any, Any] | None:
        """Leave out of both the branches that both have; of those there may be hundreds."""
        one, other = self._admitting.target(one), self._refusing.target(other)
        if not isinstance(one, dict) or not isinstance(other, dict) or not self._mean_alike:
            return None
        made = dict(one), dict(other)
        for keyword in ("allOf", "anyOf", "oneOf"):
            rows = listed(one, keyword), listed(other, keyword)
            if max(map(len, rows)) <= 1:
                continue
            self._budget.spend_on_all(rows)
            marks = [[identity(each) for each in row] for row in rows]
            kept = [
                [
                    each
                    for each, mark in zip(row, mine, strict=True)
                    if mark not in theirs or not self._is_alike(each, each)
                ]
                for row, mine, theirs in zip(rows, marks, map(set, reversed(marks)), strict=True)
            ]
            for side, row, left in zip(made, rows, kept, strict=True):
                # What all must keep counts, too; it comes first, so that the rest has its turns.
                first = [each for each in row if each not in left] if keyword == "allOf" else []
                if left and len(left) < len(row):
                    side[keyword] = [*first, *left]
        return None if made == (one, other) else made

    @property
    def _is_spent(self) -> bool:
        return self._admitting.is_spent or self._refusing.is_spent

    def _is_equal(self, one: Any, other: Any) -> bool:
        is_plain = isinstance(one, bool) or not one
        return (self._mean_alike or is_plain) and self._is_alike(one, other)

    def _of_refused(self, one: Any, other: Any) -> Iterator[Any]:
        """Yield what a ``not`` names, and what satisfies several branches at once."""
        for schema, source in ((one, self._admitting), (other, self._refusing)):
            if not isinstance(schema, dict):
                continue
            parts = [*listed(schema, "anyOf"), *listed(schema, "oneOf")]
            parts += [schema[each] for each in ("not", "if", "then", "else") if each in schema]
            for index, part in enumerate(parts[:_MAX_BRANCH_PAIRS]):
                for case in source.cases(part)[:4]:
                    for base in self._admitting.cases(one)[:4]:
                        yield self._admitting.of_case(merged(base, case, self._budget))
                if index > 0:
                    yield source.one(merged(parts[index - 1], part, self._budget))

    def _scalars(self, case: dict[str, Any], against: dict[str, Any]) -> Iterator[Any]:
        """Yield listed values, and values at and beside every boundary of both sides."""
        yield from only_listed(case, against, self._budget)
        for schema in (case, against):
            yield from values_of(schema) or ()
            yield from listed(schema, "examples")
            if "default" in schema:
                yield schema["default"]
        kinds = kinds_of(case)
        if "string" in kinds:
            yield from text_probes(case, against, self._budget)
        if "integer" in kinds or "number" in kinds:
            yield from number_probes(case, against, self._budget)
        yield from (True, None, False)

    def _arrays(
        self, case: dict[str, Any], against: dict[str, Any], depth: int
    ) -> Iterator[list[Any]]:
        make = self._admitting
        counts = sorted({0, 1, 2, *around(case, _COUNTS), *around(against, _COUNTS)})
        least = len(make.an_array(case, 0))
        for count in counts:
            if count <= _MAX_COUNT:
                found = make.items(case, count, 1)
                yield found
                yield [*found[:1] * count]
        first = [*listed(case, "prefixItems"), *listed(against, "prefixItems")]
        first += [*listed(case, "items"), *listed(against, "items")]
        for index in range(min(len(first), 6) + 1):
            own = make.item_schemas(case, index + 1)[index]
            theirs = self._refusing.item_schemas(against, index + 1)[index]
            for value in self.between(own, theirs, depth + 1):
                filled = make.items(case, max(least, index + 1), 1)
                filled[index] = value
                yield filled
        if "contains" in case or "contains" in against:
            own, theirs = case.get("contains", True), against.get("contains", True)
            for value in self.between(own, theirs, depth + 1):
                yield [value]
                yield [value, value]
            for count in counts[:8]:
                if count <= _MAX_COUNT:
                    yield [make.one(own)] * count
                    yield [self._refusing.one(theirs)] * count

    def _objects(
        self, case: dict[str, Any], against: dict[str, Any], depth: int
    ) -> Iterator[dict[str, Any]]:
        make = self._admitting
        base = make.an_object(case, 1)
        yield base
        own, theirs = mapped(case, "properties"), mapped(against, "properties")
        names = dict.fromkeys([*theirs, *own, *self._extra_names(case, against)])
        members = {name: one for name in names if (one := self._member(case, name)) is not False}
        # What is there or not is cheap to ask; what lies below may use up the steps.
        for name, one in members.items():
            if name in base:
                yield {key: value for key, value in base.items() if key != name}
            if name not in own or name not in theirs or "dependentRequired" in (*case, *against):
                yield {**base, name: make.one(one)}
        for name, one in members.items():
            for value in self.between(one, self._member(against, name), depth + 1):
                yield {**base, name: value}
        yield from self._sizes(case, against, base)
        for part in (against, case):
            yield make.an_object(merged(case, part, self._budget), 1)
            yield {name: make.one(self._member(case, name)) for name in mapped(part, "properties")}
        for holder in (case, against):
            for name in (*mapped(holder, "dependentRequired"), *mapped(holder, "dependencies")):
                yield {**base, name: make.one(self._member(case, name))}

    def _extra_names(self, case: dict[str, Any], against: dict[str, Any]) -> list[str]:
        """Give names that neither side declares, or that only patterns do."""
        names = [*listed(against, "required"), *listed(case, "required")]
        for schema, source in ((case, self._admitting), (against, self._refusing)):
            for pattern in mapped(schema, "patternProperties"):
                names += pattern_samples(pattern, self._budget)
            if isinstance(schema.get("propertyNames"), dict):
                held = schema["propertyNames"]
                names += (values_of(held) or []) + texts(source.cases(held)[0], self._budget)
                names += list(text_probes(held, {}, self._budget))[:30]
        return [each for each in names if isinstance(each, str)] + ["extra", "x-extra", "Extra 1"]

    def _sizes(
        self, case: dict[str, Any], against: dict[str, Any], base: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield objects of as many members as some bound names."""
        make = self._admitting
        for size in sorted({*around(case, _SIZES), *around(against, _SIZES)}):
            names = dict.fromkeys([*base, *mapped(case, "properties")])
            patterns = [
                sample
                for pattern in mapped(case, "patternProperties")
                for sample in pattern_samples(pattern, self._budget)
            ]
            more = [*names, *patterns, *(f"extra{number}" for number in range(min(size, 200)))]
            yield {name: make.one(self._member(case, name)) for name in more[:size]}

    def _member(self, case: dict[str, Any], name: str) -> Any:
        """Give the schema that a member of this name probably has."""
        named = mapped(case, "properties")
        if name in named:
            return named[name]
        sampled = self._sampled(case)
        if name in sampled:
            return sampled[name]
        rest = case.get("additionalProperties", case.get("unevaluatedProperties", True))
        return rest if isinstance(rest, dict | bool) else True

    def _sampled(self, case: dict[str, Any]) -> dict[str, Any]:
        """Give the schemas of patterns by the names that each probably matches."""
        if "patternProperties" not in case:
            return {}
        known = self._by_sample.get(id(case))
        if known is None:
            found: dict[str, Any] = {}
            for pattern, schema in mapped(case, "patternProperties").items():
                for sample in pattern_samples(pattern, self._budget):
                    found.setdefault(sample, schema)
            # The case is kept, so that its id() stays its own.
            known = self._by_sample[id(case)] = case, found
        return known[1]
