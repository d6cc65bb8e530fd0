"""A schema does not say which type it describes.

Why is this bad?
    To JSON Schema it describes anything; a provider that builds a grammar needs a
    type and refuses the request, or lets the model write what it likes.

Instead
    Add ``type``. For a value of any type, list the types in an ``anyOf``.

Sources
    JSON Schema validation 2020-12 section 6.1.1; each target cites the refusal and
    what may stand in place of ``type``.
"""

from __future__ import annotations

from toolgauge.rules._messages import listed
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each schema without ``type`` and without any keyword of ``instead``."""
    enough = {"type", *limits["instead"]}
    missing = listed(["type", *limits["instead"]])
    for node in tool.nodes:
        if not isinstance(node.schema, dict) or not node.is_where(limits["where"]):
            continue
        if not enough.isdisjoint(node.schema):
            continue
        yield Finding(
            message=f"the schema has none of {missing}",
            path=node.path,
            fix="add a type",
        )


RULE = Rule(
    code="TG405",
    name="untyped-schema",
    since="0.1.0",
    check=check,
    limits={
        "instead": ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"],
        "where": "all",
    },
    examples=(
        Example.of_property("type", {"description": "A"}, "TG405"),
        Example.of_property("type", {"const": 1}, "TG405", limits={"instead": ["anyOf"]}),
        Example.of_property("type", {}, limits={"where": "root"}),
        Example.of_property("type", {"enum": ["a"]}),
        Example.of_property("type", {"type": "string"}),
    ),
)
