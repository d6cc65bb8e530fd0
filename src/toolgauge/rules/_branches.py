"""The branches of a union, and what a branch that is only a reference stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition, Node

_MAX_HOPS = 32
"""A longer chain of references is a cycle, or nobody follows it."""


def iter_branches(node: Node, keyword: str) -> Iterator[tuple[int, Any]]:
    """Yield each member of ``anyOf``, ``oneOf`` or ``allOf`` with its index."""
    found = node.schema.get(keyword) if isinstance(node.schema, dict) else None
    if isinstance(found, list):
        yield from enumerate(found)


def resolved(tool: Definition, schema: Any) -> dict[str, Any]:
    """Follow references that stand where a type or properties could.

    Returns:
        The first schema on the way that says more than ``$ref``; ``{}`` for what
        is no schema or leads nowhere.
    """
    here = schema
    for _ in range(_MAX_HOPS):
        if not isinstance(here, dict):
            return {}
        if "$ref" not in here or "type" in here or "properties" in here:
            return here
        target = tool.follow(here["$ref"])
        here = None if target is None else target.schema
    return {}
