"""Whole schemas from parts: a root that is no reference, and only the parts it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX = "#/$defs/"


def with_root(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Put a schema and the parts that it refers to into one document.

    A root that only refers to a part becomes that part: what reads a tool's input
    schema looks for ``"type": "object"`` at its root. The part stays where it is
    referred to from elsewhere.

    Args:
        schema: The root, with references such as ``#/$defs/Point``.
        parts: What the references lead to, by name.
    """
    root = schema
    while set(root) == {"$ref"} and (found := _target(root)) in parts:
        root = parts[found]
    needed: dict[str, Any] = {}
    row = _targets(root)
    while row:
        name = row.pop(0)
        if name in parts and name not in needed:
            needed[name] = parts[name]
            row += _targets(parts[name])
    return {**root, "$defs": {name: needed[name] for name in sorted(needed)}} if needed else root


def rewritten(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Change each subschema of a schema, the innermost first; data and names stay.

    Args:
        schema: JSON Schema as parsed JSON; it is not changed.
        change: Gives another schema for one whose own subschemas are changed already.
    """
    if isinstance(schema, list):
        return [rewritten(each, change) for each in schema]
    if not isinstance(schema, dict):
        return schema
    fresh: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _DATA:
            fresh[key] = value
        elif key in _MAPS and isinstance(value, dict):
            fresh[key] = {name: rewritten(each, change) for name, each in value.items()}
        else:
            fresh[key] = rewritten(value, change)
    return change(fresh)


_DATA = frozenset({"const", "default", "enum", "example", "examples"})
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


def _target(schema: dict[str, Any]) -> str:
    reference: str = schema["$ref"]
    name = reference.removeprefix(_PREFIX)
    return name.replace("~1", "/").replace("~0", "~")


def _targets(schema: object) -> list[str]:
    """Name what a schema refers to, at any depth."""
    found: list[str] = []
    row: list[object] = [schema]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            if isinstance(here.get("$ref"), str):
                found.append(_target(here))
            row += here.values()
        elif isinstance(here, list):
            row += here
    return found
