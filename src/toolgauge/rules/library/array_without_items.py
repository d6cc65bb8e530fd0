"""An array does not say what its items are.

Why is this bad?
    JSON Schema leaves ``items`` optional. Some providers do not, and refuse the
    whole request for one list parameter without it.

Instead
    Write the items' schema: ``"items": {"type": "string"}``.

Sources
    JSON Schema 2020-12 core, section 10.3.1 (``items`` is optional); each
    target cites its error text and the date read.
"""

from __future__ import annotations

from typing import Any

from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each subschema that names the type array and lacks good ``items``."""
    for node in tool.having("type"):
        if not node.is_array:
            continue
        wrong = _wrong(node.schema, limits)
        if wrong:
            yield Finding(
                message=wrong,
                path=node.path,
                fix='say what the items are: "items": {"type": "string"}',
            )


def _wrong(schema: dict[str, Any], limits: Limits) -> str:
    """Say what is wrong with an array's items, ``""`` for nothing."""
    items = schema.get("items", MISSING)
    if items is MISSING:
        if limits["prefix_items"] and schema.get("prefixItems"):
            return ""
        return "the array has no items"
    if not limits["allow_empty"] and (items == {} or items is True):
        return "the array's items are empty"
    if limits["typed"] and _is_untyped(items, limits):
        return f"the array's items have none of {', '.join(limits['typed_by'])}"
    return ""


def _is_untyped(items: Any, limits: Limits) -> bool:
    """Tell whether one schema for all items says no type; a tuple is another rule's."""
    if isinstance(items, dict):
        return not any(keyword in items for keyword in limits["typed_by"])
    return isinstance(items, bool)


RULE = Rule(
    code="TG305",
    name="array-without-items",
    since="0.1.0",
    check=check,
    limits={
        "typed": False,
        "typed_by": ["type", "anyOf", "$ref"],
        "allow_empty": True,
        "prefix_items": False,
    },
    examples=(
        Example.of({"properties": {"b": {"type": "array"}}}, "TG305"),
        Example.of({"properties": {"b": {"type": ["null", "array"]}}}, "TG305"),
        Example.of({"type": "array", "items": {}}),
        Example.of({"type": "array", "items": {}}, "TG305", limits={"allow_empty": False}),
        Example.of({"type": "array", "items": {"minLength": 1}}, "TG305", limits={"typed": True}),
        Example.of({"type": "array", "prefixItems": [{}]}, limits={"prefix_items": True}),
    ),
)
