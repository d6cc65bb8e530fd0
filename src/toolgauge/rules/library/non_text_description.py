"""A tool's description is no text.

Why is this bad?
    The member is a string in every format. A ``null`` or a list there makes a
    provider refuse the request, or a client drop the tool.

Instead
    Give text, or leave the member out.

Sources
    The Model Context Protocol's ``Tool.description`` is an optional string;
    each target cites its own page.
"""

from __future__ import annotations

from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report a description that is there and is no text; ``null`` is none."""
    if tool.description is MISSING or isinstance(tool.description, str):
        return
    yield Finding(
        message=f"the description is {kind_of(tool.description)}; it must be text",
        path=tool.description_path,
        fix="write it as text, or leave the member out",
    )


RULE = Rule(
    code="TG203",
    name="non-text-description",
    since="0.1.0",
    check=check,
    examples=(
        Example(tool={"name": "a", "description": None}, reports=("TG203",)),
        Example(tool={"name": "a", "description": ["Search."]}, reports=("TG203",)),
        Example(tool={"name": "a", "description": "Search."}),
        Example(tool={"name": "a"}),
    ),
)
