"""The schema has more subschemas than anyone will read.

Why is this bad?
    Readers bound how much of a schema they take, for every subschema costs time on
    each call. What lies past the bound is not checked here either.

Instead
    Split the tool, or take the large part as text that holds JSON.

Sources
    MCP 2026-07-28, "Tools": clients should bound depth and number of subschemas. The
    default is the bound of this program.
"""

from __future__ import annotations

from toolgauge.contract.extent import MAX_DEFINITION_BYTES
from toolgauge.rules._definition import MAX_DEPTH, MAX_NODES
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the schema once, also where our own walk over it was cut short."""
    if tool.is_too_large:
        yield Finding(
            message=f"the definition takes more than {MAX_DEFINITION_BYTES} bytes of memory; "
            "it is too costly to check",
            path=(),
            fix="shorten its lists and texts, or split the tool",
        )
        return
    most: int = limits["max"]
    count = len(tool.nodes)
    if count <= most and not tool.is_cut:
        return
    found = f"{count} subschemas{' or more' if tool.is_cut else ''}"
    if tool.is_cut and count <= most and count < MAX_NODES:
        found = f"more than {MAX_DEPTH} levels of subschemas"
    yield Finding(
        message=f"the schema has {found}; the limit is {most} subschemas",
        path=tool.schema_path,
        fix="split the tool, or take the large part as JSON text",
    )


def _tool(properties: int) -> dict[str, object]:
    return {"inputSchema": {"properties": {f"p{each}": {} for each in range(properties)}}}


RULE = Rule(
    code="TG325",
    name="too-many-subschemas",
    since="0.1.0",
    check=check,
    limits={"max": MAX_NODES},
    examples=(
        Example(tool=_tool(3), limits={"max": 3}, reports=("TG325",)),
        Example(tool=_tool(2), limits={"max": 3}),
    ),
)
