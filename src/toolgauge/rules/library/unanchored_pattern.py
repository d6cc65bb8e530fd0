"""A pattern does not start with ``^`` and end with ``$``.

Why is this bad?
    JSON Schema searches for a pattern anywhere in the text; a grammar must match it
    whole, so a reader refuses a pattern that leaves the ends open, or closes them.

Instead
    Write ``^`` and ``$`` around the pattern. Where the text may go on, say so:
    ``^.*abc.*$``.

Sources
    JSON Schema validation 2020-12 section 6.3.3; each target cites the refusal. Keys
    of ``patternProperties`` are not looked at: they are open on purpose.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._patterns import is_anchored
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``pattern`` that is open at an end."""
    for node in tool.having("pattern"):
        pattern = node.schema["pattern"]
        if not isinstance(pattern, str) or is_anchored(pattern):
            continue
        yield Finding(
            message=f"the pattern {quoted(pattern)} does not start with ^ and end with $",
            path=node.at("pattern"),
            fix="write ^ and $ around it, with .* where the text may go on",
        )


RULE = Rule(
    code="TG412",
    name="unanchored-pattern",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("pattern", {"type": "string", "pattern": "[a-z]+"}, "TG412"),
        Example.of_property("pattern", {"type": "string", "pattern": r"^a\$"}, "TG412"),
        Example.of_property("pattern", {"type": "string", "pattern": "^[a-z]+$"}),
    ),
)
