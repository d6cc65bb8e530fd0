"""An object may have properties that its schema does not name.

Why is this bad?
    Strict modes turn the schema into a grammar and want every object closed:
    without ``additionalProperties: false`` the request is refused.

Instead
    Write ``"additionalProperties": false`` on every object. A map of free keys
    becomes a list of objects with a key and a value.

Sources
    The strict modes' guides list it for every object, nested ones too; each
    target cites its page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import kind_of
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each object whose ``additionalProperties`` is not exactly ``false``."""
    for node in tool.having("type", "properties", "required"):
        if not node.is_object or node.schema.get("additionalProperties") is False:
            continue
        given = "additionalProperties" in node.schema
        found = kind_of(node.schema["additionalProperties"]) if given else "absent"
        yield Finding(
            message=f"the object's additionalProperties is {found}; it must be false",
            path=node.path,
            fix='write "additionalProperties": false',
        )


RULE = Rule(
    code="TG307",
    name="open-object",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"type": "object"}, "TG307"),
        Example.of({"properties": {}, "additionalProperties": {"type": "string"}}, "TG307"),
        Example.of({"type": "object", "additionalProperties": False}),
        Example.of({"type": "string"}),
    ),
)
