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
from typing import TYPE_CHECKING

from toolgauge.rules._body import body_of
from toolgauge.rules._rule import Example, Finding, Limits, Rule
from toolgauge.rules._values import shown
from toolgauge.rules._words import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:
    """Report each of ``limits["hints"]`` that is no boolean."""
    body, way = body_of(tool)
    annotations = body.get("annotations", {})
    path = (*way, "annotations")
    if not isinstance(annotations, Mapping):
        yield Finding(
            rule=RULE.code,
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
            rule=RULE.code,
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
