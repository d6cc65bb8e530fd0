"""The schema is written in a dialect that the target does not read.

Why is this bad?
    Keywords mean different things from draft to draft, so a reader that does not
    know the dialect refuses the schema or misreads it.

Instead
    Leave ``$schema`` out and write 2020-12.

Sources
    MCP 2025-11-25, "JSON Schema Usage"; JSON Schema core 2020-12 section 8.1.1. The
    default is what this program reads; a target that reads less cites its page.
"""

from __future__ import annotations

from toolgauge.rules._messages import counted, shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the root's ``$schema``; an empty fragment at its end does not count."""
    root = tool.root
    if root is None or "$schema" not in root.schema:
        return
    dialect = root.schema["$schema"]
    known = {each.removesuffix("#") for each in limits["dialects"]}
    if isinstance(dialect, str) and dialect.removesuffix("#") in known:
        return
    yield Finding(
        message=f"$schema is {shown(dialect)}, none of {counted(len(known), 'known dialect')}",
        path=root.at("$schema"),
        fix="leave $schema out and write 2020-12",
    )


def _tool(dialect: object) -> dict[str, object]:
    return {"inputSchema": {"$schema": dialect, "type": "object"}}


_2020_12 = "https://json-schema.org/draft/2020-12/schema"

RULE = Rule(
    code="TG318",
    name="unsupported-dialect",
    since="0.1.0",
    check=check,
    limits={
        "dialects": [
            _2020_12,
            "https://json-schema.org/draft/2019-09/schema",
            "http://json-schema.org/draft-07/schema",
            "http://json-schema.org/draft-06/schema",
            "http://json-schema.org/draft-04/schema",
        ]
    },
    examples=(
        Example(tool=_tool("https://example.test/own"), reports=("TG318",)),
        Example(tool=_tool(5), reports=("TG318",)),
        Example(
            tool=_tool("http://json-schema.org/draft-07/schema#"),
            limits={"dialects": [_2020_12]},
            reports=("TG318",),
        ),
        Example(tool=_tool("http://json-schema.org/draft-07/schema#")),
    ),
)
