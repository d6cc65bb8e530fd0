"""An enum lists the empty text.

Why is this bad?
    A reader may take an empty member for a missing one and refuse the request.

Instead
    Drop the member, leave the property out of ``required``, and take an absent value
    for "unset"; or give the choice a name: ``"none"``.

Sources
    JSON Schema validation 2020-12 section 6.1.2 allows it; each target cites the
    refusal.
"""

from __future__ import annotations

from toolgauge.rules._messages import counted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each member that is ``""``."""
    for node in tool.having("enum"):
        members = node.schema["enum"]
        if not isinstance(members, list):
            continue
        for index, each in enumerate(members):
            if each != "":
                continue
            yield Finding(
                message=f"member {index} of {counted(len(members), 'enum member')} is empty",
                path=node.at("enum", index),
                fix="drop the empty member, or give it a name",
            )


RULE = Rule(
    code="TG407",
    name="empty-enum-member",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("enum", {"enum": ["", "a"]}, "TG407"),
        Example.of_property("enum", {"enum": [" ", "a"]}),
    ),
)
