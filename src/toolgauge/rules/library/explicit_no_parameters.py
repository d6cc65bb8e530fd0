"""A tool without parameters does not say that it takes none.

Why is this bad?
    An object schema with no properties accepts any object: a model may invent
    arguments, and nothing refuses them.

Instead
    Write `{"type": "object", "additionalProperties": false}`; where a reader wants
    `properties`, add `"properties": {}`.

Sources
    Model Context Protocol specification, server/tools: for tools with no parameters
    this form is recommended.
"""

from __future__ import annotations

from typing import Any

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_TELLING = (
    "$ref",
    "allOf",
    "anyOf",
    "dependentSchemas",
    "if",
    "not",
    "oneOf",
    "patternProperties",
    "properties",
    "propertyNames",
    "required",
)


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report a schema without parameters that leaves the object open."""
    root = tool.root
    if root is None or _takes_arguments(root.schema):
        return
    if root.schema.get("type") == "object" and root.schema.get("additionalProperties") is False:
        return
    yield Finding(
        message="the tool has no parameters and its schema accepts any object",
        path=root.path,
        fix='write {"type": "object", "additionalProperties": false}',
    )


def _takes_arguments(schema: dict[str, Any]) -> bool:
    """Tell whether the root describes arguments, in whatever way."""
    rest = schema.get("additionalProperties")
    return (isinstance(rest, dict) and rest != {}) or any(schema.get(each) for each in _TELLING)


RULE = Rule(
    code="TG448",
    name="explicit-no-parameters",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"type": "object", "properties": {}}, "TG448"),
        Example.of({"type": "object", "additionalProperties": False}),
        Example.of({"type": "object", "properties": {"a": {}}}),
    ),
)
