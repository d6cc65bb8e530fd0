"""What stands beside a reference, moved around it: ``{"anyOf": [{"$ref": …}], …}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.lowering._merge import ANNOTATIONS, inlined
from toolgauge.lowering._pass import Options, Pass

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft


def lower(draft: Draft, options: Options) -> None:
    """Wrap a reference with annotations beside it; write one out that has constraints beside it."""
    allowed = {"$ref", "$defs", "definitions", *options["allowed"]}
    for node in draft.having("$ref"):
        beside = node.keys() - allowed
        if not beside:
            continue
        if beside <= ANNOTATIONS:
            node["anyOf"] = [draft.derive({"$ref": node.pop("$ref")}, node)]
        else:
            made = dict(inlined(draft, node))
            node.clear()
            node.update(made)
    draft.touch()


PASS = Pass(
    name="reference-siblings",
    since="0.1.0",
    lower=lower,
    options={"allowed": ()},
    triggers=("$ref",),
)
