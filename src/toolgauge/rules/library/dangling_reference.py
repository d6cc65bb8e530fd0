"""A ``$ref`` leads to a place that the schema does not have.

Why is this bad?
    Mostly a client or a gateway dropped ``$defs`` on the way. What cannot be
    resolved is refused, or taken for "anything goes".

Instead
    Put the definition back, or copy it to where it is used.

Sources
    JSON Schema 2020-12 core, sections 8.2.3 and 9.4.2; the Model Context
    Protocol asks clients to reject references that do not resolve.
"""

from __future__ import annotations

from urllib.parse import unquote

from toolgauge.contract.schema.document import ANCHORS, followed
from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each local ``$ref`` that leads to no schema.

    With ``limits["output"]`` in the output schema too.
    """
    for each in tool.read(output=limits["output"]):
        yield from _dangling(each)


def _dangling(tool: Definition) -> Findings:
    references = tool.having("$ref")
    anchors = _anchors(tool) if references else set()
    for node in references:
        reference = node.schema["$ref"]
        if not isinstance(reference, str) or not reference.startswith("#"):
            continue
        if unquote(reference[1:]) in anchors or tool.document.follow(reference) is not None:
            continue
        if _leads_inside_resource(node, reference):
            continue
        yield Finding(
            message=f"$ref {quoted(reference)} leads nowhere",
            path=node.at("$ref"),
            fix="put the definition there, or copy it to this place",
        )


def _leads_inside_resource(node: Node, reference: str) -> bool:
    """Tell whether a pointer holds inside the nearest subschema with an ``$id`` of its own."""
    here: Node | None = node
    while here is not None and not here.is_root:
        if isinstance(here.schema, dict) and isinstance(here.schema.get("$id"), str):
            return followed(here.schema, reference) is not None
        here = here.parent
    return False


def _anchors(tool: Definition) -> set[str]:
    """Give the names that subschemas give themselves; older drafts write ``"$id": "#name"``."""
    found: set[str] = set()
    for keyword in ANCHORS:
        names = (node.schema[keyword] for node in tool.having(keyword))
        found.update(name for name in names if isinstance(name, str))
    for node in tool.having("$id"):
        name = node.schema["$id"]
        if isinstance(name, str) and name.startswith("#"):
            found.add(name[1:])
    return found


RULE = Rule(
    code="TG312",
    name="dangling-reference",
    since="0.1.0",
    check=check,
    limits={"output": False},
    examples=(
        Example.of({"properties": {"b": {"$ref": "#/$defs/B"}}}, "TG312"),
        Example.of(
            {
                "properties": {"b": {"$ref": "#/$defs/B"}},
                "$defs": {"B": {"$anchor": "C"}},
                "items": {"$ref": "#C"},
            }
        ),
        Example.of({"properties": {"b": {"$ref": "#"}}}),
        Example.of({"properties": {"b": {"$ref": "other.json"}}}),
        Example(tool={"outputSchema": {"items": {"$ref": "#/$defs/B"}}}),
        Example(
            tool={"outputSchema": {"items": {"$ref": "#/$defs/B"}}},
            limits={"output": True},
            reports=("TG312",),
        ),
    ),
)
