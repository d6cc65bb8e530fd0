"""Keywords that look at one value as a whole, and those that hold it or its size to a limit."""

from __future__ import annotations

import operator
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.equality import identity, identity_steps
from toolgauge.contract.schema.explain.glance import KINDS, classes_of
from toolgauge.contract.schema.explain.wording import UNQUOTED
from toolgauge.contract.schema.loads import is_large, number_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sized

    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.walk import Check, Keyword, Terms, Walk


_CLASSES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "object": dict,
    "array": (list, tuple),
    "boolean": bool,
    "null": type(None),
}


_CONTAINERS = (dict, list, tuple)


def is_number(value: object) -> bool:
    """Tell whether a value is a JSON number; ``True`` is none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def type_(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a value of another type."""
    names = [want] if isinstance(want, str) else want
    # Numbers without a fraction are integers, and subclasses may be anything.
    unsure = {float} if "integer" in names else set()
    wrong = frozenset(KINDS) - {*classes_of(names)} - unsure
    # Only these have a form that a text could hold instead.
    hinted = names if "object" in names or "array" in names else None
    integral = terms.dialect.number > 4  # noqa: PLR2004 - 1.0 is an integer from draft-06 on
    words = f" is not of type {', '.join([repr(name) for name in names])}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if type(value) in wrong or not any(
            is_type(value, name, integral=integral) for name in names
        ):
            walk.note(path, "type", value, words, hinted)

    return check


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
    return isinstance(value, _CLASSES[name])


def is_integer(value: object, *, integral: bool = True) -> bool:
    """Tell whether a number has no fraction."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    if isinstance(value, float):
        return integral and value.is_integer()
    return isinstance(value, Decimal) and integral and value == value.to_integral_value()


def enum(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a value that is none of those listed."""
    known = frozenset(map(identity, want))
    words = f" is not one of {terms.quoted(want)}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if type(value) in _CONTAINERS:
            walk.steps -= identity_steps(value)
        if identity(value) not in known:
            walk.note(path, "enum", value, words)

    return check


def const(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a value that is not the one allowed."""
    known = identity(want)
    words = f"{terms.quoted(want)} was expected"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if type(value) in _CONTAINERS:
            walk.steps -= identity_steps(value)
        if identity(value) != known:
            walk.note(path, "const", UNQUOTED, words)

    return check


def pattern(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
    """Note a text in which the pattern is not found."""
    search = terms.searcher(want)
    words = f" does not match {terms.quoted(want)}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if isinstance(value, str) and not search(value):
            walk.note(path, "pattern", value, words)

    return check


def format_(want: Any, schema: dict[str, Any], terms: Terms) -> Check | None:  # noqa: ARG001 - as every keyword
    """Note a text that does not keep its format, where formats are asserted."""
    has_format = terms.format_check(want)
    if has_format is None:
        return None
    words = f" is not a {terms.quoted(want)}"

    def check(walk: Walk, value: Any, path: Path) -> None:
        if not has_format(value):
            walk.note(path, "format", value, words)

    return check


_STEPS_PER_KEYWORD = 200
"""Steps of ten nanoseconds that looking at one keyword takes."""


_ENDS: dict[str, tuple[str, Callable[[Any, Any], bool], Callable[[Any, Any], bool]]] = {
    "minimum": ("less", operator.lt, operator.le),
    "maximum": ("greater", operator.gt, operator.ge),
}


def limit(name: str, end: str) -> Keyword:
    """Make the keyword that notes a number past a limit, or at one that is excluded.

    Args:
        name: The keyword.
        end: ``"minimum"`` or ``"maximum"``; in draft-04 a flag beside it excludes it.
    """
    exclusive = f"exclusive{end.capitalize()}"
    side, is_past, is_at_or_past = _ENDS[end]

    def keyword(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
        is_open = name == exclusive or schema.get(exclusive) is True
        is_wrong = is_at_or_past if is_open else is_past
        words = f" is {side} than{' or equal to' if is_open else ''} the {end} of {want!r}"

        def check(walk: Walk, value: Any, path: Path) -> None:
            if is_number(value) and is_wrong(value, want):
                walk.note(path, name, value, words)

        return check

    return keyword


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


def at_least(name: str, kinds: tuple[type[Sized], ...], otherwise: str) -> Keyword:
    """Make the keyword that notes what has too few characters, items or members."""

    def keyword(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
        words = f" {'should be non-empty' if want == 1 else otherwise}"

        def check(walk: Walk, value: Any, path: Path) -> None:
            if isinstance(value, kinds) and len(value) < want:
                walk.note(path, name, value, words)

        return check

    return keyword


def at_most(name: str, kinds: tuple[type[Sized], ...], otherwise: str) -> Keyword:
    """Make the keyword that notes what has too many of them."""

    def keyword(want: Any, schema: dict[str, Any], terms: Terms) -> Check:  # noqa: ARG001 - as every keyword
        words = f" {'is expected to be empty' if want == 0 else otherwise}"

        def check(walk: Walk, value: Any, path: Path) -> None:
            if isinstance(value, kinds) and len(value) > want:
                walk.note(path, name, value, words)

        return check

    return keyword
