"""Places where anything goes, for providers that want a type everywhere: JSON text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.lowering._jsontext import WORDS, from_text, to_text
from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._pass import Options, Pass
from toolgauge.lowering._report import HIDDEN, NOTHING, RESHAPED, RESTORE

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft

_INSTEAD = frozenset({"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"})
_SHOWN = ANNOTATIONS - {"default", "examples", "example"}


def lower(draft: Draft, options: Options) -> None:
    """Let the model write values of no type as text."""
    for node in draft.nodes[1:]:
        if not node.keys().isdisjoint(_INSTEAD):
            continue
        draft.lose(node, "a value of any type is sent as JSON text", kind=RESHAPED, by=RESTORE)
        if node.keys() - ANNOTATIONS:
            draft.lose(node, "the constraints on this value are no longer enforced")
        for keyword in {"default", "examples", "example"} & node.keys():
            draft.lose(node, f"{keyword} is not shown", keyword, kind=HIDDEN, by=NOTHING)
        kept: dict[str, Any] = {key: node[key] for key in node if key in _SHOWN}
        node.clear()
        node.update({"type": "string", **kept})
        draft.tell(node, f"Any value. {WORDS}")
        draft.mark(node, whole=True)
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
