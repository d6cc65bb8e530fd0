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

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each branch of the root's ``anyOf`` or ``oneOf`` that is no object."""
    root = tool.root
    if root is None:
        return
    for keyword in ("anyOf", "oneOf"):
        for index, branch in enumerate(root.branches(keyword)):
            schema = tool.resolved(branch)
            if schema.get("type") == "object":
                continue
            found = f"type {shown(schema['type'])}" if "type" in schema else "no type"
            yield Finding(
                message=f"branch {index} of {keyword} has {found}; it must be 'object'",
                path=root.at(keyword, index),
                fix='add "type": "object" to the branch, or merge the branches',
            )


RULE = Rule(
    code="TG426",
    name="non-object-branch",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"type": "object", "anyOf": [{"required": ["a"]}]}, "TG426"),
        Example.of({"anyOf": [{"type": "object"}]}),
        Example.of({"properties": {"p": {"anyOf": [{"type": "null"}]}}}),
    ),
)
