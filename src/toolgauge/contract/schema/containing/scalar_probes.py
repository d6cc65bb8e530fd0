"""Texts, numbers and listed values that one schema probably admits and another refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.bare import key_of
from toolgauge.contract.schema.containing.joining import kinds_of, merged
from toolgauge.contract.schema.containing.pattern_samples import pattern_samples
from toolgauge.contract.schema.containing.scalar_specimens import as_mark, numbers, texts
from toolgauge.contract.schema.containing.scalars_proof import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.contract.schema.containing.budget import Budget

_MAX_CHARS = 100_000
_LENGTHS = ("minLength", "maxLength")
_RANGES = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def only_listed(case: dict[str, Any], against: dict[str, Any], budget: Budget) -> list[Any]:
    """Give the values that one side lists and the other does not.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    theirs = values_of(against)
    if theirs is None:
        return []
    budget.spend_on_all([theirs, values_of(case)])
    known = set(map(key_of, theirs))
    return [each for each in values_of(case) or () if key_of(each) not in known]


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
