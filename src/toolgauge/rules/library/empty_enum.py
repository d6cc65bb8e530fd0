"""An enum lists nothing.

Why is this bad?
    No value is allowed, so no call can be right; grammars cannot be built from it.

Instead
    List the values, or leave ``enum`` out.

Sources
    JSON Schema validation 2020-12 section 6.1.2: the list should have at least one
    member.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``enum`` that is ``[]``."""
    for node in tool.having("enum"):
        if node.schema["enum"] != []:
            continue
        yield Finding(
            message="the enum has 0 members",
            path=node.at("enum"),
            fix="list the values, or leave enum out",
        )


RULE = Rule(
    code="TG408",
    name="empty-enum",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("enum", {"enum": []}, "TG408"),
        Example.of_property("enum", {"enum": ["a"]}),
    ),
)
