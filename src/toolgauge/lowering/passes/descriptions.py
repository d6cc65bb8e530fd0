"""Descriptions: cut where too long, left out where empty."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import HIDDEN, NOTHING


def lower(draft: Draft, options: Options) -> None:
    """Cut the tool's description to ``max_length`` characters, at a space if one is near."""
    words, longest = draft.description, options["max_length"]
    if words is None:
        return
    if not words.strip():
        draft.description = None
    elif len(words) > longest:
        cut = words[: longest - 1]
        draft.description = f"{cut[: max(cut.rfind(' '), longest // 2)].rstrip()}…"
        lost = f"the description is cut from {len(words)} to {longest} characters"
        draft.lose(None, lost, kind=HIDDEN, by=NOTHING)


PASS = Pass(
    name="descriptions",
    since="0.1.0",
    lower=lower,
    options={"max_length": 1_048_576},
    loses="The end of a long description.",
)
