"""A keyword stands on a schema of a type that it says nothing about.

Why is this bad?
    JSON Schema ignores it there. Readers that map each type to a record of its own
    have no place for it and refuse the request.

Instead
    Correct the type, or remove the keyword.

Sources
    JSON Schema core 2020-12 section 7.6.1: most assertions constrain values of one
    type only. Each target that applies this cites the page or the report, and the
    date read.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each keyword of ``limits["table"]`` on a node that names other types only."""
    table: dict[str, list[str]] = limits["table"]
    for keyword, types in table.items():
        for node in tool.having(keyword):
            if not set(types).isdisjoint(node.types):
                continue
            if not node.types and not limits["untyped"]:
                continue
            named = " or ".join(repr(each) for each in node.types) or "none"
            wanted = " or ".join(repr(each) for each in types)
            yield Finding(
                message=f"{keyword!r} belongs to type {wanted}; the type here is {named}",
                path=node.at(keyword),
                fix=f"correct the type or remove {keyword!r}",
            )


RULE = Rule(
    code="TG416",
    name="misplaced-keyword",
    since="0.1.0",
    check=check,
    limits={
        "table": {
            "items": ["array"],
            "properties": ["object"],
            "required": ["object"],
            "enum": ["string"],
        },
        "untyped": False,
    },
    examples=(
        Example.of({"properties": {"p": {"type": "string", "items": {}}}}, "TG416"),
        Example.of({"properties": {"p": {"type": "array", "items": {}}}}),
        Example.of({"properties": {"p": {"enum": ["a"]}}}),
        Example.of(
            {"type": "object", "properties": {"p": {"enum": ["a"]}}},
            "TG416",
            limits={"untyped": True},
        ),
    ),
)
