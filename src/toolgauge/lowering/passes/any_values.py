"""Places where anything goes, for providers that want a type everywhere: JSON text."""

from __future__ import annotations

from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE
from toolgauge.lowering._reshape import from_text, hide_data, send_as_text, to_text

_INSTEAD = frozenset({"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"})


def lower(draft: Draft, options: Options) -> None:
    """Let the model write values of no type as text."""
    for node in draft.nodes[1:]:
        if not node.keys().isdisjoint(_INSTEAD):
            continue
        draft.lose(node, "a value of any type is sent as JSON text", kind=RESHAPED, by=RESTORE)
        if node.keys() - ANNOTATIONS:
            draft.lose(node, "the constraints on this value are no longer enforced")
        hide_data(draft, node)
        send_as_text(draft, node, "Any value.")
    if draft.marks:
        draft.touch()


PASS = Pass(
    name="any-values",
    since="0.1.0",
    lower=lower,
    restore=from_text,
    image=to_text,
    loses="The model sees text where the tool takes any value.",
)
