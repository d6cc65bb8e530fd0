"""A keyword is one that the target does not take.

Why is this bad?
    The request is refused, or the keyword is dropped and the model never hears of
    what it demands.

Instead
    Leave the keyword out and say in the description what it demanded; check it when
    the call arrives.

Sources
    Each target lists its keywords and cites the page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each keyword of ``limits["keywords"]``.

    With ``types``, only in subschemas that name one of these types.
    """
    types: list[str] = limits["types"]
    for keyword in tool.present(limits["keywords"]):
        for node in tool.having(keyword):
            if not node.is_where(limits["where"]):
                continue
            found = [each for each in node.types if each in types]
            if types and not found:
                continue
            beside = f" beside the type {found[0]!r}" if found else ""
            yield Finding(
                message=f"the keyword {keyword!r} is not supported{beside}",
                path=node.at(keyword),
                fix=f"leave {keyword!r} out and say in the description what it demands",
            )


RULE = Rule(
    code="TG401",
    name="unsupported-keyword",
    since="0.1.0",
    check=check,
    limits={"keywords": [], "where": "all", "types": []},
    examples=(
        Example.of_property("pattern", {"pattern": "a"}, "TG401", limits={"keywords": ["pattern"]}),
        Example.of_property("pattern", {"type": "string"}, limits={"keywords": ["pattern"]}),
        Example.of_property(
            "pattern", {"pattern": "a"}, limits={"keywords": ["pattern"], "where": "root"}
        ),
        Example.of_property(
            "pattern",
            {"type": "integer", "multipleOf": 2},
            limits={"keywords": ["multipleOf"], "types": ["number"]},
        ),
        Example.of_property("pattern", {"pattern": "a"}),
    ),
)
