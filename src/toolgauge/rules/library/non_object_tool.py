"""A tool is no JSON object, or an empty one.

Why is this bad?
    There is nothing to call. A null or a text in the list refuses the request, and
    often hides the tools around it.

Instead
    Remove the entry, or write the definition.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report a tool that is no object at all."""
    if isinstance(tool.given, Mapping):
        return
    yield Finding(
        message=f"the tool is {kind_of(tool.given)}, not an object with a name and a schema",
        fix="remove the entry, or write the definition",
    )


RULE = Rule(
    code="TG442",
    name="non-object-tool",
    since="0.1.0",
    check=check,
    examples=(
        Example(tools=("search",), reports=("TG442",)),
        Example(tool={"name": "a"}),
    ),
)
