"""``allOf`` merged into the schema that holds it."""

from __future__ import annotations

from toolgauge.lowering._merge import merge_loosely
from toolgauge.lowering._pass import Draft, Options, Pass

_MAX_ROUNDS = 64


def lower(draft: Draft, options: Options) -> None:
    """Merge every ``allOf``, or only that of the root; a merged member may bring another."""
    for _ in range(_MAX_ROUNDS):
        nodes = (draft.schema,) if options["where"] == "root" else draft.nodes
        found = [each for each in nodes if "allOf" in each]
        if not found:
            return
        for node in reversed(found):
            for member in node.pop("allOf"):
                if member is False:
                    draft.refuse("an allOf member refuses every value", "remove that member")
                if isinstance(member, dict):
                    merge_loosely(draft, node, member)
        draft.touch()
    draft.refuse("allOf members refer to each other", "write their properties out")


PASS = Pass(
    name="all-of",
    since="0.1.0",
    lower=lower,
    options={"where": "all"},
    triggers=("allOf",),
    loses="A constraint that has no single keyword for both members.",
)
