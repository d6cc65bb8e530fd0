"""``const`` written as an ``enum`` of one."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Replace the keyword, and an ``enum`` beside it, which it implies."""
    for node in draft.having("const"):
        node["enum"] = [node.pop("const")]
    draft.touch()


PASS = Pass(name="consts", since="0.1.0", lower=lower, triggers=("const",))
