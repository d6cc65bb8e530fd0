"""``items`` is a list: a tuple as older drafts write it.

Why is this bad?
    Since 2020-12 ``items`` is one schema, and a tuple is ``prefixItems``. A list
    makes the schema invalid there, and many providers take neither.

Instead
    Write ``prefixItems`` for 2020-12, or better an object with a name for each
    position.

Sources
    JSON Schema 2020-12 core, section 10.3.1, and the release notes on
    ``items``; each target cites its error text.
"""

from __future__ import annotations

from toolgauge.rules._messages import counted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``items`` that is a list."""
    for node in tool.having("items"):
        items = node.schema["items"]
        if not isinstance(items, list):
            continue
        yield Finding(
            message=f"items is a list of {counted(len(items), 'schema')}; it must be one schema",
            path=node.at("items"),
            fix="write prefixItems, or an object with a name for each position",
        )


RULE = Rule(
    code="TG311",
    name="tuple-items",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"type": "array", "items": [{}, {}]}, "TG311"),
        Example.of({"type": "array", "items": {}}),
        Example.of({"properties": {"items": {}}}),
    ),
)
