"""A format is not one of those that the reader of the schema knows.

Why is this bad?
    An unknown format may refuse the whole request, or be dropped without a word:
    then the model is free to write what the tool does not take.

Instead
    Leave the format out and say in the description what the text looks like.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each format outside ``limits["formats"]``, on nodes of the listed types.

    With ``limits["untyped"]`` a node without a type is of each.
    """
    formats: list[str] = limits["formats"]
    types = set(limits["types"])
    for node in tool.having("format"):
        found = node.schema["format"]
        if found in formats:
            continue
        if types and types.isdisjoint(node.types) and (node.types or not limits["untyped"]):
            continue
        known = ", ".join(formats) or "none"
        yield Finding(
            message=f"format {shown(found)} is not supported; supported: {known}",
            path=node.at("format"),
            fix="remove the format and describe it in the description",
        )


RULE = Rule(
    code="TG415",
    name="unsupported-format",
    since="0.1.0",
    check=check,
    limits={"formats": [], "types": [], "untyped": False},
    examples=(
        Example.of(
            {"properties": {"p": {"type": "string", "format": "byte"}}},
            "TG415",
            limits={"formats": ["date", "uuid"]},
        ),
        Example.of(
            {"properties": {"p": {"type": "string", "format": "date"}}},
            limits={"formats": ["date", "uuid"]},
        ),
        Example.of(
            {"properties": {"p": {"type": "number", "format": "x"}}}, limits={"types": ["string"]}
        ),
        Example.of(
            {"properties": {"p": {"format": "byte"}}},
            "TG415",
            limits={"types": ["string"], "untyped": True},
        ),
        Example.of({"properties": {"p": {"format": "byte"}}}, limits={"types": ["string"]}),
    ),
)
