"""An enum lists nothing, or a format promises an enum that is not there.

Why is this bad?
    No value is allowed, so no call can be right; grammars cannot be built from it.
    A provider that reads ``format: enum`` refuses a schema without the values.

Instead
    List the values, or leave ``enum`` and the format out.

Sources
    JSON Schema validation 2020-12 section 6.1.2: the list should have at least one
    member.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``enum`` that is ``[]``.

    A format in ``limits["promised_by"]`` without an ``enum`` beside it is reported too.
    """
    for node in tool.having("enum"):
        if node.schema["enum"] != []:
            continue
        yield Finding(
            message="the enum has 0 members",
            path=node.at("enum"),
            fix="list the values, or leave enum out",
        )
    promised_by: list[str] = limits["promised_by"]
    for node in tool.having("format") if promised_by else ():
        if node.schema["format"] not in promised_by or "enum" in node.schema:
            continue
        yield Finding(
            message=f"the format {quoted(node.schema['format'])} stands without an enum",
            path=node.at("format"),
            fix="list the values in enum, or leave the format out",
        )


RULE = Rule(
    code="TG408",
    name="empty-enum",
    since="0.1.0",
    check=check,
    limits={"promised_by": []},
    examples=(
        Example.of_property("enum", {"enum": []}, "TG408"),
        Example.of_property("enum", {"enum": ["a"]}),
        Example.of_property("enum", {"format": "enum"}),
        Example.of(
            {"properties": {"p": {"format": "enum"}}},
            "TG408",
            limits={"promised_by": ["enum"]},
        ),
    ),
)
