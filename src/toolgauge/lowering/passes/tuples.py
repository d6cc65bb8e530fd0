"""``prefixItems`` given up: every item may be what any of them may be."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._merge import distinct
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import NARROWER, NOTHING


def lower(draft: Draft, options: Options) -> None:
    """Put the distinct schemas of the positions into ``items``; keep the length."""
    for node in draft.having("prefixItems"):
        first: list[Any] = node.pop("prefixItems")
        more = node.get("items")
        apart = distinct([*first, *([more] if isinstance(more, dict) else [])])
        if more is False:
            node["maxItems"] = min(len(first), node.get("maxItems", len(first)))
        elif not isinstance(more, dict) and node.get("maxItems", len(first) + 1) > len(first):
            words = f"items after the first {len(first)} are held to the same types"
            draft.lose(node, words, kind=NARROWER, by=NOTHING)
        node["items"] = apart[0] if len(apart) == 1 else draft.derive({"anyOf": apart}, node)
        if len(apart) > 1:
            words = "which type belongs to which position is no longer enforced"
            draft.lose(node, words, "prefixItems")
            draft.tell(node, "The items are, in order: " + ", ".join(map(_name, first)) + ".")
    draft.touch()


def _name(schema: Any) -> str:
    for keyword in ("title", "description", "type"):
        if isinstance(schema, dict) and isinstance(schema.get(keyword), str):
            return str(schema[keyword])[:60].rstrip(". ")
    return "anything"


PASS = Pass(
    name="tuples",
    since="0.1.0",
    lower=lower,
    triggers=("prefixItems",),
    loses="Which item has which type.",
)
