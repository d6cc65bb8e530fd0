"""The root is a union, and one of its branches is not `type: object`.

Why is this bad?
    Arguments are always an object. A reader that wants to see that in every branch
    refuses the request, even where the root itself says `type: object`.

Instead
    Add `"type": "object"` to each branch. Better, merge the branches into one
    object.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.rules._branches import iter_branches, resolved
from toolgauge.rules._rule import Example, Finding, Limits, Rule
from toolgauge.rules._values import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:  # noqa: ARG001
    """Report each branch of the root's ``anyOf`` or ``oneOf`` that is no object."""
    root = tool.root
    if root is None:
        return
    for keyword in ("anyOf", "oneOf"):
        for index, branch in iter_branches(root, keyword):
            schema = resolved(tool, branch)
            if schema.get("type") == "object":
                continue
            found = f"type {shown(schema['type'])}" if "type" in schema else "no type"
            yield Finding(
                rule=RULE.code,
                message=f"branch {index} of {keyword} has {found}; it must be 'object'",
                path=root.at(keyword, index),
                fix='add "type": "object" to the branch, or merge the branches',
            )


RULE = Rule(
    code="TG426",
    name="non-object-branch",
    since="0.1.0",
    check=check,
    limits={},
    examples=(
        Example(
            tool={"inputSchema": {"type": "object", "anyOf": [{"required": ["a"]}]}},
            reports=("TG426",),
        ),
        Example(tool={"inputSchema": {"anyOf": [{"type": "object"}]}}),
        Example(tool={"inputSchema": {"properties": {"p": {"anyOf": [{"type": "null"}]}}}}),
    ),
)
