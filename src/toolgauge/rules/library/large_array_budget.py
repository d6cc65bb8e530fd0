"""The arrays of a schema may have more items together than the target serves.

Why is this bad?
    Each `maxItems` is unrolled into states. The sum over the schema has a bound
    that no error message names.

Instead
    Leave large `maxItems` out and say the number in the description.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.contract.schema.explain.scalars import is_number
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the schema once when its ``maxItems`` add up to more than ``limits["max"]``."""
    most: int = limits["max"]
    total = sum(
        node.schema["maxItems"]
        for node in tool.having("maxItems")
        if is_number(node.schema["maxItems"]) and node.schema["maxItems"] > 0
    )
    if total <= most:
        return
    yield Finding(
        message=f"the maxItems of the schema add up to {total}; the limit is {most}",
        path=tool.schema_path,
        fix="remove the largest maxItems and say the number in the description",
    )


RULE = Rule(
    code="TG444",
    name="large-array-budget",
    since="0.1.0",
    check=check,
    limits={"max": 1000},
    examples=(
        Example.of({"properties": {"a": {"maxItems": 600}, "b": {"maxItems": 401}}}, "TG444"),
        Example.of({"properties": {"a": {"maxItems": 600}, "b": {"maxItems": 400}}}),
    ),
)
