"""The input schema has a union or another combinator at its root.

Why is this bad?
    Some providers refuse the whole request for an ``anyOf`` at the root, others
    drop it; the same keyword below a property is accepted.

Instead
    Merge the branches into one object: all their properties, and as
    ``required`` what every branch requires. Say the rest in the description and
    check it in the handler, or move the union under a property.

Sources
    Which keywords are refused differs by provider; each target cites the error
    text and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each of ``limits["keywords"]`` that the root has."""
    keywords: Sequence[str] = limits["keywords"]
    root = tool.root
    if root is None:
        return
    for keyword in keywords:
        if keyword in root.schema:
            yield Finding(
                message=f"{keyword} is not accepted at the root of the schema",
                path=root.at(keyword),
                fix="merge the branches into one object, or move them under a property",
            )


RULE = Rule(
    code="TG304",
    name="root-combinator",
    since="0.1.0",
    check=check,
    limits={"keywords": ["oneOf", "anyOf", "allOf"]},
    examples=(
        Example.of({"type": "object", "anyOf": [{"required": ["b"]}]}, "TG304"),
        Example.of({"allOf": [], "oneOf": []}, "TG304", "TG304"),
        Example.of({"properties": {"b": {"anyOf": [{}]}, "anyOf": {}}}),
        Example.of({"not": {}}, "TG304", limits={"keywords": ["not"]}),
    ),
)
