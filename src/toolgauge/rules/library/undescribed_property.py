"""A parameter has no description.

Why is this bad?
    The model has only the name to guess from, and guesses units, formats and
    identifiers wrong.

Instead
    Say what the value means, in which unit, and where it comes from.

Sources
    Guidance of the providers on defining tools; each target that gives this
    advice cites its page.
"""

from __future__ import annotations

from typing import Any

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each parameter of the root that neither it nor its ``$ref`` describes."""
    root = tool.root
    names = root.schema.get("properties") if root is not None else None
    if root is None or not isinstance(names, dict):
        return
    for name, schema in names.items():
        if not isinstance(schema, dict) or _has_description(schema):
            continue
        target = tool.follow(schema.get("$ref"))
        if target is not None and _has_description(target.schema):
            continue
        yield Finding(
            message=f"parameter {quoted(str(name))} has no description",
            path=root.at("properties", name),
            fix="say what the value means",
        )


def _has_description(schema: Any) -> bool:
    """Tell whether a subschema says something about itself."""
    text = schema.get("description") if isinstance(schema, dict) else None
    return isinstance(text, str) and bool(text.strip())


RULE = Rule(
    code="TG204",
    name="undescribed-property",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"q": {"type": "string"}}}, "TG204"),
        Example.of({"properties": {"q": {"description": "Words."}}}),
        Example.of(
            {
                "properties": {"q": {"$ref": "#/$defs/Words"}},
                "$defs": {"Words": {"description": "Words."}},
            }
        ),
        Example.of({"type": "object"}),
    ),
)
