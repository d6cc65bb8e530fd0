"""A wrapped tool does not say what kind of tool it is.

Why is this bad?
    The entry's `type` tells the reader which member to look at. Without it the
    request does not parse.

Instead
    Put `"type": "function"` beside `function`.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a tool inside ``function`` whose ``type`` is another or missing."""
    wanted: str = limits["type"]
    found = tool.raw.get("type", MISSING)
    if tool.name_path[0] != "function" or found == wanted:
        return
    given = "missing" if found is MISSING else shown(found)
    yield Finding(
        message=f"the tool is wrapped in 'function' and its type is {given}, not {wanted!r}",
        path=("type",),
        fix=f'add "type": "{wanted}"',
    )


RULE = Rule(
    code="TG447",
    name="missing-tool-wrapper",
    since="0.1.0",
    check=check,
    limits={"type": "function"},
    examples=(
        Example(tool={"function": {"name": "a"}}, reports=("TG447",)),
        Example(tool={"type": "tool", "function": {"name": "a"}}, reports=("TG447",)),
        Example(tool={"type": "function", "function": {"name": "a"}}),
        Example.of({"type": "object"}),
    ),
)
