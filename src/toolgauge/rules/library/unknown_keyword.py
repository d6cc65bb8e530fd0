"""A keyword is none of those that the target knows.

Why is this bad?
    The request is refused, or the keyword is dropped without a word.

Instead
    Leave the keyword out and say in the description what it demanded; check it when
    the call arrives.

Sources
    Each target lists the keywords that it knows and cites the page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each keyword that is not in ``limits["allowed"]``."""
    allowed = frozenset(limits["allowed"])
    strange = [keyword for keyword in tool.keywords if keyword not in allowed]
    for keyword in strange:
        for node in tool.having(keyword):
            if not node.is_where(limits["where"]):
                continue
            yield Finding(
                message=f"the keyword {quoted(keyword)} is not known here",
                path=node.at(keyword),
                fix="leave it out and say in the description what it demands",
            )


_LIMITS = {"allowed": ["type", "properties"]}

RULE = Rule(
    code="TG402",
    name="unknown-keyword",
    since="0.1.0",
    check=check,
    limits={"allowed": [], "where": "all"},
    examples=(
        Example.of_property("title", {"type": "string", "title": "A"}, "TG402", limits=_LIMITS),
        Example.of_property("title", {"type": "string"}, limits=_LIMITS),
        Example.of_property("title", {"title": "A"}, limits={**_LIMITS, "where": "root"}),
    ),
)
