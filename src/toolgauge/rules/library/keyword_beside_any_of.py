"""A keyword stands beside a union, where the reader of the schema does not look.

Why is this bad?
    Some readers take the union and drop what stands beside it; others refuse the
    request. Either way the keyword does not do what it says.

Instead
    Move the keyword into each branch of the union, or the union into a property of
    its own.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each listed keyword beside a union; with no list, each but the allowed."""
    listed: list[str] = limits["keywords"]
    for union in limits["beside"]:
        for node in tool.having(union):
            for keyword in node.schema:
                if keyword == union or keyword in limits["allowed"]:
                    continue
                if listed and keyword not in listed:
                    continue
                yield Finding(
                    message=f"{keyword!r} stands beside {union!r}",
                    path=node.at(keyword),
                    fix=f"move {keyword!r} into each branch of {union!r}",
                )


RULE = Rule(
    code="TG414",
    name="keyword-beside-any-of",
    since="0.1.0",
    check=check,
    limits={"keywords": ["type"], "beside": ["anyOf"], "allowed": []},
    examples=(
        Example.of({"type": "object", "anyOf": [{"required": ["a"]}]}, "TG414"),
        Example.of({"anyOf": [{"type": "object"}]}),
        Example.of(
            {"title": "T", "default": {}, "anyOf": [{"type": "object"}]},
            "TG414",
            limits={"keywords": [], "allowed": ["title"]},
        ),
    ),
)
