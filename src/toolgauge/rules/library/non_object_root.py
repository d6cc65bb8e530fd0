"""The input schema's root is not ``type: object``.

Why is this bad?
    Arguments are always an object, and formats say so in the schema: a root
    without the type, with a list of types or with another type is refused.

Instead
    Write ``"type": "object"`` at the root. Put a union, a list or a plain value
    under a property.

Sources
    The Model Context Protocol fixes ``inputSchema.type`` to ``"object"``; each
    target cites its error text and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import kind_of, listed, quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the root once when its type is not exactly ``"object"``."""
    root = tool.root
    if root is None or root.schema.get("type") == "object":
        return
    if "type" not in root.schema and limits["allow_missing_type"]:
        return
    found = _described(root.schema["type"]) if "type" in root.schema else "absent"
    yield Finding(
        message=f"the root's type is {found}; it must be 'object'",
        path=root.at("type"),
        fix='write "type": "object" at the root',
    )


def _described(found: object) -> str:
    """Show a type that is not ``"object"``."""
    if isinstance(found, str):
        return quoted(found)
    if isinstance(found, list) and found and all(isinstance(each, str) for each in found):
        return f"the list {listed(found)}"
    return kind_of(found)


RULE = Rule(
    code="TG303",
    name="non-object-root",
    since="0.1.0",
    check=check,
    limits={"allow_missing_type": False},
    examples=(
        Example.of({"oneOf": []}, "TG303"),
        Example.of({"type": "array"}, "TG303"),
        Example.of({"type": ["object", "null"]}, "TG303"),
        Example.of({}, limits={"allow_missing_type": True}),
        Example.of({"type": "object"}),
    ),
)
