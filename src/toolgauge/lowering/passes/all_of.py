"""``allOf``, and what stands beside a reference, merged into the schema that holds it."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._beside import constraints_beside, write_out
from toolgauge.lowering._merge import CONSTRAINTS, merge_loosely
from toolgauge.lowering._never import is_never, make_never, write_booleans
from toolgauge.lowering._pass import Draft, Options, Pass

_MAX_ROUNDS = 64


def lower(draft: Draft, options: Options) -> None:
    """Merge every ``allOf``, or only that of the root; a merged member may bring another."""
    is_root = options["where"] == "root"
    is_never_found = False
    for _ in range(_MAX_ROUNDS):
        nodes = (draft.schema,) if is_root else draft.nodes
        found = [
            each for each in nodes if "allOf" in each or (constraints_beside(each) and not is_root)
        ]
        if not found:
            break
        for node in reversed(found):
            if "allOf" not in node:
                write_out(draft, node)
            elif any(map(is_never, node["allOf"])):
                _refuse_all(draft, node)
                is_never_found = True
            else:
                _merge(draft, node)
        draft.touch()
    else:
        draft.refuse("allOf members refer to each other", "write their properties out")
    if is_never_found:
        write_booleans(draft)


def _refuse_all(draft: Draft, node: dict[str, Any]) -> None:
    if node is draft.schema:
        draft.refuse("an allOf member refuses every value", "remove that member")
    make_never(node)


def _merge(draft: Draft, node: dict[str, Any]) -> None:
    members = [each for each in node.pop("allOf") if isinstance(each, dict) and each]
    if len(members) == 1 and "$ref" in members[0] and CONSTRAINTS.isdisjoint(node):
        for keyword, value in members[0].items():
            node.setdefault(keyword, value)
        return
    for member in members:
        if "$ref" in member and draft.leads_to(draft.follow(member["$ref"]), node):
            draft.lose(node, "a recursive member of allOf is no longer enforced", "allOf")
        else:
            merge_loosely(draft, node, member)


PASS = Pass(
    name="all-of",
    since="0.1.0",
    lower=lower,
    options={"where": "all"},
    triggers=("allOf", "$ref"),
    loses="A constraint that has no single keyword for both members.",
)
