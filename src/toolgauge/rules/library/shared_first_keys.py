"""Two branches of a union are objects that begin with the same property.

Why is this bad?
    A decoder that writes the object from left to right chooses the branch by the
    first key. With the same one it cannot choose, and the schema is refused.

Instead
    Put a property that tells the branches apart first in each of them.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each branch whose first property is that of an earlier branch."""
    for node in tool.having("anyOf"):
        earlier: dict[str, int] = {}
        for index, branch in enumerate(node.branches("anyOf")):
            properties = tool.resolved(branch).get("properties")
            if not isinstance(properties, dict) or not properties:
                continue
            first = next(iter(properties))
            known = earlier.setdefault(first, index)
            if known == index:
                continue
            yield Finding(
                message=f"branches {known} and {index} both begin with property {quoted(first)}",
                path=node.at("anyOf", index),
                fix="begin each branch with a property of its own",
            )


RULE = Rule(
    code="TG421",
    name="shared-first-keys",
    since="0.1.0",
    check=check,
    examples=(
        Example.of(
            {"anyOf": [{"properties": {"kind": {}, "a": {}}}, {"properties": {"kind": {}}}]},
            "TG421",
        ),
        Example.of({"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}),
    ),
)
