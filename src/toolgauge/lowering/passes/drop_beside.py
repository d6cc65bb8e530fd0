"""Keywords that the provider does not take together with another, or without it."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass


def lower(draft: Draft, options: Options) -> None:
    """Drop the listed keywords from places that have one of the others too.

    With ``without``, from places that have none of them; with ``values``, only there
    where the keyword has one of these values; with ``over``, only larger numbers.
    """
    beside = frozenset(options["beside"])
    values = options["values"]
    for node in draft.having(*options["keywords"]):
        if node.keys().isdisjoint(beside) != options["without"]:
            continue
        if values and not any(node.get(each) in values for each in options["keywords"]):
            continue
        for keyword in [each for each in options["keywords"] if each in node]:
            if options["over"] and node[keyword] <= options["over"]:
                continue
            value = draft.drop(node, keyword)
            if isinstance(value, int):
                draft.tell(node, f"({keyword}: {value})")
    draft.touch()


PASS = Pass(
    name="drop-beside",
    since="0.1.0",
    lower=lower,
    options={"keywords": (), "beside": (), "without": False, "values": (), "over": 0},
    loses="What the keyword forbids.",
)
