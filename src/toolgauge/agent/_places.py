"""Which part of a schema speaks of a place in a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.contract import Path

_BRANCHES = ("allOf", "anyOf", "oneOf")
_MAX_STEPS = 200
"""References and branches that are followed for one place."""


def wanted_at(schema: object, path: Path) -> Any:
    """Give the subschema for a place, ``None`` where the schema has no single one.

    Follows ``properties``, ``items``, ``prefixItems``, ``additionalProperties``,
    references within the schema, and the branches of unions: of those, the first
    that speaks of the place.
    """
    here: Any = schema
    for segment in path:
        here = next(_below(schema, here, segment), None)
        if here is None:
            return None
    return here if isinstance(here, dict) and here else None


def _below(root: object, schema: object, segment: str | int) -> Iterator[Any]:
    """Find subschemas for a member or an item, the nearest first."""
    row: list[Any] = [schema]
    for _ in range(_MAX_STEPS):
        if not row:
            return
        here = row.pop(0)
        if not isinstance(here, dict):
            continue
        yield from _direct(here, segment)
        row += [each for name in _BRANCHES for each in _listed(here.get(name))]
        if isinstance(here.get("$ref"), str):
            row += _referred(root, here["$ref"])


def _direct(schema: dict[str, Any], segment: str | int) -> Iterator[Any]:
    """Find what a schema itself says of a member or an item."""
    if isinstance(segment, int):
        prefix = _listed(schema.get("prefixItems"))
        if segment < len(prefix):
            yield prefix[segment]
        elif isinstance(schema.get("items"), dict):
            yield schema["items"]
        return
    properties = schema.get("properties")
    if isinstance(properties, dict) and segment in properties:
        yield properties[segment]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def _referred(root: object, reference: str) -> list[Any]:
    """Follow a reference within the schema; others lead nowhere here."""
    if not reference.startswith("#"):
        return []
    try:
        return [resolve(root, reference[1:])]
    except (LookupError, ValueError):
        return []


def _listed(found: object) -> list[Any]:
    return found if isinstance(found, list) else []
