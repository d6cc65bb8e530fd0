"""Other keywords stand beside a reference.

Why is this bad?
    In JSON Schema 2020-12 they count; before, they were ignored. A provider may
    refuse the schema, or drop one side without a word.

Instead
    Write the target out where it is used, or move the reference into an ``anyOf``
    with one member and keep the keywords beside that.

Sources
    JSON Schema core 2020-12 section 8.2.3.1, draft-07 section 8.3; each target
    cites the refusal. ``$defs`` holds schemas and applies none, so it is no sibling.
"""

from __future__ import annotations

from toolgauge.rules._links import links_of, walk
from toolgauge.rules._messages import listed
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_NO_SIBLINGS = ("$ref", "$defs", "definitions")


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``$ref`` that has siblings outside ``limits["allowed"]``, naming them.

    With ``limits["in_target"]`` only those siblings count that the target has too,
    with ``limits["recursive"]`` only those of a reference that leads back to itself.
    """
    allowed = {*_NO_SIBLINGS, *limits["allowed"]}
    closing = _closing(tool) if limits["recursive"] and tool.having("$ref") else ()
    for node in tool.having("$ref"):
        siblings = [keyword for keyword in node.schema if keyword not in allowed]
        if siblings and limits["in_target"]:
            target = tool.follow(node.schema["$ref"])
            known = {} if target is None or target is node else target.schema
            siblings = [keyword for keyword in siblings if keyword in known]
        if not siblings or (limits["recursive"] and id(node) not in closing):
            continue
        yield Finding(
            message=f"$ref stands beside {listed(siblings)}",
            path=node.path,
            fix="write the target out here, or put the $ref into an anyOf of one member",
        )


def _closing(tool: Definition) -> set[int]:
    """Give the references that lead back to themselves, by identity."""
    return {id(node) for node in walk(tool.nodes[:1], links_of(tool)).closing}


def _tool(**siblings: object) -> dict[str, object]:
    place = {"$ref": "#/$defs/a", **siblings}
    return {"inputSchema": {"properties": {"a": place}, "$defs": {"a": {"type": "string"}}}}


RULE = Rule(
    code="TG315",
    name="reference-siblings",
    since="0.1.0",
    check=check,
    limits={"allowed": [], "in_target": False, "recursive": False},
    examples=(
        Example.of(
            {"properties": {"a": {"$ref": "#", "type": "object"}}},
            "TG315",
            limits={"recursive": True},
        ),
        Example(tool=_tool(type="string"), limits={"recursive": True}),
        Example(tool=_tool(description="the first"), reports=("TG315",)),
        Example(tool=_tool(description="the first"), limits={"allowed": ["description"]}),
        Example(tool=_tool(description="the first"), limits={"in_target": True}),
        Example(tool=_tool(type="string"), limits={"in_target": True}, reports=("TG315",)),
        Example(tool=_tool()),
    ),
)
