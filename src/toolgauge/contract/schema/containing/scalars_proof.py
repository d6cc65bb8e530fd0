"""Proof rules for keywords that hold no subschema: does one side's imply the other's?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from toolgauge.contract.schema.containing.bare import key_of, same

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

_NUMBERS = frozenset({"integer", "number"})
_TEXT = frozenset({"string"})
_LISTS = frozenset({"array"})
_MAPS = frozenset({"object"})

TYPE_OF: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), _NUMBERS
    ),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), _TEXT),
    **dict.fromkeys(
        ("minItems", "maxItems", "uniqueItems", "items", "prefixItems", "contains"), _LISTS
    ),
    **dict.fromkeys(("additionalItems", "minContains", "maxContains", "unevaluatedItems"), _LISTS),
    **dict.fromkeys(
        ("minProperties", "maxProperties", "required", "properties", "patternProperties"), _MAPS
    ),
    **dict.fromkeys(("additionalProperties", "propertyNames", "unevaluatedProperties"), _MAPS),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), _MAPS),
}
"""The types that a keyword can refuse values of; it says nothing about others."""


def types_of(schema: dict[str, Any]) -> frozenset[str]:
    """Give the types that a schema may admit, ``integer`` wherever ``number``."""
    found = ALL_TYPES
    if isinstance(schema.get("type"), str):
        found = frozenset({schema["type"]})
    elif isinstance(schema.get("type"), list):
        found = frozenset(schema["type"])
    values = values_of(schema)
    if values is not None:
        listed = frozenset(map(_type_of, values))
        found &= listed | {"integer"} if "number" in listed else listed
    return found | {"integer"} if "number" in found else found


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return "number"


def values_of(schema: dict[str, Any]) -> list[Any] | None:
    """Give the values that a schema lists, ``None`` where it lists none."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, list) else None


def _has_type(value: Any, small: dict[str, Any]) -> bool:
    return types_of(small) <= types_of({"type": value})


def _is_listed(value: Any, small: dict[str, Any]) -> bool:
    listed = values_of(small)
    return listed is not None and set(map(key_of, listed)) <= set(map(key_of, value))


def _at_least(keyword: str) -> Callable[[Any, dict[str, Any]], bool]:
    def rule(value: Any, small: dict[str, Any]) -> bool:
        if value <= 0:
            return True
        named = small.get("required") if keyword == "minProperties" else ()
        return bool(small.get(keyword, 0) >= value or len(set(named or ())) >= value)

    return rule


def _at_most(keyword: str) -> Callable[[Any, dict[str, Any]], bool]:
    return lambda value, small: bool(keyword in small and small[keyword] <= value)


def _minimum(value: Any, small: dict[str, Any]) -> bool:
    return _least_whole(small) >= value or any(
        small[each] >= value for each in ("minimum", "exclusiveMinimum") if each in small
    )


def _exclusive_minimum(value: Any, small: dict[str, Any]) -> bool:
    return (
        _least_whole(small) > value
        or ("minimum" in small and small["minimum"] > value)
        or ("exclusiveMinimum" in small and small["exclusiveMinimum"] >= value)
    )


def _maximum(value: Any, small: dict[str, Any]) -> bool:
    return _most_whole(small) <= value or any(
        small[each] <= value for each in ("maximum", "exclusiveMaximum") if each in small
    )


def _exclusive_maximum(value: Any, small: dict[str, Any]) -> bool:
    return (
        _most_whole(small) < value
        or ("maximum" in small and small["maximum"] < value)
        or ("exclusiveMaximum" in small and small["exclusiveMaximum"] <= value)
    )


def _least_whole(small: dict[str, Any]) -> float:
    """Give the least number that bounds leave to a schema of integers alone."""
    if "number" in types_of(small):
        return -math.inf
    found = [math.ceil(small["minimum"])] if "minimum" in small else []
    found += [math.floor(small["exclusiveMinimum"]) + 1] if "exclusiveMinimum" in small else []
    return max(found, default=-math.inf)


def _most_whole(small: dict[str, Any]) -> float:
    """Give the greatest number that bounds leave to a schema of integers alone."""
    if "number" in types_of(small):
        return math.inf
    found = [math.floor(small["maximum"])] if "maximum" in small else []
    found += [math.ceil(small["exclusiveMaximum"]) - 1] if "exclusiveMaximum" in small else []
    return min(found, default=math.inf)


def _is_multiple(value: Any, small: dict[str, Any]) -> bool:
    step = small.get("multipleOf")
    if isinstance(step, int) and isinstance(value, int):
        return step % value == 0
    return step is not None and same(step, value)


def _is_same(keyword: str) -> Callable[[Any, dict[str, Any]], bool]:
    return lambda value, small: keyword in small and same(value, small[keyword])


_STRICTER: Final = {
    "iri": {"uri"},
    "iri-reference": {"iri", "uri", "uri-reference"},
    "uri-reference": {"uri"},
}
"""Formats that admit less, by RFC 3986 and RFC 3987. An ``email`` need be no
``idn-email``, nor a ``hostname`` an ``idn-hostname``: the engine reads ``xn--`` there."""


def _has_format(value: Any, small: dict[str, Any]) -> bool:
    form = small.get("format")
    return form == value or form in _STRICTER.get(value, ())


SCALAR_RULES: Final[Mapping[str, Callable[[Any, dict[str, Any]], bool]]] = {
    "type": _has_type,
    "enum": _is_listed,
    "const": lambda value, small: _is_listed([value], small),
    "minimum": _minimum,
    "exclusiveMinimum": _exclusive_minimum,
    "maximum": _maximum,
    "exclusiveMaximum": _exclusive_maximum,
    "multipleOf": _is_multiple,
    **{each: _at_least(each) for each in ("minLength", "minItems", "minProperties")},
    **{each: _at_most(each) for each in ("maxLength", "maxItems", "maxProperties")},
    "pattern": _is_same("pattern"),
    "format": _has_format,
    "uniqueItems": lambda value, small: value is False or small.get("uniqueItems") is True,
    "required": lambda value, small: set(value) <= set(small.get("required", ())),
}
"""Each takes the keyword's value on the bigger side and the smaller schema."""
