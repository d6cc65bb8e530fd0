"""A reference and what stands beside it, which hold for one value, made one subschema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.lowering._merge import CONSTRAINTS, inlined, same

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft

_BY_NEIGHBORS = frozenset(
    {
        "$ref",
        "additionalItems",
        "additionalProperties",
        "else",
        "if",
        "items",
        "maxContains",
        "minContains",
        "contains",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords whose meaning depends on others of the same subschema."""


def constraints_beside(node: dict[str, Any]) -> list[str]:
    """Give the keywords beside a reference that may refuse a value."""
    return (
        [each for each in node if each in CONSTRAINTS and each != "$ref"] if "$ref" in node else []
    )


def write_out(draft: Draft, node: dict[str, Any]) -> None:
    """Leave no constraint beside a reference: what it leads to is merged with them.

    What its target says as well goes. A reference that leads back to where it stands
    cannot be written out: it stays, and what stands beside it is lost.
    """
    target = draft.follow(node["$ref"])
    beside = constraints_beside(node)
    said = target or {}
    for keyword in beside:
        if keyword in said and keyword not in _BY_NEIGHBORS:
            draft.charge(1)
            if same(node[keyword], said[keyword]):
                del node[keyword]
    draft.touch()
    beside = constraints_beside(node)
    if beside and not draft.leads_to(target, node):
        made = dict(inlined(draft, node))
        node.clear()
        node.update(made)
        return
    for keyword in sorted(beside):
        draft.drop(node, keyword)
