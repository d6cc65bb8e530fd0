"""A type has a name that the target does not know.

Why is this bad?
    JSON Schema has seven types. Others, from databases, data sets and programming
    languages (``float``, ``list``, ``any``, ``enum``), make it no schema at all.

Instead
    Name one of the seven; for "anything", leave ``type`` out. A choice of texts is
    ``{"type": "string", "enum": […]}``.

Sources
    JSON Schema validation 2020-12 section 6.1.1; a target that takes fewer types
    cites its page.
"""

from __future__ import annotations

from toolgauge.rules._messages import listed, shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each type, alone or in a list, that is not in ``limits["types"]``."""
    types: list[str] = limits["types"]
    for node in tool.having("type"):
        given = node.schema["type"]
        members = enumerate(given) if isinstance(given, list) else ((None, given),)
        for index, each in members:
            if each in types:
                continue
            yield Finding(
                message=f"the type is {shown(each)}; it may be {listed(types)}",
                path=node.at("type") if index is None else node.at("type", index),
                fix="name one of these types, or leave type out where anything goes",
            )


RULE = Rule(
    code="TG317",
    name="unsupported-type",
    since="0.1.0",
    check=check,
    limits={"types": ["object", "array", "string", "integer", "number", "boolean", "null"]},
    examples=(
        Example.of_property("a", {"type": "float"}, "TG317"),
        Example.of_property("a", {"type": ["string", "any"]}, "TG317"),
        Example.of_property("a", {"type": "null"}, "TG317", limits={"types": ["object"]}),
        Example.of_property("a", {"type": ["string", "null"]}),
    ),
)
