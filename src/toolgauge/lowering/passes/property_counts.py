"""Bounds on the number of members, dropped where some members are optional."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass

_KEYWORDS = ("minProperties", "maxProperties")


def lower(draft: Draft, options: Options) -> None:
    """Drop what the required members do not meet already, and tell it."""
    for node in draft.having(*_KEYWORDS):
        required = set(node.get("required", ()))
        if required.issuperset(node.get("properties", ())):
            continue
        if node.get("minProperties", 0) <= len(required):
            node.pop("minProperties", None)
        for keyword in [each for each in _KEYWORDS if each in node]:
            value = draft.drop(node, keyword)
            draft.tell(node, f"({keyword}: {value})")


PASS = Pass(
    name="property-counts",
    since="0.1.0",
    lower=lower,
    triggers=_KEYWORDS,
    loses="What the bounds forbid.",
)
