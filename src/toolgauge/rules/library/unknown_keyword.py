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

from typing import TYPE_CHECKING

from toolgauge.rules._places import is_where
from toolgauge.rules._rule import Example, Finding, Limits, Rule
from toolgauge.rules._words import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:
    """Report each keyword that is not in ``limits["allowed"]``."""
    allowed = frozenset(limits["allowed"])
    strange = [keyword for keyword in tool.keywords if keyword not in allowed]
    for keyword in strange:
        for node in tool.having(keyword):
            if not is_where(node, limits["where"]):
                continue
            yield Finding(
                rule=RULE.code,
                message=f"the keyword {quoted(keyword)} is not known here",
                path=node.at(keyword),
                fix="leave it out and say in the description what it demands",
            )


def _tool(**place: object) -> dict[str, object]:
    return {"inputSchema": {"type": "object", "properties": {"title": place}}}


_LIMITS = {"allowed": ["type", "properties"]}

RULE = Rule(
    code="TG402",
    name="unknown-keyword",
    since="0.1.0",
    check=check,
    limits={"allowed": [], "where": "all"},
    examples=(
        Example(tool=_tool(type="string", title="A"), limits=_LIMITS, reports=("TG402",)),
        Example(tool=_tool(type="string"), limits=_LIMITS),
        Example(tool=_tool(title="A"), limits={**_LIMITS, "where": "root"}),
    ),
)
