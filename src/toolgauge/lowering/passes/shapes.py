"""What a bounded object or array may hold, written out where the schema is silent."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass

_KINDS = {
    "array": (("minItems", "maxItems"), "prefixItems", "items"),
    "object": (
        ("minProperties", "maxProperties", "required"),
        "properties",
        "additionalProperties",
    ),
}
_SHAPES = ("patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems")


def lower(draft: Draft, options: Options) -> None:
    """Let anything in, as JSON Schema does, where a bound needs more than is listed."""
    changed = False
    for node in draft.nodes:
        for kind, (bounds, listed, rest) in _KINDS.items():
            if _is_silent(node, kind, bounds, listed, rest):
                node[rest] = draft.derive({}, node)
                changed = True
    if changed:
        draft.touch()


def _is_silent(
    node: dict[str, Any], kind: str, bounds: tuple[str, ...], listed: str, rest: str
) -> bool:
    if rest in node or not node.keys().isdisjoint(_SHAPES) or node.keys().isdisjoint(bounds):
        return False
    named = node.get("type", ())
    if kind != named and kind not in named and (named or listed not in node):
        return False
    return listed not in node or node.get(bounds[0], 0) > len(node[listed])


PASS = Pass(
    name="shapes",
    since="0.1.0",
    lower=lower,
    triggers=tuple(bound for bounds, _, _ in _KINDS.values() for bound in bounds),
)
