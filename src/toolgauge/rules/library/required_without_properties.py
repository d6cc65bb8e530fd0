"""`required` is given where there are no properties.

Why is this bad?
    An empty list is enough: a validator that wants `properties` wherever it finds
    `required` refuses the request.

Instead
    Remove `required`, or list the properties.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.rules._places import is_where
from toolgauge.rules._rule import Example, Finding, Limits, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:
    """Report each ``required`` on a node with no or empty ``properties``."""
    for node in tool.having("required"):
        if node.schema.get("properties") or not is_where(node, limits["where"]):
            continue
        state = "empty" if "properties" in node.schema else "missing"
        yield Finding(
            rule=RULE.code,
            message=f"required is given and properties is {state}",
            path=node.at("required"),
            fix="remove required, or list the properties",
        )


RULE = Rule(
    code="TG423",
    name="required-without-properties",
    since="0.1.0",
    check=check,
    limits={"where": "all"},
    examples=(
        Example(tool={"inputSchema": {"type": "object", "required": []}}, reports=("TG423",)),
        Example(tool={"inputSchema": {"type": "object", "properties": {}}}),
        Example(tool={"inputSchema": {"properties": {"a": {}}, "required": ["a"]}}),
    ),
)
