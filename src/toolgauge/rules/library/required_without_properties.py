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

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``required`` without ``properties``; with ``empty`` also beside empty ones."""
    for node in tool.having("required"):
        if node.schema.get("properties") or not node.is_where(limits["where"]):
            continue
        if "properties" in node.schema and not limits["empty"]:
            continue
        state = "empty" if "properties" in node.schema else "missing"
        yield Finding(
            message=f"required is given and properties is {state}",
            path=node.at("required"),
            fix="remove required, or list the properties",
        )


RULE = Rule(
    code="TG423",
    name="required-without-properties",
    since="0.1.0",
    check=check,
    limits={"where": "all", "empty": True},
    examples=(
        Example.of({"type": "object", "required": []}, "TG423"),
        Example.of({"type": "object", "properties": {}}),
        Example.of({"properties": {}, "required": []}, limits={"empty": False}),
        Example.of({"properties": {"a": {}}, "required": ["a"]}),
    ),
)
