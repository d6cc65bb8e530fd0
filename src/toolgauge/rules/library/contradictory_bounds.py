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

from typing import TYPE_CHECKING

from toolgauge.rules._numbers import is_number
from toolgauge.rules._rule import Example, Finding, Limits, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition

_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:  # noqa: ARG001
    """Report each pair of bounds that no value can meet, at the lower one."""
    for lower, upper in _PAIRS:
        for node in tool.having(lower):
            low, high = node.schema[lower], node.schema.get(upper)
            if not (is_number(low) and is_number(high) and low > high):
                continue
            yield Finding(
                rule=RULE.code,
                message=f"{lower!r} is {low} and {upper!r} is {high}: no value fits",
                path=node.at(lower),
                fix=f"make {lower!r} at most {upper!r}",
            )


RULE = Rule(
    code="TG420",
    name="contradictory-bounds",
    since="0.1.0",
    check=check,
    limits={},
    examples=(
        Example(
            tool={"inputSchema": {"properties": {"p": {"minimum": 5, "maximum": 1}}}},
            reports=("TG420",),
        ),
        Example(tool={"inputSchema": {"properties": {"p": {"minimum": 5, "maximum": 5}}}}),
    ),
)
