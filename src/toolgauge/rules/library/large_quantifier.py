"""A pattern repeats something too often.

Why is this bad?
    ``{n,m}`` is written out in a grammar, so a large one makes a large grammar. A
    provider refuses the request, or takes long to answer.

Instead
    Use ``*`` or ``+``, and ``maxLength`` where the target takes it.

Sources
    ECMA-262, "Quantifiers"; each target cites its limit.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._patterns import patterns_of, repetitions
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each pattern once whose largest ``{n}``, ``{n,}`` or ``{n,m}`` is beyond ``max``."""
    most: int = limits["max"]
    for pattern, path in patterns_of(tool):
        largest = max(repetitions(pattern), key=lambda each: max(each.bounds), default=None)
        if largest is None or max(largest.bounds) <= most:
            continue
        yield Finding(
            message=(
                f"the pattern {quoted(pattern)} repeats {quoted(largest.text)}"
                f" at {largest.start}; the limit is {most}"
            ),
            path=path,
            fix="use * or +, or a smaller number",
        )


def _tool(pattern: str) -> dict[str, object]:
    place = {"type": "string", "pattern": pattern}
    return {"inputSchema": {"type": "object", "properties": {"pattern": place}}}


RULE = Rule(
    code="TG411",
    name="large-quantifier",
    since="0.1.0",
    check=check,
    limits={"max": 99},
    examples=(
        Example(tool=_tool("a{100}"), reports=("TG411",)),
        Example(tool=_tool("a{1,100}"), reports=("TG411",)),
        Example(tool=_tool("a{100,}"), reports=("TG411",)),
        Example(tool=_tool(r"a{99}b{1,99}c{99,}[{100}]\{100\}")),
    ),
)
