"""A tool has no name.

Why is this bad?
    The name is how the model calls the tool. Without one the whole request is
    refused, or the tool is dropped without a word.

Instead
    Give the tool a short name of letters, digits, ``_`` and ``-``.

Sources
    The Model Context Protocol and every tool format require ``name`` and make
    it a string; each target cites its own page.
"""

from __future__ import annotations

from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report a name that is not there, is no text, or is empty."""
    if isinstance(tool.name, str) and tool.name:
        return
    if tool.name is MISSING:
        message = "the tool has no name"
    elif tool.name == "":
        message = "the name is empty"
    else:
        message = f"the name is {kind_of(tool.name)}; it must be text"
    yield Finding(
        message=message,
        path=tool.name_path,
        fix="give the tool a name of letters, digits, _ and -",
    )


RULE = Rule(
    code="TG101",
    name="missing-tool-name",
    since="0.1.0",
    check=check,
    examples=(
        Example(tool={"description": "Search."}, reports=("TG101",)),
        Example(tool={"name": ""}, reports=("TG101",)),
        Example(tool={"name": None}, reports=("TG101",)),
        Example(tool={"name": "search"}),
    ),
)
