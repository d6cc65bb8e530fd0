"""The list has fewer tools than a request must carry.

Why is this bad?
    A request that names a list of tools and leaves it empty is refused.

Instead
    Leave the list out of the request altogether, or add a tool.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report the list once when it has fewer than ``limits["min"]`` tools."""
    least: int = limits["min"]
    if len(tools) >= least:
        return
    yield Finding(
        message=f"the list has {len(tools)} tools; at least {least} must be given",
        fix="leave the list out of the request, or add a tool",
    )


RULE = Rule(
    code="TG431",
    name="too-few-tools",
    since="0.1.0",
    check_list=check_list,
    limits={"min": 1},
    examples=(
        Example(tools=({"name": "a"},), limits={"min": 2}, reports=("TG431",)),
        Example(tools=({"name": "a"},)),
    ),
)
