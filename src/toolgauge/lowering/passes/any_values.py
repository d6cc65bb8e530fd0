"""Places where anything goes, for providers that want a type everywhere: JSON text."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._branches import Branches
from toolgauge.lowering._merge import CONSTRAINTS
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE
from toolgauge.lowering._reshape import from_text, hide_data, send_as_text, to_text

_INSTEAD = frozenset({"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"})


def lower(draft: Draft, options: Options) -> None:
    """Let the model write values of no type as text.

    A member that a pattern names too could be text and something else: the patterns go.
    """
    for node in draft.having("patternProperties"):
        if _is_named_twice(draft, node):
            draft.drop(node, "patternProperties")
            draft.touch()
    for node in draft.nodes[1:]:
        if not node.keys().isdisjoint(_INSTEAD):
            continue
        draft.lose(node, "a value of any type is sent as JSON text", kind=RESHAPED, by=RESTORE)
        for keyword in [each for each in node if each in CONSTRAINTS]:
            draft.lose(node, f"{keyword} is no longer enforced", keyword)
        hide_data(draft, node)
        send_as_text(draft, node, "Any value.")
    if draft.marks:
        draft.touch()


def _is_named_twice(draft: Draft, node: dict[str, Any]) -> bool:
    """Tell whether a pattern is found in the name of a member."""
    names, branches = node.get("properties", {}), Branches(draft.schema)
    draft.charge(len(names) * len(node["patternProperties"]))
    return any(branches.matches(each, name) for each in node["patternProperties"] for name in names)


PASS = Pass(
    name="any-values",
    since="0.1.0",
    lower=lower,
    restore=from_text,
    image=to_text,
    loses="The model sees text where the tool takes any value.",
)
