"""The number of members is bounded where some of them are optional.

Why is this bad?
    A grammar writes declared members in order, each present or not, and does not
    count them. A builder refuses a bound on their number unless all are required.

Instead
    Require the members, or leave the bound out and say in the description what it
    demands.

Sources
    Each target that applies this cites the builder and its version.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_KEYWORDS = ("minProperties", "maxProperties")


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each bound that counts, on a node with optional properties."""
    for node in tool.having(*_KEYWORDS):
        if not node.optional_names:
            continue
        for keyword in _KEYWORDS:
            if keyword in node.schema and node.schema[keyword] != (0 if "min" in keyword else None):
                yield Finding(
                    message=f"{keyword!r} counts members of which some are optional",
                    path=node.at(keyword),
                    fix=f"remove {keyword!r}, or require every property",
                )


RULE = Rule(
    code="TG463",
    name="counted-optional-property",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"a": {}}, "minProperties": 1}, "TG463"),
        Example.of({"properties": {"a": {}}, "required": ["a"], "maxProperties": 2}),
        Example.of({"type": "object", "minProperties": 1}),
        Example.of({"properties": {"a": {}}, "minProperties": 0}),
    ),
)
