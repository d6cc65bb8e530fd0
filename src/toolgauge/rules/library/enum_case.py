"""Values of an enum differ only by case.

Why is this bad?
    A provider that constrains what the model writes may not guarantee the case of
    letters: of two such values, one arrives as the other.

Instead
    Use values that differ in more than the case of their letters.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each value that another one before it equals but for case."""
    for node in tool.having("enum"):
        enum = node.schema["enum"]
        first: dict[str, str] = {}
        for index, value in enumerate(enum if isinstance(enum, list) else ()):
            if not isinstance(value, str):
                continue
            known = first.setdefault(value.casefold(), value)
            if known == value:
                continue
            yield Finding(
                message=f"the values {quoted(known)} and {quoted(value)} differ only by case",
                path=node.at("enum", index),
                fix="use values that differ in more than case",
            )


RULE = Rule(
    code="TG450",
    name="enum-case",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("a", {"enum": ["High", "low", "high"]}, "TG450"),
        Example.of_property("a", {"enum": ["high", "low", "high", 1]}),
    ),
)
