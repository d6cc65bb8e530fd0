"""A reference lies below an ``allOf``.

Why is this bad?
    A provider that merges the members of an ``allOf`` cannot merge what it has not
    looked up, and refuses the schema.

Instead
    Write the target out, then merge the ``allOf`` into one schema.

Sources
    Each target cites its own page.
"""

from __future__ import annotations

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``$ref`` that is written anywhere below an ``allOf``."""
    if not tool.having("allOf"):
        return
    for node in tool.having("$ref"):
        if not _is_below_all_of(node):
            continue
        yield Finding(
            message=f"the reference {shown(node.schema['$ref'])} lies below an allOf",
            path=node.at("$ref"),
            fix="write the target out here and merge the allOf",
        )


def _is_below_all_of(node: Node) -> bool:
    """Climb from holder to holder; what only a reference leads to lies elsewhere."""
    here: Node | None = node
    while here is not None and here.keyword != "$ref":
        if here.keyword == "allOf":
            return True
        here = here.parent
    return False


def _tool(place: object) -> dict[str, object]:
    return {"inputSchema": {"properties": {"a": place}, "$defs": {"a": {"type": "string"}}}}


_REFERENCE = {"$ref": "#/$defs/a"}

RULE = Rule(
    code="TG316",
    name="reference-inside-all-of",
    since="0.1.0",
    check=check,
    examples=(
        Example(tool=_tool({"allOf": [_REFERENCE]}), reports=("TG316",)),
        Example(tool=_tool({"allOf": [{"anyOf": [_REFERENCE]}]}), reports=("TG316",)),
        Example(tool=_tool({"anyOf": [_REFERENCE]})),
    ),
)
