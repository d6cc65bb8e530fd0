"""The list has more tools than one request may carry.

Why is this bad?
    The whole request is refused, or the client leaves out the tools past its limit
    without a word.

Instead
    Choose the tools for the task, split them over several servers or profiles, or
    let the client search for them.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report the list once when it has more than ``limits["max"]`` tools.

    With ``limits["deferred"]`` only tools with ``defer_loading: true`` count, with
    ``limits["namespaces"]`` those of one namespace count as one.
    """
    most: int = limits["max"]
    kind = "deferred tools" if limits["deferred"] else "tools"
    count = len(tools)
    if limits["namespaces"]:
        named = {each.namespace for each in tools if each.namespace}
        count = len(named) + sum(not each.namespace for each in tools)
    if limits["deferred"]:
        count = sum(each.body.get("defer_loading") is True for each in tools)
    if count <= most:
        return
    yield Finding(
        message=f"the list has {count} {kind}; the limit is {most}",
        fix=f"leave out {count - most}",
    )


RULE = Rule(
    code="TG430",
    name="too-many-tools",
    since="0.1.0",
    check_list=check_list,
    limits={"max": 128, "deferred": False, "namespaces": False},
    examples=(
        Example(tools=({"name": "a"}, {"name": "b"}), limits={"max": 1}, reports=("TG430",)),
        Example(tools=({"name": "a"}, {"name": "b"}), limits={"max": 2}),
        Example(
            tools=({"name": "a", "defer_loading": True}, {"name": "b"}),
            limits={"max": 0, "deferred": True},
            reports=("TG430",),
        ),
        Example(tools=({"name": "a"}, {"name": "b"}), limits={"max": 0, "deferred": True}),
    ),
)
