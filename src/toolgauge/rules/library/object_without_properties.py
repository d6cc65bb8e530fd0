"""An object does not say which properties it has.

Why is this bad?
    ``{"type": "object"}`` is how a protocol may spell "no parameters", and what
    some providers refuse at the root, or answer with an empty object below it.

Instead
    Write ``"properties": {}`` for a tool without parameters. Describe the
    members of a nested object, or take it as text that holds JSON.

Sources
    JSON Schema 2020-12 core, section 10.3.2.1 (``properties`` is optional);
    each target cites its error text and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each subschema of type object without ``properties``."""
    allow_empty: bool = limits["allow_empty"]
    for node in tool.having("type"):
        if "object" not in node.types or not node.is_where(limits["where"]):
            continue
        if "properties" not in node.schema:
            message = "the object has no properties"
        elif node.schema["properties"] == {} and not allow_empty:
            message = "the object's properties are empty"
        else:
            continue
        yield Finding(
            message=message,
            path=node.path,
            fix='add "properties": {}' if allow_empty else "describe at least one property",
        )


RULE = Rule(
    code="TG306",
    name="object-without-properties",
    since="0.1.0",
    check=check,
    limits={"where": "root", "allow_empty": True},
    examples=(
        Example.of({"type": "object"}, "TG306"),
        Example.of({"type": "object", "properties": {}}),
        Example.of({"type": "object", "properties": {}}, "TG306", limits={"allow_empty": False}),
        Example.of({"properties": {"b": {"type": "object"}}}, "TG306", limits={"where": "nested"}),
        Example.of({"properties": {"b": {"type": "object"}}}),
    ),
)
