"""Texts and numbers that a schema probably admits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.pattern_samples import pattern_samples

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.budget import Budget

_MAX_CHARS = 100_000
_CHARS_PER_UNIT = 50
_LEAST, _MOST = 1e-12, 1e15
_MOST_EXACT = 10**40

_FORMATS = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "a@example.com",
    "idn-email": "a@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "/a",
    "iri": "https://example.com/",
    "iri-reference": "/a",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "uri-template": "/{a}",
    "json-pointer": "/a",
    "relative-json-pointer": "0",
    "regex": "^a$",
}


def texts(case: dict[str, Any], budget: Budget) -> list[str]:
    """Give texts that a schema for text probably admits, simplest first.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    low, high = _bound(case, "minLength", 0), _bound(case, "maxLength", _MAX_CHARS)
    pattern, form = case.get("pattern"), case.get("format")
    budget.spend(1 + low // _CHARS_PER_UNIT)
    found: list[str] = []
    if isinstance(pattern, str):
        samples = pattern_samples(pattern, budget)
        found += samples
        found += [each.ljust(low, each[-1:] or "a") for each in samples if len(each) < low]
    if isinstance(form, str) and form in _FORMATS:
        found.append(_FORMATS[form])
    found += ["a" * low, "0" * low, "a" * max(low, min(high, 1))]
    fit = [each for each in found if low <= len(each) <= high]
    return list(dict.fromkeys(fit or found))


def _bound(case: dict[str, Any], keyword: str, default: int) -> int:
    value = case.get(keyword, default)
    return int(min(max(value, 0), _MAX_CHARS)) if isinstance(value, int | float) else default


def as_mark(value: object) -> int | float | None:
    """Give a number to reckon with, exactly where it is whole.

    Returns:
        An integer for a whole number, of 40 digits at most. ``None`` for what is no
        number, and where doubles end.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return value if _LEAST < abs(value) < _MOST else None
    return int(value) if abs(value) < _MOST_EXACT else None


def numbers(case: dict[str, Any], kind: str) -> list[int | float]:
    """Give numbers that a schema for numbers probably admits."""
    step = as_mark(case.get("multipleOf")) or 1
    bounds = [
        (sign, mark, each.startswith("exclusive"))
        for each, sign in _BOUNDS.items()
        if (mark := as_mark(case.get(each))) is not None
    ]
    found: list[int | float] = [0]
    for sign, value, is_open in bounds:
        whole = _multiple(value, step, sign)
        found += [value, whole, whole + sign * step]
        if kind == "number":
            found += [value + sign * step / 2, value + sign * 0.001]
        if is_open:
            found.remove(value)
    fit = [each for each in found if all(_keeps(each, *bound) for bound in bounds)]
    return [each for each in fit if kind == "number" or each == int(each)] or found


_BOUNDS = {"minimum": 1, "exclusiveMinimum": 1, "maximum": -1, "exclusiveMaximum": -1}


def _multiple(mark: float, step: float, sign: int) -> float:
    """Give the multiple of a step that is next to a mark, on the side of the sign."""
    if isinstance(mark, int) and isinstance(step, int):
        return -(-sign * mark // step) * sign * step
    return (math.ceil if sign > 0 else math.floor)(mark / step) * step


def _keeps(number: float, sign: int, value: float, is_open: bool) -> bool:  # noqa: FBT001
    # No difference is taken: that of an integer and a double is rounded.
    return number * sign > value * sign or (number == value and not is_open)
