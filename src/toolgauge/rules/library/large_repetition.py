"""A length or a repetition is larger than a grammar can be built for.

Why is this bad?
    A runtime that turns the schema into a grammar writes the repeated part once for
    each repetition. Past its bound it refuses the request.

Instead
    Leave the bound out and check it in the handler, or lower it.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.contract.schema.explain.scalars import is_number
from toolgauge.rules._patterns import patterns_of, repetitions
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each listed keyword, and each pattern, that repeats ``limits["max"]`` times."""
    bound: int = limits["max"]
    for keyword in limits["keywords"]:
        for node in tool.having(keyword):
            count = node.schema[keyword]
            if is_number(count) and count >= bound:
                yield Finding(
                    message=f"{keyword!r} is {count}; it must be less than {bound}",
                    path=node.at(keyword),
                    fix=f"remove {keyword!r} or lower it",
                )
    for pattern, path in patterns_of(tool):
        most = max((max(each.bounds) for each in repetitions(pattern)), default=0)
        if most >= bound:
            yield Finding(
                message=f"the pattern repeats a part {most} times; it must be less than {bound}",
                path=path,
                fix="lower the repetition, or remove the pattern and describe it",
            )


RULE = Rule(
    code="TG419",
    name="large-repetition",
    since="0.1.0",
    check=check,
    limits={"max": 2000, "keywords": ["maxLength", "maxItems", "minLength", "minItems"]},
    examples=(
        Example.of({"properties": {"p": {"type": "string", "maxLength": 2000}}}, "TG419"),
        Example.of({"properties": {"p": {"type": "string", "maxLength": 1999}}}),
        Example.of({"properties": {"p": {"pattern": "^a{1,5000}$"}}}, "TG419"),
        Example.of({"properties": {"p": {"pattern": "^[{5000}]$"}}}),
    ),
)
