"""All tools together have more properties of several types than the target compiles.

Why is this bad?
    A union multiplies the states of a grammar. The budget is for all tools of a
    request.

Instead
    Give a property one type; leave it out of `required` instead of letting it be
    null.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report the list once when more than ``limits["max"]`` properties are unions."""
    most: int = limits["max"]
    counts = [sum(_is_union(node) for node in each.nodes) for each in tools]
    total = sum(counts)
    if total <= most:
        return
    worst = max(range(len(tools)), key=counts.__getitem__)
    yield Finding(
        message=f"the tools have {total} properties of several types; the limit is {most}",
        fix=f"give properties one type; {quoted(tools[worst].label)} has the most, {counts[worst]}",
    )


def _is_union(node: Node) -> bool:
    """Tell whether a node is a property of several types."""
    if node.keyword != "properties" or not isinstance(node.schema, dict):
        return False
    schema = node.schema
    return "anyOf" in schema or "oneOf" in schema or isinstance(schema.get("type"), list)


RULE = Rule(
    code="TG434",
    name="too-many-union-properties",
    since="0.1.0",
    check_list=check_list,
    limits={"max": 16},
    examples=(
        Example(
            tools=(
                {"inputSchema": {"properties": {"a": {"type": ["string", "null"]}}}},
                {"inputSchema": {"properties": {"a": {"anyOf": [{"type": "null"}]}}}},
            ),
            limits={"max": 1},
            reports=("TG434",),
        ),
        Example(tools=({"inputSchema": {"properties": {"a": {"type": "null"}}, "anyOf": []}},)),
    ),
)
