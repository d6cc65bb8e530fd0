"""A branch of a union does not say what type it is.

Why is this bad?
    A reader that chooses the branch by its type finds none and refuses the tool.

Instead
    Give each branch a `type`.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each branch of ``anyOf`` with none of ``limits["instead"]``."""
    instead: list[str] = limits["instead"]
    for node in tool.having("anyOf"):
        for index, branch in enumerate(node.branches("anyOf")):
            if isinstance(branch, dict) and any(key in branch for key in instead):
                continue
            yield Finding(
                message=f"branch {index} of anyOf has none of {', '.join(instead)}",
                path=node.at("anyOf", index),
                fix="give the branch a type",
            )


RULE = Rule(
    code="TG424",
    name="untyped-branch",
    since="0.1.0",
    check=check,
    limits={"instead": ["type", "anyOf", "$ref"]},
    examples=(
        Example.of({"properties": {"p": {"anyOf": [{"enum": [1]}, {"type": "null"}]}}}, "TG424"),
        Example.of({"properties": {"p": {"anyOf": [{"type": "null"}]}}}),
    ),
)
