"""Parts that lie too deep for the provider, sent as JSON text."""

from __future__ import annotations

from typing import Any

from toolgauge.contract.schema.subschemas import iter_places
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import RESHAPED, RESTORE
from toolgauge.lowering._reshape import from_text, lose_texts, send_as_text, to_text

_STEPS = frozenset({"properties", "items", "anyOf", "allOf"})


def lower(draft: Draft, options: Options) -> None:
    """Turn what lies at the last level and goes deeper into text. References are gone by now."""
    row: list[tuple[dict[str, Any], int]] = [(draft.schema, 1)]
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
        send_as_text(draft, node)
    lose_texts(draft)
    if draft.marks:
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
