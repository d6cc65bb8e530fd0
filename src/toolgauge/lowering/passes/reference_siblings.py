"""What stands beside a reference, moved around it: ``{"anyOf": [{"$ref": …}], …}``."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from toolgauge.lowering._merge import CONSTRAINTS, inlined
from toolgauge.lowering._pass import Draft, Options, Pass

_MAX_ROUNDS = 64


def lower(draft: Draft, options: Options) -> None:
    """Wrap a reference with annotations beside it; write one out that has constraints beside it.

    A reference that leads back to where it stands cannot be written out: it keeps
    what it demands itself.
    """
    allowed = {"$ref", "$defs", "definitions", *options["allowed"]}
    # What is written out may bring such references along.
    for _ in range(_MAX_ROUNDS):
        found = [
            each
            for each in draft.having("$ref")
            if each.keys() - allowed
            and (not options["recursive"] or draft.leads_to(draft.follow(each["$ref"]), each))
        ]
        if not found:
            return
        for node in found:
            _part(draft, node, (node.keys() - allowed) & CONSTRAINTS, allowed)
        draft.touch()
    draft.refuse("references bring more references without end", "write the properties out")


def _part(
    draft: Draft, node: dict[str, Any], constraints: AbstractSet[str], allowed: AbstractSet[str]
) -> None:
    target = draft.follow(node["$ref"])
    if constraints and not draft.leads_to(target, node):
        made = dict(inlined(draft, node))
        node.clear()
        node.update(made)
        return
    for keyword in sorted(constraints):
        # Most often it is the type that the definition names too.
        if node.pop(keyword) != (target or {}).get(keyword):
            draft.lose(node, f"{keyword} is no longer enforced beside the reference", keyword)
    if node.keys() - allowed:
        node["anyOf"] = [draft.derive({"$ref": node.pop("$ref")}, node)]


PASS = Pass(
    name="reference-siblings",
    since="0.1.0",
    lower=lower,
    options={"allowed": (), "recursive": False},
    triggers=("$ref",),
    loses="What stands beside a recursive reference.",
)
