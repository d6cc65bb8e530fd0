"""The tools of one list give their schemas under different keys.

Why is this bad?
    The key tells which shape the list is in. A list in two shapes is refused whole.

Instead
    Use one key for all tools.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check_list(tools: Sequence[Definition], limits: Limits) -> Findings:
    """Report each tool whose key is not the one that the list began with."""
    keys: list[str] = limits["keys"]
    first: tuple[str, Definition] | None = None
    for tool in tools:
        body, way = tool.body, tool.body_path
        found = [key for key in keys if key in body]
        if len(found) != 1:
            continue  # several-schema-keys is about these
        key = found[0]
        if first is None:
            first = (key, tool)
        if key == first[0]:
            continue
        yield Finding(
            tool=tool.label,
            index=tool.index,
            message=f"the schema is under {key!r}; tool {quoted(first[1].label)} has {first[0]!r}",
            path=(*way, key),
            fix=f"rename {key!r} to {first[0]!r}",
        )


RULE = Rule(
    code="TG441",
    name="mixed-schema-keys",
    since="0.1.0",
    check_list=check_list,
    limits={"keys": ["input_schema", "parameters"]},
    examples=(
        Example(tools=({"parameters": {}}, {"input_schema": {}}), reports=("TG441",)),
        Example(tools=({"parameters": {}}, {"parameters": {}}, {"name": "a"})),
    ),
)
