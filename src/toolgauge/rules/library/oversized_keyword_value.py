"""A keyword's number is larger than the target takes.

Why is this bad?
    The keyword is supported, but only up to a number; the request is refused beyond.

Instead
    Lower the number, or leave the keyword out and say it in the description.

Sources
    Each target names the keyword and the number and cites the page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each number of ``limits["keyword"]`` (one name or several) beyond ``max``."""
    given = limits["keyword"]
    most: float = limits["max"]
    for keyword in [given] if isinstance(given, str) else given:
        for node in tool.having(keyword):
            value = node.schema[keyword]
            if isinstance(value, bool) or not isinstance(value, int | float) or value <= most:
                continue
            yield Finding(
                message=f"{keyword} is {shown(value)}; the limit is {most}",
                path=node.at(keyword),
                fix=f"lower {keyword}, or say it in the description",
            )


RULE = Rule(
    code="TG403",
    name="oversized-keyword-value",
    since="0.1.0",
    check=check,
    limits={"keyword": "minItems", "max": 1},
    examples=(
        Example.of_property("minItems", {"minItems": 2}, "TG403"),
        Example.of_property(
            "minItems", {"maxItems": 9}, "TG403", limits={"keyword": ["minItems", "maxItems"]}
        ),
        Example.of_property("minItems", {"minItems": 1}),
    ),
)
