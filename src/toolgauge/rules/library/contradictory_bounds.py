"""A lower bound is larger than the upper bound.

Why is this bad?
    No value fits, so every call is refused; builders of grammars fail at it, and
    the whole request with them.

Instead
    Swap the bounds, or correct the wrong one.

Sources
    JSON Schema validation 2020-12 section 6 defines each bound by itself; nothing
    there forbids the contradiction. Each target that applies this cites the page or
    the report, and the date read.
"""

from __future__ import annotations

from toolgauge.contract.schema.explain.scalars import is_number
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each pair of bounds that no value can meet, at the lower one."""
    for lower, upper in _PAIRS:
        for node in tool.having(lower):
            low, high = node.schema[lower], node.schema.get(upper)
            if not (is_number(low) and is_number(high) and low > high):
                continue
            yield Finding(
                message=f"{lower!r} is {low} and {upper!r} is {high}: no value fits",
                path=node.at(lower),
                fix=f"make {lower!r} at most {upper!r}",
            )


RULE = Rule(
    code="TG420",
    name="contradictory-bounds",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"p": {"minimum": 5, "maximum": 1}}}, "TG420"),
        Example.of({"properties": {"p": {"minimum": 5, "maximum": 5}}}),
    ),
)
