"""A tool's description is longer than the target takes.

Why is this bad?
    A provider refuses the request, or a client cuts the text and the model
    never sees the end of it.

Instead
    Say what the tool does and when to use it. Move what belongs to one
    parameter into that parameter's description.

Sources
    Limits differ by provider, model and client; each target cites the page and
    the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report a description of more than ``limits["max_length"]`` characters."""
    max_length: int = limits["max_length"]
    if not isinstance(tool.description, str):
        return
    length = len(tool.description)
    if length <= max_length:
        return
    yield Finding(
        message=f"description has {length} characters; the limit is {max_length}",
        path=tool.description_path,
        fix=f"shorten the description by {length - max_length}",
    )


RULE = Rule(
    code="TG202",
    name="overlong-description",
    since="0.1.0",
    check=check,
    limits={"max_length": 1024},
    examples=(
        Example(tool={"name": "a", "description": "x" * 1025}, reports=("TG202",)),
        Example(tool={"name": "a", "description": "x" * 1024}),
        Example(
            tool={"name": "a", "description": "Search."},
            limits={"max_length": 6},
            reports=("TG202",),
        ),
    ),
)
