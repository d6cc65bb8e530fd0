"""Adds what a validator checks to the schema of a type, for libraries that have no JSON Schema.

Each function changes a schema that is being built. A schema is one type,
``{"type": "integer"}``, or several, ``{"anyOf": [{"type": "integer"}, {"type": "null"}]}``;
a keyword goes to the branches that it says something about, and never to null.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

NUMBERS = ("integer", "number")

TEXT = {"type": "string"}

DECIMAL = {
    "anyOf": [
        {"type": "number"},
        {**TEXT, "pattern": r"^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$"},
    ]
}

_TEXTS = ("title", "description", "examples", "deprecated")

_TIGHTER = {
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
}

_SIZES = {"string": "Length", "array": "Items", "object": "Properties"}


def branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the types that a schema allows beside null."""
    if "anyOf" in schema:
        return [one for each in schema["anyOf"] for one in branches(each)]
    return [] if schema.get("type") == "null" else [schema]


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow null too."""
    if not schema or {"type": "null"} in schema.get("anyOf", ()):
        return schema
    parts = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    return {"anyOf": [*parts, {"type": "null"}]}


def one_of_types(parts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Allow what any of these schemas allows."""
    found: list[dict[str, Any]] = []
    for part in parts:
        more = part["anyOf"] if set(part) == {"anyOf"} else [part]
        found += [each for each in more if each not in found]
    return found[0] if len(found) == 1 else {"anyOf": found}


def tuple_of(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of an array with exactly these items."""
    prefix = {"prefixItems": list(items)} if items else {}
    return {"type": "array", **prefix, "minItems": len(items), "maxItems": len(items)}


def texts_in(metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the annotations that the metadata of a field holds: title, description, …."""
    return {key: metadata[key] for key in _TEXTS if key in metadata}


def summary_of(doc: str | None) -> dict[str, str]:
    """Return the first paragraph of a docstring as ``description``, nothing without one."""
    return {"description": " ".join(doc.split("\n\n")[0].split())} if doc else {}


def bound(schema: dict[str, Any], keyword: str, value: object) -> None:
    """Bound the numbers: ``minimum``, ``exclusiveMaximum``, …; other types have none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return
    for each in branches(schema):
        if each.get("type") in NUMBERS:
            _tighten(each, keyword, value)


def size(schema: dict[str, Any], end: Literal["min", "max"], value: object) -> None:
    """Bound how long texts, arrays and objects are.

    A text that stands for something else is left alone: the validator measures
    what it was converted to.
    """
    if not isinstance(value, int) or value < 0:
        return
    for each in branches(schema):
        kind = each.get("type")
        if kind in _SIZES and not {"format", "contentEncoding"} & each.keys():
            _tighten(each, f"{end}{_SIZES[kind]}", value)


def _tighten(schema: dict[str, Any], keyword: str, value: float) -> None:
    known = schema.get(keyword)
    schema[keyword] = value if known is None else _TIGHTER[keyword](known, value)


def options(schema: dict[str, Any], values: Sequence[object] | None) -> None:
    """List the values that are allowed; nothing happens where JSON has no form for one."""
    if values is None or not all(is_scalar(each) for each in values):
        return
    for each in branches(schema):
        kept = [value for value in values if has_type(value, each.get("type"))]
        if "enum" in each:
            kept = [value for value in each["enum"] if value in kept]
        if kept:
            each["enum"] = kept
        else:
            each.clear()
            each["not"] = {}


def exclude(schema: dict[str, Any], values: Sequence[object] | None) -> None:
    """List the values that are not allowed."""
    if values and all(is_scalar(each) for each in values):
        schema.setdefault("allOf", []).append({"not": {"enum": list(values)}})


def matching(schema: dict[str, Any], pattern: str | None) -> None:
    """Require texts to match a pattern, if there is one."""
    if pattern is None:
        return
    for each in branches(schema):
        if each.get("type") != "string":
            continue
        if "pattern" in each:
            each.setdefault("allOf", []).append({"pattern": pattern})
        else:
            each["pattern"] = pattern


def is_scalar(value: object) -> bool:
    """Check whether a value is one of JSON's, and no array or object."""
    return value is None or type(value) in {bool, int, float, str}


def has_type(value: object, kind: object) -> bool:
    """Check whether a scalar is of a JSON type; ``None`` is any type."""
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return kind is None
