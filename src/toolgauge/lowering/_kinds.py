"""Which types of values a keyword, a listed value or a subschema is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_BY_KEYWORD: Mapping[str, tuple[str, ...]] = {
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
    ),
    "array": (
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "unevaluatedItems",
    ),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}

KIND_OF: Mapping[str, str] = {word: kind for kind, words in _BY_KEYWORD.items() for word in words}
"""The type of values that a keyword constrains; it says nothing about others."""

_NAMES = {str: "string", bool: "boolean", type(None): "null", dict: "object", list: "array"}


def kind_of(value: Any) -> str:
    """Name the type of a JSON value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return "integer"
    return _NAMES.get(type(value), "number")


def kinds_of(schema: Mapping[str, Any]) -> list[str]:
    """Give the types that a subschema names, or else those of its listed values."""
    found = schema.get("type")
    if found is not None:
        return [found] if isinstance(found, str) else list(dict.fromkeys(found))
    listed = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else []
    return list(dict.fromkeys(map(kind_of, listed)))


def implied_kinds(schema: Mapping[str, Any]) -> list[str]:
    """Give the types that the keywords of a subschema are about."""
    return list(dict.fromkeys(KIND_OF[word] for word in schema if word in KIND_OF))


def concerns(keyword: str, kind: str) -> bool:
    """Tell whether a keyword says something about values of a type."""
    if keyword == "format":
        return kind in {"string", "number", "integer"}
    if keyword not in KIND_OF:
        return True
    return KIND_OF[keyword] == ("number" if kind == "integer" else kind)
