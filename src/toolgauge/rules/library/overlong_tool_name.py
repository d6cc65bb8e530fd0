"""A tool name is longer than the provider accepts.

Why is this bad?
    A provider may refuse the whole request for one bad name.

Instead
    Shorten the name. Put the detail in the description.

Sources
    Limits differ by provider, and clients put a prefix before the name; each
    target cites the page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the name once when it exceeds ``limits["max_length"]`` characters."""
    max_length: int = limits["max_length"]
    length = len(tool.full_name)
    if length <= max_length:
        return
    prefixed = f" with the prefix {tool.prefix!r}" if tool.prefix else ""
    yield Finding(
        message=f"name has {length} characters{prefixed}; the limit is {max_length}",
        path=tool.name_path,
        fix="shorten the name and move detail into the description",
    )


RULE = Rule(
    code="TG103",
    name="overlong-tool-name",
    since="0.1.0",
    check=check,
    limits={"max_length": 64},
    examples=(
        Example(tool={"name": "a" * 65}, reports=("TG103",)),
        Example(tool={"name": "a" * 64}),
        Example(tool={"name": "search"}, limits={"max_length": 4}, reports=("TG103",)),
    ),
)
