"""``oneOf``, ``not``, ``if`` and ``contains`` given up where what they look at was changed.

They refuse what a subschema admits. So where another pass made that subschema wider
they would refuse what the tool takes, and where it was reshaped what they should not.
Comes last in a target's list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import HIDDEN

if TYPE_CHECKING:
    from toolgauge.contract import Path


_TRIGGERS = ("oneOf", "not", "if", "contains")


def lower(draft: Draft, options: Options) -> None:
    """Write such a ``oneOf`` as ``anyOf``, and drop the others."""
    changed = _changed(draft)
    if not changed:
        return
    for node in draft.having(*_TRIGGERS):
        if "oneOf" in node and _reaches(draft, node["oneOf"], changed):
            _open(draft, node)
        if "not" in node and _reaches(draft, [node["not"]], changed):
            draft.drop(node, "not")
        if "if" in node and _reaches(draft, [node["if"]], changed):
            draft.drop(node, "if")
            for keyword in ("then", "else"):
                node.pop(keyword, None)
        if "contains" in node:
            _contains(draft, node, changed)
    draft.touch()


def _open(draft: Draft, node: dict[str, Any]) -> None:
    branches = node.pop("oneOf")
    if "anyOf" in node:
        draft.lose(node, "oneOf is no longer enforced beside anyOf", "oneOf")
    else:
        node["anyOf"] = branches
        draft.lose(node, "a value may match several alternatives of oneOf", "oneOf")


def _contains(draft: Draft, node: dict[str, Any], changed: set[Path]) -> None:
    """Drop ``contains`` where items are sent in another shape, else its upper bound."""
    items = [*node.get("prefixItems", ()), node.get("items")]
    if _reaches(draft, items, changed):
        doomed = [each for each in ("contains", "minContains", "maxContains") if each in node]
    elif "maxContains" in node and _reaches(draft, [node["contains"]], changed):
        doomed = ["maxContains"]
    else:
        return
    for keyword in doomed:
        draft.drop(node, keyword)


def _changed(draft: Draft) -> set[Path]:
    """Give the origins of the subschemas at which something was lost."""
    known = {draft.origin(node) for node in draft.nodes}
    found: set[Path] = set()
    for loss in draft.losses:
        if loss.kind != HIDDEN:
            longest = len(loss.path)
            while loss.path[:longest] not in known:
                longest -= 1
            found.add(loss.path[:longest])
    return found


def _reaches(draft: Draft, starts: Iterable[Any], changed: set[Path]) -> bool:
    """Tell whether a changed subschema is among some, below them or referred to there."""
    return any(draft.origin(node) in changed for node in draft.iter_reached(starts))


PASS = Pass(
    name="negations",
    since="0.1.0",
    lower=lower,
    triggers=_TRIGGERS,
    loses="What the keyword forbids, where another pass changed what it looks at.",
)
