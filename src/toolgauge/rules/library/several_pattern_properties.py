"""``patternProperties`` has more patterns than the reader of the schema takes.

Why is this bad?
    A name may match several patterns, and then all their schemas apply. A builder of
    grammars that cannot combine them refuses the request.

Instead
    Write one pattern, or ``additionalProperties`` with a schema for all members.

Sources
    Each target that applies this cites the builder and its version.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``patternProperties`` with more than ``limits["max"]`` patterns."""
    for node in tool.having("patternProperties"):
        patterns = node.schema["patternProperties"]
        if isinstance(patterns, dict) and len(patterns) > limits["max"]:
            count, most = len(patterns), limits["max"]
            yield Finding(
                message=f"patternProperties has {count} patterns; the limit is {most}",
                path=node.at("patternProperties"),
                fix="write additionalProperties with a schema for all members",
            )


RULE = Rule(
    code="TG465",
    name="several-pattern-properties",
    since="0.1.0",
    check=check,
    limits={"max": 1},
    examples=(
        Example.of({"patternProperties": {"^a": {}, "^b": {}}}, "TG465"),
        Example.of({"patternProperties": {"^a": {}}}),
    ),
)
