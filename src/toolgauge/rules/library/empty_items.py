"""An array says `items: {}`: anything may be in it.

Why is this bad?
    A reader that builds a grammar or a typed record from the schema needs to know
    what an item is, and refuses the tool.

Instead
    Say the type of the items.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``items`` that is an empty schema."""
    for node in tool.having("items"):
        if node.schema["items"] != {}:
            continue
        yield Finding(
            message="items is an empty schema: it names no type",
            path=node.at("items"),
            fix='say what an item is, for example items: {"type": "string"}',
        )


RULE = Rule(
    code="TG422",
    name="empty-items",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"p": {"type": "array", "items": {}}}}, "TG422"),
        Example.of({"properties": {"p": {"type": "array", "items": {"type": "null"}}}}),
    ),
)
