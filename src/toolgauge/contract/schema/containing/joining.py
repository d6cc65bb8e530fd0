"""Reads keywords of schemas that may be broken, and joins two schemas into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.bare import key_of
from toolgauge.contract.schema.containing.scalars_proof import ALL_TYPES

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.budget import Budget

_TIGHTER = {
    **dict.fromkeys(
        ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"),
        max,
    ),
    **dict.fromkeys(
        ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"),
        min,
    ),
}


def listed(schema: dict[str, Any], keyword: str) -> list[Any]:
    """Give a keyword's list, empty where it has none."""
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def mapped(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    """Give a keyword's map, empty where it has none."""
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}


def kinds_of(schema: dict[str, Any]) -> list[str]:
    """Give the types that a schema names, all of them where it names none."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return [kind]
    if isinstance(kind, list):
        return [each for each in kind if isinstance(each, str)]
    if "properties" in schema or "required" in schema:
        return ["object", *sorted(ALL_TYPES - {"object"})]
    if "items" in schema:
        return ["array", *sorted(ALL_TYPES - {"array"})]
    if "minimum" in schema or "maximum" in schema:
        return ["number", *sorted(ALL_TYPES - {"number"})]
    return ["string", *sorted(ALL_TYPES - {"string"})]


def merged(one: Any, other: Any, budget: Budget) -> dict[str, Any]:
    """Join two schemas into one that asks for both, as far as that is simple.

    Raises:
        TooCostly: If that takes more than the budget.
    """
    if not isinstance(one, dict) or not isinstance(other, dict):
        given = other if isinstance(other, dict) else one
        return given if isinstance(given, dict) else {}
    budget.spend_on(_breadth(one) + _breadth(other))
    found = dict(one)
    for key, value in other.items():
        if key not in found:
            found[key] = value
        elif key == "properties" and isinstance(value, dict):
            mine = mapped(found, key)
            shared = {k: merged(mine[k], v, budget) if k in mine else v for k, v in value.items()}
            found[key] = {**mine, **shared}
        elif key == "required" and isinstance(value, list):
            found[key] = list(dict.fromkeys([*listed(found, key), *value]))
        elif key == "type":
            mine_kinds, theirs = kinds_of(found), kinds_of(other)
            common = [each for each in mine_kinds if each in theirs]
            if "number" in mine_kinds and "integer" in theirs:
                common.append("integer")
            found[key] = common or value
        elif key in _TIGHTER and isinstance(value, int | float):
            found[key] = _TIGHTER[key](found[key], value)
        elif key == "enum" and isinstance(value, list):
            budget.spend_on_all(value)
            known = set(map(key_of, value))
            found[key] = [each for each in listed(found, key) if key_of(each) in known] or value
    return found


def _breadth(schema: dict[str, Any]) -> int:
    """Count what is copied or compared to join a schema with another."""
    return len(schema) + sum(
        len(schema[each])
        for each in ("properties", "required", "enum", "type")
        if each in schema and isinstance(schema[each], list | dict)
    )
