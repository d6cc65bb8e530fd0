"""The schema has references, and the target resolves none.

Why is this bad?
    What a reference stands for never reaches the model: the parameter is one of
    unknown type, or the request is refused.

Instead
    Write each target out where it is used.

Sources
    JSON Schema core 2020-12 section 8.2.3.1; each target cites what it does with one.
"""

from __future__ import annotations

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report every ``$ref``."""
    for node in tool.having("$ref"):
        yield Finding(
            message=f"the reference {shown(node.schema['$ref'])} is not resolved",
            path=node.at("$ref"),
            fix="write the target out here",
        )


def _tool(place: object) -> dict[str, object]:
    return {"inputSchema": {"properties": {"$ref": place}, "$defs": {"a": {"type": "string"}}}}


RULE = Rule(
    code="TG322",
    name="references",
    since="0.1.0",
    check=check,
    examples=(
        Example(tool=_tool({"$ref": "#/$defs/a"}), reports=("TG322",)),
        Example(tool=_tool({"type": "string", "default": {"$ref": "#/$defs/a"}})),
    ),
)
