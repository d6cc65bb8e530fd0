"""Numbers in keywords that are larger than the provider takes."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Drop the listed keywords where their value is larger, and tell it."""
    longest: int = options["max"]
    for node in draft.having(*options["keywords"]):
        for keyword in [each for each in options["keywords"] if node.get(each, 0) > longest]:
            value = node.pop(keyword)
            draft.lose(node, f"{keyword} {value} is no longer enforced", keyword)
            draft.tell(node, f"({keyword}: {value})")


PASS = Pass(
    name="drop-large",
    since="0.1.0",
    lower=lower,
    options={"keywords": (), "max": 1},
    loses="What the keyword forbids.",
)
