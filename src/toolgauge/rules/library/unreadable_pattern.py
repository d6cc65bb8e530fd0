"""A pattern is no regular expression.

Why is this bad?
    No value can be held against it; a provider refuses the request.

Instead
    Correct the pattern. Patterns are those of JavaScript: groups are named
    ``(?<name>…)``, and ``(?i)`` does not exist.

Sources
    JSON Schema core 2020-12 section 6.4, ECMA-262 with the ``u`` flag. Whether a
    pattern is one is decided by the engine that validates calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.rules._patterns import patterns_of
from toolgauge.rules._rule import Example, Finding, Limits, Rule
from toolgauge.rules._words import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, _limits: Limits) -> Iterator[Finding]:
    """Report each pattern that the engine cannot compile."""
    if not tool.having("pattern", "patternProperties"):
        return
    # The engine is loaded when the first pattern turns up.
    from toolgauge.contract.schema.patterns import is_pattern  # noqa: PLC0415

    for pattern, path in patterns_of(tool):
        if is_pattern(pattern, DEFAULT_BOUNDS):
            continue
        yield Finding(
            rule=RULE.code,
            message=f"the pattern {quoted(pattern)} is no regular expression",
            path=path,
            fix="correct the pattern, or leave it out",
        )


def _tool(pattern: str) -> dict[str, object]:
    place = {"type": "string", "pattern": pattern}
    return {"inputSchema": {"type": "object", "properties": {"pattern": place}}}


RULE = Rule(
    code="TG413",
    name="unreadable-pattern",
    since="0.1.0",
    check=check,
    examples=(
        Example(tool=_tool("["), reports=("TG413",)),
        Example(tool=_tool("(a"), reports=("TG413",)),
        Example(tool=_tool(r"^\p{L}+$")),
    ),
)
