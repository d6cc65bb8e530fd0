"""An enum lists something other than text.

Why is this bad?
    JSON Schema allows any value; a reader whose enums are lists of texts refuses the
    request.

Instead
    Write the members as text and read them back as numbers when the call arrives.

Sources
    JSON Schema validation 2020-12 section 6.1.2; each target cites the refusal.
"""

from __future__ import annotations

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each enum once, at the first member that is no text."""
    for node in tool.having("enum"):
        members = node.schema["enum"]
        if not isinstance(members, list):
            continue
        others = [index for index, each in enumerate(members) if not isinstance(each, str)]
        if not others:
            continue
        first = others[0]
        yield Finding(
            message=(
                f"enum member {first} is {shown(members[first])}, not text;"
                f" {len(others)} of {len(members)} are such"
            ),
            path=node.at("enum", first),
            fix="write the members as text, and read them back when the call arrives",
        )


RULE = Rule(
    code="TG406",
    name="non-text-enum",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("enum", {"enum": ["a", 1, None]}, "TG406"),
        Example.of_property("enum", {"enum": ["a", "1"]}),
    ),
)
