"""Keywords that look at one value as a whole: type, enum, const, pattern, format."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.explain.equality import identity, identity_steps
from toolgauge.contract.schema.explain.glance import KINDS, classes_of
from toolgauge.contract.schema.explain.wording import UNQUOTED

if TYPE_CHECKING:
    from toolgauge.contract.pointers import Path
    from toolgauge.contract.schema.explain.walk import Check, Terms, Walk


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
