"""The properties of one object schema: all, required, optional."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgauge.rules._definition import Node


def property_names(node: Node) -> tuple[str, ...]:
    """Give the names of the properties, in order; empty where there are none."""
    found = node.schema.get("properties") if isinstance(node.schema, dict) else None
    return tuple(found) if isinstance(found, dict) else ()


def required_names(node: Node) -> tuple[str, ...]:
    """Give the names that ``required`` lists, in order, duplicates included."""
    found = node.schema.get("required") if isinstance(node.schema, dict) else None
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, str))


def optional_names(node: Node) -> tuple[str, ...]:
    """Give the properties that are not required, in order (decision T7)."""
    required = set(required_names(node))
    return tuple(each for each in property_names(node) if each not in required)
