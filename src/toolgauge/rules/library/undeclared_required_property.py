"""``required`` names a property that the schema does not declare.

Why is this bad?
    JSON Schema allows it, and no argument satisfies both the model's picture of
    the tool and the check: the model never sees the parameter that it must
    give. Some providers refuse the request.

Instead
    Declare the property, or take its name out of ``required``.

Sources
    JSON Schema 2020-12 validation, section 6.5.3 (``required`` needs no
    ``properties``); each target cites its error text and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import quoted
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each required name that the ``properties`` beside it lack.

    A branch of a union may require what the schema around it declares, so below
    the root only subschemas with ``properties`` count.
    """
    for node in tool.having("required"):
        required = node.schema["required"]
        names = node.schema.get("properties", {} if node.is_root else None)
        if not isinstance(required, list) or not isinstance(names, dict):
            continue
        for index, name in enumerate(required):
            if isinstance(name, str) and name not in names:
                yield Finding(
                    message=f"required property {quoted(name)} is not in properties",
                    path=node.at("required", index),
                    fix="declare the property, or take the name out of required",
                )


RULE = Rule(
    code="TG309",
    name="undeclared-required-property",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"properties": {"b": {}}, "required": ["c", "b"]}, "TG309"),
        Example.of({"required": ["b"]}, "TG309"),
        Example.of({"properties": {"b": {}}, "anyOf": [{"required": ["b"]}]}),
    ),
)
