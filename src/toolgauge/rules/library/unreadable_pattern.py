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

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each pattern that the engine cannot compile."""
    if not tool.having("pattern", "patternProperties"):
        return
    for issue in tool.pattern_violations():
        yield Finding(
            message=issue.message,
            path=(*tool.schema_path, *issue.path),
            fix="correct the pattern, or leave it out",
        )


RULE = Rule(
    code="TG413",
    name="unreadable-pattern",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("pattern", {"type": "string", "pattern": "["}, "TG413"),
        Example.of_property("pattern", {"type": "string", "pattern": "(a"}, "TG413"),
        Example.of_property("pattern", {"type": "string", "pattern": r"^\p{L}+$"}),
    ),
)
