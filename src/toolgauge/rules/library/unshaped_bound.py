"""A bound counts members or items of which the schema says nothing.

Why is this bad?
    A builder of grammars that takes an object or an array as closed where the schema
    is silent finds no member or item to count: it refuses a lower bound, and for
    other keywords writes only ``{}`` or ``[]``.

Instead
    Say what may be inside: ``items``, or ``additionalProperties``; ``{}`` stands for
    any value.

Sources
    Each target that applies this cites the builder and its version.
"""

from __future__ import annotations

from toolgauge.contract.schema.explain.scalars import is_number
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule

_SHAPES = {
    "array": ("items", "unevaluatedItems"),
    "object": (
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
    ),
}
_LOWER = {"minItems": "array", "minProperties": "object"}
_OTHERS = {"maxItems": "array", "maxProperties": "object", "required": "object"}
_LISTED = {"array": "prefixItems", "object": "properties"}


def check(tool: Definition, limits: Limits) -> Findings:
    """Report lower bounds that cannot be met, or with ``lower = false`` the other keywords."""
    kinds = _LOWER if limits["lower"] else _OTHERS
    for node in tool.having(*kinds):
        for keyword, kind in kinds.items():
            if keyword in node.schema and _is_unshaped(node, keyword, kind):
                yield Finding(
                    message=f"{keyword!r} stands where nothing says what the {kind} holds",
                    path=node.at(keyword),
                    fix=f"add {_SHAPES[kind][0]!r}",
                )


def _is_unshaped(node: Node, keyword: str, kind: str) -> bool:
    schema, listed = node.schema, _LISTED[kind]
    if not _is_silent(schema, kind):
        return False
    if keyword in _OTHERS:
        return kind in node.types and listed not in schema
    named, bound = schema.get(listed), schema[keyword]
    count = len(named) if isinstance(named, dict | list) else 0
    is_kind = kind in node.types or (not node.types and listed in schema)
    return is_kind and is_number(bound) and bound > count


def _is_silent(schema: dict[str, object], kind: str) -> bool:
    return all(schema.get(each, False) is False for each in _SHAPES[kind])


RULE = Rule(
    code="TG464",
    name="unshaped-bound",
    since="0.1.0",
    check=check,
    limits={"lower": True},
    examples=(
        Example.of_property("a", {"type": "array", "minItems": 1}, "TG464"),
        Example.of({"properties": {"a": {}}, "minProperties": 2}, "TG464"),
        Example.of_property(
            "a", {"type": "array", "maxItems": 3}, "TG464", limits={"lower": False}
        ),
        Example.of_property("a", {"type": "array", "minItems": 1, "items": {}}),
        Example.of({"properties": {"a": {}}, "minProperties": 1}),
    ),
)
