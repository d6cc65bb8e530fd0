"""A reference leads to a place that the target does not look up.

Why is this bad?
    Many readers know ``#/$defs/<name>`` and nothing else: no path into the body of
    the schema, no anchor, no definition inside a definition.

Instead
    Move what is referred to into the root's ``$defs`` and refer to it there.

Sources
    JSON Schema core 2020-12 section 8.2.4; each target cites which pointers it takes.
"""

from __future__ import annotations

import re

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``$ref`` that does not match ``limits["pattern"]``."""
    pattern: str = limits["pattern"]
    for node in tool.having("$ref"):
        reference = node.schema["$ref"]
        if not isinstance(reference, str) or re.fullmatch(pattern, reference):
            continue
        yield Finding(
            message=f"the reference {quoted(reference)} does not match {pattern}",
            path=node.at("$ref"),
            fix="move the target into the root's $defs and refer to #/$defs/<name>",
        )


def _tool(reference: str) -> dict[str, object]:
    place = {"type": "string", "$anchor": "b"}
    return {"inputSchema": {"properties": {"a": {"$ref": reference}, "b": place}}}


RULE = Rule(
    code="TG321",
    name="unsupported-reference-target",
    since="0.1.0",
    check=check,
    limits={"pattern": r"^#(/(\$defs|definitions)/[^/]+)?$"},
    examples=(
        Example(tool=_tool("#/properties/b"), reports=("TG321",)),
        Example(tool=_tool("#b"), reports=("TG321",)),
        Example(tool=_tool("#/$defs/a/b"), reports=("TG321",)),
        Example(tool=_tool("#/$defs/a")),
        Example(tool=_tool("#")),
    ),
)
