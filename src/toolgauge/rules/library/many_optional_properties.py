"""One object has many optional properties.

Why is this bad?
    A grammar for them allows each combination in order. It grows large and slow,
    and at some size it is refused.

Instead
    Require properties and let them be null, or group the rare ones in an object.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each object with more than ``limits["max"]`` optional properties."""
    most: int = limits["max"]
    for node in tool.having("properties"):
        count = len(node.optional_names)
        if count <= most or not node.is_object:
            continue
        yield Finding(
            message=f"the object has {count} optional properties; up to {most} work well",
            path=node.path,
            fix="require properties and let them be null, or group the rare ones",
        )


RULE = Rule(
    code="TG445",
    name="many-optional-properties",
    since="0.1.0",
    check=check,
    limits={"max": 10},
    examples=(
        Example.of({"properties": {"a": {}, "b": {}}}, "TG445", limits={"max": 1}),
        Example.of({"properties": {"a": {}, "b": {}}, "required": ["a"]}, limits={"max": 1}),
    ),
)
