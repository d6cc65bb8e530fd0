"""What stands beside a reference, moved around it: ``{"anyOf": [{"$ref": …}], …}``."""

from __future__ import annotations

from toolgauge.lowering._beside import constraints_beside, write_out
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
            if constraints_beside(node):
                write_out(draft, node)
            if "$ref" in node and node.keys() - allowed:
                node["anyOf"] = [draft.derive({"$ref": node.pop("$ref")}, node)]
        draft.touch()
    draft.refuse("references bring more references without end", "write the properties out")


PASS = Pass(
    name="reference-siblings",
    since="0.1.0",
    lower=lower,
    options={"allowed": (), "recursive": False},
    triggers=("$ref",),
    loses="What stands beside a recursive reference.",
)
