"""Keywords that look at one value: type, enum, numbers, strings."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import parse_json

if TYPE_CHECKING:
    from toolgauge.contract.schema.explain.walk import At, Walk


_CLASSES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "object": dict,
    "array": (list, tuple),
    "boolean": bool,
    "null": type(None),
}


def is_number(value: object) -> bool:
    """Tell whether a value is a JSON number; ``True`` is none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def is_equal(one: Any, two: Any) -> bool:
    """Compare as JSON does: ``1`` equals ``1.0``, and ``True`` equals neither."""
    if isinstance(one, dict) and isinstance(two, dict):
        return len(one) == len(two) and all(
            key in two and is_equal(each, two[key]) for key, each in one.items()
        )
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        return len(one) == len(two) and all(map(is_equal, one, two))
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    return bool(one == two)


def type_(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a value of another type."""
    if isinstance(want, str) and isinstance(value, _CLASSES.get(want, ())):
        return
    names = [want] if isinstance(want, str) else want
    integral = walk.terms.dialect.number > 4  # noqa: PLR2004 - 1.0 is an integer from draft-06 on
    for name in names:
        if is_type(value, name, integral=integral):
            return
    listed = ", ".join([repr(name) for name in names])
    hint = _stringified(value, names) if isinstance(value, str) else None
    walk.add(at.path, f"{value!r} is not of type {listed}", "type", hint=hint)


def _stringified(text: str, names: list[str]) -> str | None:
    """Notice JSON in a text where the schema wants the array or object itself.

    Some models write nested arguments so. The value stays refused: whether a
    text should be parsed is not ours to guess.
    """
    for name, opening in (("object", "{"), ("array", "[")):
        if name in names and text.lstrip().startswith(opening):
            try:
                parsed = parse_json(text)
            except InvalidJson:
                return None
            if is_type(parsed, name):
                return f"stringified {name}: pass the {name} itself, not its JSON as text"
    return None


def is_type(value: object, name: str, *, integral: bool = True) -> bool:
    """Tell whether a value has a JSON Schema type.

    Args:
        value: Parsed JSON.
        name: ``"integer"``, …
        integral: Whether a number without a fraction, such as ``1.0``, is an integer.
    """
    if name == "integer":
        return is_integer(value, integral=integral)
    if name == "number":
        return is_number(value)
    return isinstance(value, _CLASSES.get(name, ()))


def is_integer(value: object, *, integral: bool = True) -> bool:
    """Tell whether a number has no fraction."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    if isinstance(value, float):
        return integral and value.is_integer()
    return isinstance(value, Decimal) and integral and value == value.to_integral_value()


def enum(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a value that is none of those listed."""
    if isinstance(value, str) and value in want:
        return
    walk.spend(len(want) // 8)
    if not any(is_equal(each, value) for each in want):
        walk.add(at.path, f"{value!r} is not one of {want!r}", "enum")


def const(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a value that is not the one allowed."""
    if not is_equal(value, want):
        walk.add(at.path, f"{want!r} was expected", "const")


def minimum(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a number below the minimum; in draft-04 ``exclusiveMinimum`` is a flag."""
    if not is_number(value):
        return
    if at.schema.get("exclusiveMinimum") is True:
        if value <= want:
            words = f"{value!r} is less than or equal to the minimum of {want!r}"
            walk.add(at.path, words, "minimum")
    elif value < want:
        walk.add(at.path, f"{value!r} is less than the minimum of {want!r}", "minimum")


def maximum(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a number above the maximum; in draft-04 ``exclusiveMaximum`` is a flag."""
    if not is_number(value):
        return
    if at.schema.get("exclusiveMaximum") is True:
        if value >= want:
            words = f"{value!r} is greater than or equal to the maximum of {want!r}"
            walk.add(at.path, words, "maximum")
    elif value > want:
        walk.add(at.path, f"{value!r} is greater than the maximum of {want!r}", "maximum")


def exclusive_minimum(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a number that is not above the limit."""
    if is_number(value) and value <= want:
        words = f"{value!r} is less than or equal to the minimum of {want!r}"
        walk.add(at.path, words, "exclusiveMinimum")


def exclusive_maximum(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a number that is not below the limit."""
    if is_number(value) and value >= want:
        words = f"{value!r} is greater than or equal to the maximum of {want!r}"
        walk.add(at.path, words, "exclusiveMaximum")


def multiple_of(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a number that is no multiple, counted in decimal as it is written.

    Source: JSON Schema core 2020-12 section 4.2.1: numbers are decimal values,
    so 19.99 is a multiple of 0.01 although the two doubles disagree.
    """
    if is_number(value) and (_exact(value) / _exact(want)).denominator != 1:
        walk.add(at.path, f"{value!r} is not a multiple of {want}", "multipleOf")


def _exact(number: float | Decimal) -> Fraction:
    """Read a number as the decimal that its shortest form writes."""
    return Fraction(Decimal(repr(number)) if isinstance(number, float) else number)


def min_length(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a text with too few characters."""
    if isinstance(value, str) and len(value) < want:
        words = "should be non-empty" if want == 1 else "is too short"
        walk.add(at.path, f"{value!r} {words}", "minLength")


def max_length(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a text with too many characters."""
    if isinstance(value, str) and len(value) > want:
        words = "is expected to be empty" if want == 0 else "is too long"
        walk.add(at.path, f"{value!r} {words}", "maxLength")


def pattern(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a text in which the pattern is not found."""
    if isinstance(value, str) and not walk.terms.is_match(want, value):
        walk.add(at.path, f"{value!r} does not match {want!r}", "pattern")


def format_(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note a text that does not keep its format, where formats are asserted."""
    has_format = walk.terms.has_format
    if has_format is not None and not has_format(want, value):
        walk.add(at.path, f"{value!r} is not a {want!r}", "format")
