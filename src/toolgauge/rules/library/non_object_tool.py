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
from typing import TYPE_CHECKING

from toolgauge.rules._rule import Example, Finding, Limits, Rule
from toolgauge.rules._words import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:  # noqa: ARG001
    """Report a tool that is no object at all."""
    if isinstance(tool.given, Mapping):
        return
    yield Finding(
        rule=RULE.code,
        message=f"the tool is {kind_of(tool.given)}, not an object with a name and a schema",
        fix="remove the entry, or write the definition",
    )


RULE = Rule(
    code="TG442",
    name="non-object-tool",
    since="0.1.0",
    check=check,
    limits={},
    examples=(
        Example(tools=("search",), reports=("TG442",)),
        Example(tool={"name": "a"}),
    ),
)
