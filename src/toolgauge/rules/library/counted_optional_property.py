"""The number of members is bounded where some of them are optional.

Why is this bad?
    A grammar writes declared members in order, each present or not, and does not
    count them. A builder refuses a bound on their number unless all are required.

Instead
    Require the members, or leave the bound out and say in the description what it
    demands.

Sources
    Each target that applies this cites the builder and its version.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule

_MAX_PARTS = 64
_KEYWORDS = ("minProperties", "maxProperties")


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each bound that counts, where a property is optional, ``allOf`` included."""
    for node in tool.having(*_KEYWORDS):
        if not _has_optional(tool, node):
            continue
        for keyword in _KEYWORDS:
            if keyword in node.schema and node.schema[keyword] != (0 if "min" in keyword else None):
                yield Finding(
                    message=f"{keyword!r} counts members of which some are optional",
                    path=node.at(keyword),
                    fix=f"remove {keyword!r}, or require every property",
                )


def _has_optional(tool: Definition, node: Node) -> bool:
    """Look at all that applies to the same object: members of ``allOf``, referents."""
    while node.keyword == "allOf" and node.parent is not None:
        node = node.parent
    row = [node.schema]
    required: set[str] = set()
    declared: set[str] = set()
    for schema in row:  # it grows while we look
        if not isinstance(schema, dict) or len(row) > _MAX_PARTS:
            continue
        members = schema.get("allOf")
        row += members if isinstance(members, list) else ()
        row += [tool.document.follow(schema["$ref"])] if "$ref" in schema else ()
        part = Node(schema, (), None, "", "")
        required.update(part.required_names)
        declared.update(part.property_names)
    return not declared <= required


RULE = Rule(
    code="TG463",
    name="counted-optional-property",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"a": {}}, "minProperties": 1}, "TG463"),
        Example.of({"properties": {"a": {}}, "required": ["a"], "maxProperties": 2}),
        Example.of({"type": "object", "minProperties": 1}),
        Example.of({"allOf": [{"properties": {"a": {}}}, {"minProperties": 1}]}, "TG463"),
        Example.of({"properties": {"a": {}}, "minProperties": 0}),
    ),
)
