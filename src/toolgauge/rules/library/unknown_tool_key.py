"""A tool has a key that the target does not know.

Why is this bad?
    A strict reader refuses the whole request for one key too many; the usual ones
    come from another provider's shape.

Instead
    Rename the key to the target's own, or leave it out.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each key outside ``limits["allowed"]``.

    With ``limits["inside_wrapper"]`` the keys beside the name count, not those
    of the wrapper around them.
    """
    allowed: list[str] = limits["allowed"]
    is_inside = limits["inside_wrapper"]
    body, way = (tool.body, tool.body_path) if is_inside else (tool.raw, ())
    for key in body:
        if key in allowed:
            continue
        yield Finding(
            message=f"key {quoted(key)} is not allowed; allowed: {', '.join(allowed)}",
            path=(*way, key),
            fix=f"remove {quoted(key)}, or rename it to one of the allowed keys",
        )


RULE = Rule(
    code="TG439",
    name="unknown-tool-key",
    since="0.1.0",
    check=check,
    limits={
        "allowed": ["name", "description", "input_schema", "parameters"],
        "inside_wrapper": False,
    },
    examples=(
        Example(tool={"name": "a", "parameters": {}, "title": "A"}, reports=("TG439",)),
        Example(tool={"name": "a", "parameters": {}}),
        Example(
            tool={"type": "function", "function": {"name": "a", "parameters": {}}},
            limits={"inside_wrapper": True},
        ),
    ),
)
