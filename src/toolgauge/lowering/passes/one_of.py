"""``oneOf`` written as ``anyOf``."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Rename the keyword; beside an ``anyOf`` there is no room, so it is dropped."""
    for node in draft.having("oneOf"):
        branches = node.pop("oneOf")
        if "anyOf" in node:
            draft.lose(node, "oneOf is no longer enforced beside anyOf", "oneOf")
            continue
        node["anyOf"] = branches
        if not _are_apart(branches):
            draft.lose(node, "a value may match several alternatives of oneOf", "oneOf")
    draft.touch()


def _are_apart(branches: list[Any]) -> bool:
    """Tell whether no value can match two branches, by their types."""
    seen: set[str] = set()
    for each in branches:
        kind = each.get("type") if isinstance(each, dict) else None
        if not isinstance(kind, str):
            return False
        kind = "number" if kind == "integer" else kind
        if kind in seen:
            return False
        seen.add(kind)
    return True


PASS = Pass(
    name="one-of",
    since="0.1.0",
    lower=lower,
    triggers=("oneOf",),
    loses="That no two alternatives may hold at once.",
)
