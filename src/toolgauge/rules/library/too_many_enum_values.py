"""The enums of a schema have more values than the target takes.

Why is this bad?
    The request is refused: the limit is on all enums of a schema together.

Instead
    Shorten the lists, or take text and describe what is allowed.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the schema once when its enums have more than ``limits["max"]`` values."""
    most: int = limits["max"]
    enums = [node.schema["enum"] for node in tool.having("enum")]
    count = sum(len(each) for each in enums if isinstance(each, list))
    if count <= most:
        return
    yield Finding(
        message=f"the enums of the schema have {count} values; the limit is {most}",
        path=tool.schema_path,
        fix="shorten the longest enum, or take text and describe what is allowed",
    )


RULE = Rule(
    code="TG436",
    name="too-many-enum-values",
    since="0.1.0",
    check=check,
    limits={"max": 1000},
    examples=(
        Example.of(
            {"properties": {"a": {"enum": [1, 2]}, "b": {"enum": [3]}}}, "TG436", limits={"max": 2}
        ),
        Example.of({"properties": {"a": {"enum": [1, 2]}}}, limits={"max": 2}),
    ),
)
