"""`required` lists a name twice.

Why is this bad?
    The list must be one of different names: it is no valid schema, and a strict
    reader refuses it.

Instead
    List each name once.

Sources
    JSON Schema validation 2020-12 section 6.5.3: elements of this array must be
    unique.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each name in ``required`` that came before."""
    for node in tool.having("required"):
        names = node.schema["required"]
        earlier: dict[str, int] = {}
        for index, name in enumerate(names if isinstance(names, list) else ()):
            if not isinstance(name, str) or earlier.setdefault(name, index) == index:
                continue
            yield Finding(
                message=f"required lists {quoted(name)} at {earlier[name]} and again at {index}",
                path=node.at("required", index),
                fix="list the name once",
            )


RULE = Rule(
    code="TG446",
    name="duplicate-required",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"a": {}}, "required": ["a", "a"]}, "TG446"),
        Example.of({"properties": {"a": {}, "b": {}}, "required": ["a", "b"]}),
    ),
)
