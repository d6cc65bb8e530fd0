"""References replaced by what they lead to, within a bound on the size."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._merge import inlined
from toolgauge.lowering._pass import Draft, Options, Pass

_MAX_ROUNDS = 64


def lower(draft: Draft, options: Options) -> None:
    """Replace every reference; recursive ones must be cut before."""
    for _ in range(_MAX_ROUNDS):
        found = [node for node in _used(draft) if "$ref" in node]
        if not found:
            break
        for node in found:
            made = dict(inlined(draft, node))
            made.pop("$defs", None)
            node.clear()
            node.update(made)
        draft.touch()
        if len(draft.nodes) > options["max_subschemas"]:
            draft.refuse(
                f"inlined references make more than {options['max_subschemas']} subschemas",
                "split the tool, or refer to smaller definitions",
            )
    else:
        draft.refuse("a reference leads back to itself", "end the recursion in the schema")
    for node in draft.having("$defs"):
        del node["$defs"]
    draft.touch()


def _used(draft: Draft) -> list[dict[str, Any]]:
    """Give the subschemas that are not merely defined."""
    defined: set[int] = set()
    for slot in draft.slots:
        if slot.keyword == "$defs" or id(slot.parent) in defined:
            defined.add(id(slot.schema))
    return [node for node in draft.nodes if id(node) not in defined]


PASS = Pass(
    name="inline",
    since="0.1.0",
    lower=lower,
    options={"max_subschemas": 5_000},
    triggers=("$ref", "$defs"),
)
