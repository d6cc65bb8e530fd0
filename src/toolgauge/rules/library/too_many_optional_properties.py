"""All tools together have more optional properties than the target compiles.

Why is this bad?
    Each optional property doubles the orders that a grammar must allow. The budget
    is for all tools of a request, so one tool too many refuses them all.

Instead
    Require properties and let them be null, or leave out tools.

Sources
    Properties minus required, over every object schema, nested ones and each
    `$defs` entry once. Each target that applies this cites the page or the report,
    and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report the list once when the sum is more than ``limits["max"]``.

    ``limits["count"]`` is ``"all-objects"``, or ``"root"`` for the tools' own
    parameters alone.
    """
    most: int = limits["max"]
    counts = [_optional(each, only_root=limits["count"] == "root") for each in tools]
    total = sum(counts)
    if total <= most:
        return
    worst = max(range(len(tools)), key=counts.__getitem__)
    yield Finding(
        message=f"the tools have {total} optional properties; the limit is {most}",
        fix=f"require properties and let them be null; {quoted(tools[worst].label)} has "
        f"the most, {counts[worst]}",
    )


def _optional(tool: Definition, *, only_root: bool) -> int:
    """Count the optional properties of one tool."""
    return sum(
        len(node.optional_names)
        for node in tool.having("properties")
        if node.is_object and (node.is_root or not only_root)
    )


RULE = Rule(
    code="TG433",
    name="too-many-optional-properties",
    since="0.1.0",
    check_list=check_list,
    limits={"max": 24, "count": "all-objects"},
    examples=(
        Example(
            tools=(
                {"inputSchema": {"properties": {"a": {}, "b": {}}, "required": ["b"]}},
                {"inputSchema": {"properties": {"a": {"properties": {"c": {}}}}}},
            ),
            limits={"max": 2},
            reports=("TG433",),
        ),
        Example(
            tools=({"inputSchema": {"properties": {"a": {"properties": {"c": {}}}}}},),
            limits={"max": 1, "count": "root"},
        ),
    ),
)
