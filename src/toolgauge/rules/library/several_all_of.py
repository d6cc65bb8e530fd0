"""`allOf` has more members than the reader of the schema merges.

Why is this bad?
    A decoder that does not merge them accepts any JSON there, or refuses the schema
    where two members give the same keyword.

Instead
    Merge the members into one schema.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``allOf`` with more than ``limits["max"]`` members."""
    most: int = limits["max"]
    for node in tool.having("allOf"):
        members = node.schema["allOf"]
        if not isinstance(members, list) or len(members) <= most:
            continue
        yield Finding(
            message=f"allOf has {len(members)} members; the limit is {most}",
            path=node.at("allOf"),
            fix="merge the members into one schema",
        )


RULE = Rule(
    code="TG425",
    name="several-all-of",
    since="0.1.0",
    check=check,
    limits={"max": 1},
    examples=(
        Example.of({"allOf": [{"type": "object"}, {"properties": {"a": {}}}]}, "TG425"),
        Example.of({"allOf": [{"type": "object"}]}),
    ),
)
