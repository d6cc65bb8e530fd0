"""A schema has more properties than the target takes.

Why is this bad?
    The request is refused: limits on the size of a schema are counted over all its
    objects.

Instead
    Split the tool, or leave out what a model rarely fills in.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the schema once when its objects have more than ``limits["max"]``."""
    most: int = limits["max"]
    count = sum(len(node.property_names) for node in tool.having("properties"))
    if count <= most:
        return
    yield Finding(
        message=f"the schema has {count} properties; the limit is {most}",
        path=tool.schema_path,
        fix="split the tool or leave out properties",
    )


RULE = Rule(
    code="TG435",
    name="too-many-properties",
    since="0.1.0",
    check=check,
    limits={"max": 5000},
    examples=(
        Example.of({"properties": {"a": {"properties": {"b": {}}}}}, "TG435", limits={"max": 1}),
        Example.of({"properties": {"properties": {}}}, limits={"max": 1}),
    ),
)
