"""Keywords that hold a number, or the size of something, against a limit."""

from __future__ import annotations

import operator
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.explain.scalars import is_number
from toolgauge.contract.schema.loads import is_large, number_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sized

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.walk import Check, Terms, Walk

_STEPS_PER_KEYWORD = 200
"""Steps of ten nanoseconds that looking at one keyword takes."""

_LESS = " is less than the minimum of "
_NOT_MORE = " is less than or equal to the minimum of "
_MORE = " is greater than the maximum of "
_NOT_LESS = " is greater than or equal to the maximum of "


def minimum(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a number below the minimum; in draft-04 ``exclusiveMinimum`` is a flag."""
    if schema.get("exclusiveMinimum") is True:
        return _number("minimum", want, operator.le, _NOT_MORE)
    return _number("minimum", want, operator.lt, _LESS)


def maximum(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a number above the maximum; in draft-04 ``exclusiveMaximum`` is a flag."""
    if schema.get("exclusiveMaximum") is True:
        return _number("maximum", want, operator.ge, _NOT_LESS)
    return _number("maximum", want, operator.gt, _MORE)


def exclusive_minimum(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a number that is not above the limit."""
    return _number("exclusiveMinimum", want, operator.le, _NOT_MORE)


def exclusive_maximum(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a number that is not below the limit."""
    return _number("exclusiveMaximum", want, operator.ge, _NOT_LESS)


def _number(keyword: str, want: Any, is_wrong: Callable[[Any, Any], bool], words: str) -> Check:
    words = f"{words}{want!r}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if is_number(value) and is_wrong(value, want):
            walk.note(path, keyword, value, words)

    return check


def multiple_of(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a number that is no multiple, counted in decimal as it is written.

    Source: JSON Schema core 2020-12 section 4.2.1: numbers are decimal values,
    so 19.99 is a multiple of 0.01 although the two doubles disagree.
    """
    exact = _exact(want)
    words = f" is not a multiple of {want}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not is_number(value):
            return
        if is_large(value):
            walk.spend(number_steps(value) // _STEPS_PER_KEYWORD)
        if (_exact(value) / exact).denominator != 1:
            walk.note(path, "multipleOf", value, words)

    return check


def _exact(number: float | Decimal) -> Fraction:
    """Read a number as the decimal that its shortest form writes."""
    return Fraction(Decimal(repr(number)) if isinstance(number, float) else number)


def min_length(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a text with too few characters."""
    return _at_least("minLength", (str,), want, "is too short")


def max_length(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a text with too many characters."""
    return _at_most("maxLength", (str,), want, "is too long")


def min_items(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note an array with too few items."""
    return _at_least("minItems", (list, tuple), want, "is too short")


def max_items(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note an array with too many items."""
    return _at_most("maxItems", (list, tuple), want, "is too long")


def min_properties(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note an object with too few members."""
    return _at_least("minProperties", (dict,), want, "does not have enough properties")


def max_properties(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note an object with too many members."""
    return _at_most("maxProperties", (dict,), want, "has too many properties")


def _at_least(keyword: str, kinds: tuple[type[Sized], ...], want: Any, otherwise: str) -> Check:
    words = f" {'should be non-empty' if want == 1 else otherwise}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, kinds) and len(value) < want:
            walk.note(path, keyword, value, words)

    return check


def _at_most(keyword: str, kinds: tuple[type[Sized], ...], want: Any, otherwise: str) -> Check:
    words = f" {'is expected to be empty' if want == 0 else otherwise}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, kinds) and len(value) > want:
            walk.note(path, keyword, value, words)

    return check
