"""A tool has no description, or an empty one.

Why is this bad?
    The description is most of what the model knows about a tool. Some
    providers refuse an empty one, some clients put a placeholder there.

Instead
    Say in a sentence or two what the tool does and when to use it.

Sources
    Whether it is required, and whether it may be empty, differs by target;
    each cites the page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a description that is not there, or holds nothing but white space."""
    if tool.description is MISSING:
        wrong = "" if limits["allow_missing"] else "the tool has no description"
    elif isinstance(tool.description, str) and not tool.description.strip():
        wrong = "" if limits["allow_empty"] else "the description is empty"
    else:
        wrong = ""
    if not wrong:
        return
    yield Finding(
        message=wrong,
        path=tool.description_path,
        fix="say in a sentence what the tool does and when to use it",
    )


RULE = Rule(
    code="TG201",
    name="missing-description",
    since="0.1.0",
    check=check,
    limits={"allow_missing": False, "allow_empty": False},
    examples=(
        Example(tool={"name": "a"}, reports=("TG201",)),
        Example(tool={"name": "a", "description": " \n"}, reports=("TG201",)),
        Example(tool={"name": "a"}, limits={"allow_missing": True}),
        Example(tool={"name": "a", "description": ""}, limits={"allow_empty": True}),
        Example(tool={"name": "a", "description": "Search."}),
    ),
)
