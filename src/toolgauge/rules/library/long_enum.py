"""One enum has many values and much text.

Why is this bad?
    Past a number of values the length of their text counts too, and the request is
    refused.

Instead
    Shorten the values, or take text and describe what is allowed.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each enum of text past both ``limits["count"]`` and ``limits["max_chars"]``."""
    for node in tool.having("enum"):
        found = node.schema["enum"]
        values = (
            [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
        )
        if len(values) <= limits["count"]:
            continue
        length = sum(len(each) for each in values)
        if length <= limits["max_chars"]:
            continue
        yield Finding(
            message=f"the enum has {len(values)} values with {length} characters; more than "
            f"{limits['count']} may have {limits['max_chars']}",
            path=node.at("enum"),
            fix="shorten the values, or take text and describe what is allowed",
        )


RULE = Rule(
    code="TG437",
    name="long-enum",
    since="0.1.0",
    check=check,
    limits={"count": 250, "max_chars": 15_000},
    examples=(
        Example.of(
            {"properties": {"a": {"enum": ["aaa", "bbb"]}}},
            "TG437",
            limits={"count": 1, "max_chars": 5},
        ),
        Example.of(
            {"properties": {"a": {"enum": ["aaa", "bbb"]}}}, limits={"count": 2, "max_chars": 5}
        ),
    ),
)
