"""What can be seen at a glance: by the class of a value, before anything is walked.

Most members of a refused value are right. A table by class, asked inside the
loops over members and items, passes over those.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.contract.schema.equality import identity
from toolgauge.contract.schema.keywords import LIMITS, TYPES_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Test: TypeAlias = "Callable[[Any], bool]"

Glance: TypeAlias = "dict[type, Test | None]"
"""For values of exactly this class: ``None`` where all of them are right, else a test
that says of one whether it surely is. A class that is not there is not known."""

EXACT: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "object": (dict,),
    "array": (list, tuple),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}
"""The classes of values that surely have a type: no subclass, no number such as ``1.0``."""

KINDS: tuple[type, ...] = (str, int, float, list, tuple, dict, bool, type(None))

LOOKS_AT: dict[str, tuple[type, ...]] = {
    keyword: tuple(dict.fromkeys(kind for name in types for kind in EXACT[name]))
    for keyword, types in TYPES_OF.items()
}
"""Keywords that say nothing of values of any other class."""

FEW_ITEMS = 4
"""Up to here, walking the items of an array costs less than asking the engine about them."""

_PLAIN = (str, int, bool, type(None))
_SIZES = {"minLength", "maxLength"}
_OF_ARRAYS = {"items", "minItems", "maxItems"}


def never(value: object) -> bool:  # noqa: ARG001 - whatever it is
    """Stand for a test where there is none: nothing is known to be right."""
    return False


def glance_of(
    schema: Mapping[str, Any],
    asserting: Sequence[str],
    ask: Mapping[type, Test],
    below: Callable[[Any], Glance],
) -> Glance:
    """Give what can be seen at a glance of the values that a subschema accepts.

    Args:
        schema: The subschema.
        asserting: Its keywords that can refuse a value.
        ask: Asks the engine about values of a class.
        below: Gives the glance of a branch.
    """
    if list(asserting) == ["anyOf"]:
        # What one branch accepts is accepted.
        merged: Glance = {}
        for branch in schema["anyOf"]:
            for kind, test in below(branch).items():
                if test is None or kind not in merged:
                    merged[kind] = test
        return merged
    found: Glance = {}
    for kind in classes_of(schema["type"]) if "type" in asserting else KINDS:
        names = {name for name in asserting if looks_at(kind, name, schema)}
        test = _test(kind, names, schema)
        if test is never:
            test = ask.get(kind, never)
            if kind is list and names <= _OF_ARRAYS and isinstance(schema.get("items"), dict):
                test = _of_plain_items(schema, below(schema["items"]), test)
        if test is not never:
            found[kind] = test
    return found


def classes_of(names: str | Sequence[str]) -> tuple[type, ...]:
    """Give the classes of values that surely have one of these types."""
    if isinstance(names, str):
        return EXACT[names]
    return tuple(each for name in names for each in EXACT[name])


def looks_at(kind: type, keyword: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a keyword can refuse values of exactly this class."""
    if keyword == "type":
        return kind not in classes_of(schema["type"])
    return kind in LOOKS_AT.get(keyword, KINDS)


def _test(kind: type, names: set[str], schema: Mapping[str, Any]) -> Test | None:
    """Give the test for what several keywords ask of values of one class."""
    if not names:
        return None
    if names == {"enum"}:
        return _one_of(kind, schema["enum"])
    if names == {"const"}:
        return _one_of(kind, (schema["const"],))
    if names <= _SIZES:
        low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
        return lambda text: low <= len(text) <= high
    # In draft-04 what is exclusive is a flag beside the limit.
    if names.issubset(LIMITS) and not any(schema.get(name) is True for name in LIMITS):
        return _within(schema)
    return never


def _of_plain_items(schema: Mapping[str, Any], glance: Glance, otherwise: Test) -> Test:
    """Look only at the classes of the items, where those of some class are all right."""
    are_plain = frozenset(kind for kind, test in glance.items() if test is None).issuperset
    low, high = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    return lambda array: (
        low <= len(array) <= high and (are_plain(map(type, array)) or otherwise(array))
    )


def _one_of(kind: type, values: Sequence[Any]) -> Test:
    """Look up a value among those of its own class; others may equal it all the same."""
    same = [each for each in values if type(each) is kind]
    if kind is dict:
        equals = frozenset(map(identity, same))
        return lambda value: identity(value) in equals
    if kind not in _PLAIN or not same:
        return never
    return frozenset(same).__contains__


def _within(schema: Mapping[str, Any]) -> Test:
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    if "exclusiveMinimum" not in schema and "exclusiveMaximum" not in schema:
        return lambda number: low <= number <= high
    above, under = (
        schema.get("exclusiveMinimum", -math.inf),
        schema.get("exclusiveMaximum", math.inf),
    )
    return lambda number: low <= number <= high and above < number < under
