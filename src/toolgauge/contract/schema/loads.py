"""What the keywords of one subschema cost beyond a visit, in steps of ten nanoseconds.

Most cost nothing of note, whatever the value. Those that do not are here: patterns,
lists of values to compare with, uniqueness, and multiples of fractions.

Source: measured with jsonschema-rs 0.61 on each keyword alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson

from toolgauge.contract.extent import iter_values
from toolgauge.contract.schema.keywords import LIMITS
from toolgauge.contract.schema.pattern_cost import pattern_cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.schema.pattern_cost import PatternCost

LOADED = frozenset(
    {
        "pattern",
        "patternProperties",
        "format",
        "enum",
        "const",
        "multipleOf",
        *LIMITS,
        "uniqueItems",
        "required",
        "dependentRequired",
        "dependencies",
    }
)
"""Keywords that may cost more than a visit."""

_SEARCHES = 2
"""A text is searched for the verdict, and once more where the value is refused."""

UNIQUE = 5
"""Steps to compare the items of an array, for each byte of it."""

LARGE_NUMBER_STEPS = 32
"""Most steps for each digit of an integer that no machine word holds, in one visit."""

MAX_UNIQUE_BYTES = 8_192
"""Up to so many bytes, comparing such integers with each other costs little."""

_NAME = 3
"""Steps to look up a name in an object."""

_LOOKUP, _LOOKUP_BYTE = 300, 40
"""Steps to look a value up outside of the engine, and more for each byte of it."""

_FEW_NAMES = 20
_FRACTION = 110
_POWER = 5
"""Steps to divide by a fraction, and more for each power of ten in it."""

_COMPARE, _COMPARE_PLACE = 1, 12
_COMPARE_NUMBERS = {int: 11, float: 110}
_LIMIT = 7
"""Steps to compare a number with a limit."""

_FEW_STEPS = 130
"""Up to so many, a keyword costs the same whatever the value."""

_IDN_CHARS, _FORMAT_CHARS = 4, 3

_LENGTHS = (0, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What applying one subschema to one value costs beyond a visit.

    Attributes:
        of_texts: Patterns that are searched for in a text.
        of_names: Patterns that are searched for in each name of an object.
        char_steps: Steps for each character of a text, as ``numerator / 3``.
        of_objects: Steps for an object.
        of_numbers: Steps for a number.
        listed: Steps to compare a value of a class with those of ``enum`` or ``const``.
        is_looked_up: Whether those are so many that ``lookups`` compares.
        is_unique: Whether the items of an array are compared with each other.
    """

    of_texts: tuple[PatternCost, ...] = ()
    of_names: tuple[PatternCost, ...] = ()
    char_steps: int = 0
    of_objects: int = 0
    of_numbers: int = 0
    listed: dict[type, int]
    is_looked_up: bool = False
    is_unique: bool = False
    backtracks: int

    def steps(self, value: object) -> int:
        """Estimate the steps for one value."""
        kind = type(value)
        steps = self.listed.get(kind, 0)
        if isinstance(value, str):
            return steps + self._searching(self.of_texts, len(value)) + self._reading(len(value))
        if isinstance(value, dict):
            steps += self.of_objects + (_LOOKUP_BYTE * _bytes_of(value) if self.is_looked_up else 0)
            return steps + (self._searching_all(self.of_names, value) if self.of_names else 0)
        if isinstance(value, list | tuple):
            per_byte = UNIQUE * self.is_unique + _LOOKUP_BYTE * self.is_looked_up
            return steps + (per_byte * _bytes_of(value) if per_byte else 0)
        return steps + self.of_numbers

    def steps_of_all(self, values: Sequence[Any]) -> int:
        """Estimate the steps for each of several values, in one pass over them."""
        kinds = set(map(type, values))
        if kinds == {str}:
            most = max(map(len, values))
            steps = len(values) * self.listed.get(str, 0) + self._reading(sum(map(len, values)))
            return steps + self._searching_all(self.of_texts, values, most)
        if kinds <= _SCALARS:
            return len(values) * (max(self.listed.values(), default=0) + self.of_numbers) + sum(
                self.steps(each) for each in values if type(each) is str
            )
        return sum(map(self.steps, values))

    def per_byte(self, size: int) -> int:
        """Give the most steps for each byte of any value of up to so many bytes as JSON."""
        steps = max(self.listed.values(), default=0) + self.of_objects + self.of_numbers
        steps += UNIQUE * self.is_unique + _LOOKUP_BYTE * self.is_looked_up
        steps += -(-self.char_steps // _FORMAT_CHARS)
        for patterns in (self.of_texts, self.of_names):
            if patterns:
                steps += _searching_per_byte(patterns, size, self.backtracks)
        return steps

    def _reading(self, chars: int) -> int:
        return chars * self.char_steps // _FORMAT_CHARS

    def _searching(self, patterns: Iterable[PatternCost], chars: int) -> int:
        return _searching(patterns, chars, self.backtracks)

    def _searching_all(
        self, patterns: Sequence[PatternCost], texts: Iterable[str], most: int | None = None
    ) -> int:
        """Estimate a search in each of several texts by their lengths."""
        by_length: dict[int, int] = {}
        for length in map(len, texts):
            by_length[length] = by_length.get(length, 0) + 1
        if len(by_length) * len(patterns) > _MANY_LENGTHS:
            longest = max(by_length) if most is None else most
            return sum(by_length.values()) * self._searching(patterns, longest)
        return sum(times * self._searching(patterns, each) for each, times in by_length.items())


def _searching(patterns: Iterable[PatternCost], chars: int, backtracks: int) -> int:
    return _SEARCHES * sum(each.searching(chars, backtracks) for each in patterns)


@lru_cache(maxsize=4_096)
def _searching_per_byte(patterns: tuple[PatternCost, ...], size: int, backtracks: int) -> int:
    """Give the most steps of a search for each byte of a text of up to so many bytes."""
    most, shortest = 0, 0
    for length in (*(each for each in _LENGTHS[1:] if each < size), size):
        # With the quotes, no text takes less than two bytes.
        most = max(most, _searching(patterns, length, backtracks) // (shortest + 2))
        shortest = length
    return most


_MANY_LENGTHS = 2_000
_SCALARS = frozenset({str, int, float, bool, type(None)})


def load_of(schema: dict[str, Any], bounds: Bounds, *, formats: bool) -> tuple[int, Load | None]:
    """Weigh the keywords of one subschema.

    Returns:
        Steps of each visit, and what may cost much more; ``None`` where nothing does.
    """
    pattern, named = schema.get("pattern"), schema.get("patternProperties")
    of_texts = (pattern_cost(pattern),) if isinstance(pattern, str) else ()
    of_names = tuple(map(pattern_cost, named)) if isinstance(named, dict) else ()
    listed = _listed(schema)
    char_steps = _format_steps(schema.get("format")) if formats else 0
    of_objects, of_numbers = _name_steps(schema), _number_steps(schema)
    is_unique = schema.get("uniqueItems") is True
    own = 1 + 2 * is_unique
    most_listed = max(listed.values(), default=0)
    if most_listed <= _FEW_STEPS:
        own, listed = own + most_listed, {}
    if of_numbers <= _FEW_STEPS:
        own, of_numbers = own + of_numbers, 0
    if not (of_texts or of_names or listed or char_steps or of_objects or of_numbers or is_unique):
        return own, None
    is_looked_up = most_listed > _LOOKUP
    return own, Load(
        of_texts=of_texts,
        of_names=of_names,
        char_steps=char_steps,
        of_objects=of_objects,
        of_numbers=of_numbers,
        listed=dict.fromkeys(listed, _LOOKUP) if is_looked_up else listed,
        is_looked_up=is_looked_up,
        is_unique=is_unique,
        backtracks=bounds.max_pattern_backtracks,
    )


def is_reckoning(schema: dict[str, Any]) -> bool:
    """Tell whether a subschema divides numbers, or compares them with listed ones or each other."""
    if "multipleOf" in schema or "uniqueItems" in schema:
        return True
    values = schema.get("enum")
    listed = values if isinstance(values, list) else []
    return any(type(each) is not str for each in (*listed, schema.get("const", "")))


def _format_steps(name: object) -> int:
    if not isinstance(name, str):
        return 0
    return _IDN_CHARS * _FORMAT_CHARS if name == "idn-hostname" else 1


def _name_steps(schema: dict[str, Any]) -> int:
    """Count the names that are looked up in an object, where these are many."""
    names = 0
    required = schema.get("required")
    if isinstance(required, list):
        names += len(required)
    for keyword in ("dependentRequired", "dependencies"):
        needs = schema.get(keyword)
        if isinstance(needs, dict):
            names += len(needs) + sum(
                len(each) for each in needs.values() if isinstance(each, list)
            )
    return names * _NAME if names > _FEW_NAMES else 0


def _number_steps(schema: dict[str, Any]) -> int:
    """Weigh divisions by a fraction, and limits of many digits."""
    steps = 0
    divisor = schema.get("multipleOf")
    if isinstance(divisor, float | Decimal) and divisor and not _is_whole(divisor):
        steps += _FRACTION + _POWER * abs(Decimal(divisor).adjusted())
    for keyword in (*LIMITS, "multipleOf"):
        limit = schema.get(keyword)
        if limit is not None:
            steps += number_steps(limit) if is_large(limit) else _LIMIT
    return steps


def _is_whole(number: float | Decimal) -> bool:
    return math.isfinite(number) and -(2.0**53) < number < 2.0**53 and number == int(number)


def _listed(schema: dict[str, Any]) -> dict[type, int]:
    """Weigh comparisons with each value that ``enum`` and ``const`` list."""
    values: list[Any] = [schema["const"]] if "const" in schema else []
    if isinstance(schema.get("enum"), list):
        values += schema["enum"]
    kinds = set(map(type, values))
    # The engine looks up a text among texts, and an integer among several.
    if not values or kinds == {str}:
        return {}
    if kinds == {int} and len(values) > 1 and not any(map(is_large, values)):
        return {}
    found: dict[type, int] = {}
    for each in values:
        kind = type(each)
        if kind in _CONTAINERS:
            steps = _COMPARE_PLACE * _places(each)
        elif is_large(each):
            steps = number_steps(each)
        else:
            steps = _COMPARE_NUMBERS.get(kind, _COMPARE)
        found[kind] = found.get(kind, 0) + steps
    numbers = sum(found.get(kind, 0) for kind in _NUMBERS)
    others = len(values) * _COMPARE
    return {
        kind: (numbers if kind in _NUMBERS else found.get(kind, 0)) + others
        for kind in (*_CHEAP, *_NUMBERS, *_CONTAINERS)
    }


_CHEAP = (str, bool, type(None), int)
_NUMBERS = (int, float, Decimal)
_CONTAINERS = (dict, list)


def is_large(number: Any) -> bool:
    """Tell whether a number is one that no machine word holds."""
    kind = type(number)
    return kind is Decimal or (kind is int and number.bit_length() > 64)  # noqa: PLR2004


def number_steps(number: Any) -> int:
    """Estimate one use of a number that no machine word holds."""
    digits = digits_of(number)
    return 150 + 4 * digits + digits * digits // 200


def digits_of(number: Any) -> int:
    """Count the digits of a number that no machine word holds, written without an exponent."""
    if isinstance(number, Decimal):
        exponent = number.as_tuple().exponent
        places = abs(exponent) if isinstance(exponent, int) else 0
        return max(abs(number.adjusted()), places, len(number.as_tuple().digits))
    return int(number.bit_length() * 0.30103) + 1


def _places(value: Any) -> int:
    """Count the places of a value."""
    return sum(1 for _ in iter_values(value))


def _bytes_of(value: Any) -> int:
    try:
        return len(orjson.dumps(value))
    except TypeError:
        return 16 * _places(value)
