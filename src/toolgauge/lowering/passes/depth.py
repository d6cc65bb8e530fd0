"""Parts that lie too deep for the provider, sent as JSON text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.subschemas import iter_places
from toolgauge.lowering._jsontext import WORDS, from_text, to_text
from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._pass import Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft

_STEPS = frozenset({"properties", "items", "anyOf", "allOf"})
_SHOWN = ANNOTATIONS - {"default", "examples", "example"}


def lower(draft: Draft, options: Options) -> None:
    """Turn what lies at the last level and goes deeper into text. References are gone by now."""
    row: list[tuple[dict[str, Any], int]] = [(draft.schema, 1)]
    is_changed = False
    for node, level in row:  # it grows while we look
        below = [
            (place.schema, level + (place.path[0] in _STEPS))
            for place in iter_places(node)
            if isinstance(place.schema, dict)
        ]
        if level < options["max_depth"] or all(deep <= level for _, deep in below):
            row += below
            continue
        draft.lose(node, "what lies this deep is sent as JSON text", kind=RESHAPED, by=RESTORE)
        draft.lose(node, "the schema of what lies this deep is no longer enforced")
        kept = {key: node[key] for key in node if key in _SHOWN}
        node.clear()
        node.update({"type": "string", **kept})
        draft.tell(node, WORDS)
        draft.mark(node, whole=True)
        is_changed = True
    if is_changed:
        draft.touch()


PASS = Pass(
    name="depth",
    since="0.1.0",
    lower=lower,
    restore=from_text,
    image=to_text,
    options={"max_depth": 5},
    loses="The model sees deep parts as text, without their schema.",
)
