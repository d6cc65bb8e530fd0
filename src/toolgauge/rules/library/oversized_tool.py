"""One tool's definition is longer as JSON than the target takes.

Why is this bad?
    Every request carries it, used or not. A long one crowds out the conversation,
    and some clients put it aside.

Instead
    Shorten descriptions, drop examples and titles, or split the tool.

Sources
    Counted in characters, written without spaces. Each target that applies this
    cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._minified import minified_length
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a tool with more than ``limits["max_chars"]`` characters as JSON."""
    most: int = limits["max_chars"]
    length = minified_length(dict(tool.raw))
    if length <= most:
        return
    yield Finding(
        message=f"the tool has {length} characters without spaces; the limit is {most}",
        fix="shorten descriptions, drop examples and titles, or split the tool",
    )


RULE = Rule(
    code="TG449",
    name="oversized-tool",
    since="0.1.0",
    check=check,
    limits={"max_chars": 20_000},
    examples=(
        Example(tool={"name": "abc"}, limits={"max_chars": 13}, reports=("TG449",)),
        Example(tool={"name": "abc"}, limits={"max_chars": 14}),
    ),
)
