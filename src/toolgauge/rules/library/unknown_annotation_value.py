"""An annotation about a tool's behaviour is not true or false.

Why is this bad?
    A client that asks before a destructive call reads these hints. One that is the
    text `"false"` is refused, or taken for true.

Instead
    Write `true` or `false`, or leave the hint out.

Sources
    Model Context Protocol specification, schema, `ToolAnnotations`: the hints are
    booleans.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolgauge.rules._messages import kind_of, shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each of ``limits["hints"]`` that is no boolean."""
    body, way = tool.body, tool.body_path
    annotations = body.get("annotations", {})
    path = (*way, "annotations")
    if not isinstance(annotations, Mapping):
        yield Finding(
            message=f"annotations is {kind_of(annotations)}; it must be an object",
            path=path,
            fix="write an object of hints, or remove the key",
        )
        return
    for hint in limits["hints"]:
        value = annotations.get(hint, False)
        if isinstance(value, bool):
            continue
        yield Finding(
            message=f"{hint} is {shown(value)}, not true or false",
            path=(*path, hint),
            fix="write true or false, or leave it out",
        )


RULE = Rule(
    code="TG503",
    name="unknown-annotation-value",
    since="0.1.0",
    check=check,
    limits={
        "hints": ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"],
    },
    examples=(
        Example(tool={"annotations": {"readOnlyHint": "false"}}, reports=("TG503",)),
        Example(tool={"annotations": {"readOnlyHint": True, "title": "T"}}),
        Example(tool={"name": "a"}),
    ),
)
