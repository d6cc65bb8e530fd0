"""Does one schema admit every value that another admits?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

import jsonschema_rs

from toolgauge.contract.bounds import DEFAULT_BOUNDS, Bounds
from toolgauge.contract.jsontext import bounded_size
from toolgauge.contract.schema.containing.alike import bare
from toolgauge.contract.schema.containing.budget import Budget, TooCostly
from toolgauge.contract.schema.containing.modern import aligned
from toolgauge.contract.schema.containing.probes import Probes
from toolgauge.contract.schema.containing.proofs import Proof
from toolgauge.contract.schema.containing.specimens import Specimens, as_mark
from toolgauge.contract.schema.dialects import dialect_of
from toolgauge.contract.schema.equality import same
from toolgauge.contract.schema.patterns import pattern_options, with_engine_patterns
from toolgauge.contract.schema.subschemas import iter_places, iter_subschemas
from toolgauge.contract.schema.work import survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolgauge.contract.schema.dialects import Dialect
    from toolgauge.contract.schema.engine import CompiledSchema


MAX_CANDIDATES = 2_000
"""Most values tried to find one that only the smaller schema admits."""

_MAX_MEMBERS = 200_000
"""Most members and items of all values tried together."""

_MAX_READ = 100_000_000
"""Characters of both schemas, times the values held against them."""

_FEWEST_CANDIDATES = 50
_MAX_NESTING = 1_000

_MAX_CANONICAL = 80
"""Canonical forms of objects grow with the square of their properties: 200 that
are optional take two seconds. Larger schemas are proven in parts."""

_MAX_CANONICAL_COST = 20_000
"""The sum of the squares of the sizes of all canonical forms of one question."""

_PER_CANONICAL = 8
"""Units of work for each unit of that sum."""

_PER_SUBSCHEMA = 10
_MAX_COUNTED = 1_000
_MAX_PATTERN_CHARS = 300
_COUNTS = frozenset({"minItems", "minContains", "minProperties"})
_SIZED = _COUNTS | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_REPEATED = re.compile(r"\d{3,}\}")
"""A repetition of a hundred and more."""

_DRAFT_4 = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """The answer to "does ``bigger`` admit all that ``smaller`` admits?".

    Attributes:
        answer: ``"yes"`` is proven; ``"no"`` comes with a witness; ``"unknown"``
            is neither, and must never be read as ``"yes"``.
        witness: For ``"no"``: a value that ``smaller`` admits and ``bigger``
            refuses, asked of the engine. ``None`` may be the JSON value null.
        reason: For ``"unknown"``: why, where more is known than that nothing was
            found.
    """

    answer: Literal["yes", "no", "unknown"]
    witness: Any = None
    reason: str = ""


def contains(
    bigger: Any,
    smaller: Any,
    *,
    formats: bool = False,
    bounds: Bounds = DEFAULT_BOUNDS,
    budget: Budget | None = None,
) -> Containment:
    """Compare two schemas by the values that they admit.

    Args:
        bigger: JSON Schema as parsed JSON.
        smaller: The same. One that is broken admits nothing, but is
            answered with ``"unknown"``: nobody means to compare with that.
        formats: Whether ``format`` is asserted (decision X4).
        bounds: Limits on schemas, as for ``compile_schema``.
        budget: What is left of the work that a comparison may cost, ``None`` for
            a budget of its own. What would pass it is answered with ``"unknown"``.

    Example:
        >>> contains({"type": "number"}, {"type": "integer"}).answer
        'yes'
        >>> contains({"type": "integer"}, {"type": "number"})
        Containment(answer='no', witness=0.5, reason='')
    """
    question = _Question(bigger, smaller, formats, bounds, budget or Budget())
    try:
        return question.answer()
    except TooCostly as error:
        return Containment(answer="unknown", reason=str(error))


class _Question:
    """One pair, and the ways to find an answer: the cheap ones come first."""

    def __init__(
        self,
        bigger: Any,
        smaller: Any,
        formats: bool,  # noqa: FBT001
        bounds: Bounds,
        budget: Budget,
    ) -> None:
        self._bigger, self._smaller = bigger, smaller
        self._formats, self._bounds = formats, bounds
        self._budget = budget
        self._canonical_cost = 0
        self._most = MAX_CANDIDATES
        self._aligned: tuple[Any, Any, Dialect] | None = None

    def answer(self) -> Containment:
        admits, refuses = map(self._compiled, (self._smaller, self._bigger))
        if admits.problem is not None:
            return Containment(answer="unknown", reason=admits.problem.message)

        self._most = _most_candidates(self._bigger, self._smaller)

        def is_witness(value: object) -> bool:
            self._budget.spend(admits.cost(value) + refuses.cost(value))
            return admits.verdict(value) is True and refuses.verdict(value) is False

        if refuses.problem is None:
            big, small = (
                bare(each, formats=self._formats) for each in (self._bigger, self._smaller)
            )
            self._aligned = aligned(big, small, self._budget)
        if self._is_proven(with_leaves=False):
            return Containment(answer="yes")
        # Of a broken schema nothing is walked: it may not even be JSON.
        pair = self._smaller, self._bigger if refuses.problem is None else False
        if self._aligned is not None and dialect_of(pair[0]) is not dialect_of(pair[1]):
            pair = self._aligned[1], self._aligned[0]
        probes = Probes(*pair, is_alike=self._aligned is not None, budget=self._budget)
        found = self._first(probes.between(*pair), is_witness)
        if found is None and self._aligned is not None:
            if self._is_proven(with_leaves=True):
                return Containment(answer="yes")
            found = self._first(self._of_difference(*self._aligned), is_witness)
        if found is not None:
            return Containment(answer="no", witness=_shrunk(found[0], is_witness))
        reason = refuses.problem.message if refuses.problem is not None else ""
        return Containment(answer="unknown", reason=reason)

    def _compiled(self, schema: Any) -> CompiledSchema:
        return self._budget.compile(schema, formats=self._formats, bounds=self._bounds)

    def _first(
        self, candidates: Iterator[Any], is_witness: Callable[[object], bool]
    ) -> tuple[Any] | None:
        """Give the first candidate that is a witness, in a tuple: it may be ``None``."""
        left = _MAX_MEMBERS
        for each in islice(candidates, self._most):
            if is_witness(each):
                return (each,)
            left -= len(each) if isinstance(each, dict | list) else 1
            if left < 0:
                break
        return None

    @cached_property
    def _is_local(self) -> bool:
        """Whether every reference can be followed by hand."""
        pair = (self._aligned or ())[:2]
        for each in pair:
            for subschema in iter_subschemas(each):
                self._budget.spend(_PER_SUBSCHEMA + len(subschema))
        return all(survey(each, self._bounds).is_self_contained for each in pair)

    def _is_proven(self, *, with_leaves: bool) -> bool:
        if self._aligned is None:
            return False
        big, small, dialect = self._aligned
        if same(big, small, self._budget.spend_on):
            return True
        if not self._is_local:
            return False
        if dialect.number <= _DRAFT_4:
            return with_leaves and self._covers(self._bigger, self._smaller, dialect)

        def leaf(one: Any, other: Any) -> bool:
            return with_leaves and self._covers(one, other, dialect)

        return Proof(big, small, dialect, leaf, self._budget).succeeds() or (
            with_leaves and self._covers(big, small, dialect)
        )

    def _covers(self, one: Any, other: Any, dialect: Dialect) -> bool:
        big = self._canonical(one, dialect)
        small = None if big is None else self._canonical(other, dialect)
        if big is None or small is None:
            return False
        try:
            return big.covers(small) == jsonschema_rs.canonical.Containment.YES
        except ValueError:
            return False

    def _canonical(self, schema: Any, dialect: Dialect) -> jsonschema_rs.CanonicalSchema | None:
        size = _size(schema)
        self._canonical_cost += size * size
        if size > _MAX_CANONICAL or self._canonical_cost > _MAX_CANONICAL_COST:
            return None
        self._budget.spend(_PER_CANONICAL * size * size)
        try:
            return jsonschema_rs.canonicalize(
                with_engine_patterns(schema),
                draft=dialect.accepts_number,
                validate_formats=self._formats,
                pattern_options=pattern_options(self._bounds),
                offline=True,
            )
        except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError):
            return None

    def _of_difference(self, big: Any, small: Any, dialect: Dialect) -> Iterator[Any]:
        """Yield values of the canonical difference, where there is one."""
        pair = self._canonical(small, dialect), self._canonical(big, dialect)
        if pair[0] is None or pair[1] is None:
            return
        try:
            difference = pair[0].subtract(pair[1]).to_json_schema()
        except ValueError:
            return
        make = Specimens(difference, self._budget)
        for case in make.cases(difference):
            yield make.of_case(case)
        probes = Probes(difference, big, budget=self._budget)
        yield from probes.between(difference, big)


def _shrunk(value: Any, shows: Callable[[object], bool]) -> Any:
    """Shrink a witness, or give it as it is where that is too costly."""
    try:
        return shrunk(value, shows)
    except TooCostly:
        return value


def _most_candidates(*schemas: Any) -> int:
    """Tell how many values may be held against both: long lists make that slow."""
    sizes = (bounded_size(each, _MAX_NESTING) for each in schemas)
    chars = sum(1 if each is None else each for each in sizes)
    return max(_FEWEST_CANDIDATES, min(MAX_CANDIDATES, _MAX_READ // max(1, chars)))


def _size(schema: Any) -> int:
    """Count subschemas, up to just past as many as a canonical form may have."""
    count, row = 1, [schema]
    while row and count <= _MAX_CANONICAL:
        here = row.pop()
        below = [place.schema for place in iter_places(here)] if isinstance(here, dict) else []
        count += len(below) + (_weight(here) if isinstance(here, dict) else 0)
        row += below
    return count


def _weight(schema: dict[str, Any]) -> int:
    """Rate what makes canonical forms slow beside subschemas: lists, counts, repetition."""
    listed = [schema.get("enum"), schema.get("required")]
    for keyword in ("dependentRequired", "dependencies"):
        needed = schema.get(keyword)
        listed += needed.values() if isinstance(needed, dict) else ()
    lists = sum(len(each) for each in listed if isinstance(each, list)) // _PER_SUBSCHEMA
    for each in _SIZED & schema.keys():
        value = schema[each]
        is_large = value > _MAX_COUNTED if each in _COUNTS else as_mark(value) is None
        if is_large and not isinstance(value, bool):
            return _MAX_CANONICAL
    pattern = schema.get("pattern", "")
    is_heavy = len(pattern) > _MAX_PATTERN_CHARS or _REPEATED.search(pattern) is not None
    return lists + (_MAX_CANONICAL if is_heavy else 0)


_MAX_TRIES = 200
_MAX_DEPTH = 12
_WIDE = 64
"""Members and items of which several are left out at once."""


def shrunk(value: Any, shows: Callable[[object], bool]) -> Any:
    """Leave out members and items for as long as ``shows`` stays true.

    Args:
        value: Parsed JSON; it is not changed.
        shows: Whether a value still shows what is to be shown.
    """
    left = _MAX_TRIES
    while True:
        for each in _smaller(value, 0):
            left -= 1 + (len(each) // _WIDE if isinstance(each, dict | list) else 0)
            if left < 0:
                return value
            if shows(each):
                value = each
                break
        else:
            return value


def _smaller(value: Any, depth: int) -> Iterator[Any]:
    """Yield copies with one member, item or level less, outer ones first."""
    if depth <= _MAX_DEPTH and isinstance(value, dict):
        yield from _smaller_map(value, depth)
    elif depth <= _MAX_DEPTH and isinstance(value, list):
        yield from _smaller_list(value, depth)


def _smaller_map(value: dict[str, Any], depth: int) -> Iterator[Any]:
    # Of a value that holds its like, the innermost shows as much.
    yield from (each for each in value.values() if isinstance(each, dict))
    for few in _parts(list(value)):
        yield {name: value[name] for name in few}
    for key in value:
        yield {name: each for name, each in value.items() if name != key}
    for key, each in value.items():
        for less in _smaller(each, depth + 1):
            yield {**value, key: less}


def _smaller_list(value: list[Any], depth: int) -> Iterator[Any]:
    yield from _parts(value)
    for index in range(len(value)):
        yield value[:index] + value[index + 1 :]
    for index, each in enumerate(value):
        for less in _smaller(each, depth + 1):
            yield [*value[:index], less, *value[index + 1 :]]


def _parts(entries: list[Any]) -> Iterator[list[Any]]:
    """Yield a wide row without one of its halves, quarters or eighths."""
    if len(entries) > _WIDE:
        for size in (len(entries) // 2, len(entries) // 4, len(entries) // 8):
            for start in range(0, len(entries), size):
                yield entries[:start] + entries[start + size :]
