"""An object has properties that are not required.

Why is this bad?
    Strict modes that know no optional parameter refuse a schema whose
    ``required`` does not list every property.

Instead
    List every property in ``required``, and let one that may be left out take
    ``null``: ``"type": ["string", "null"]``.

Sources
    The strict modes' guides; each target cites its page and the date read.
"""

from __future__ import annotations

from toolgauge.rules._messages import listed
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each object once, with the properties that ``required`` does not list."""
    for node in tool.having("properties"):
        optional = [str(name) for name in node.optional_names] if node.is_object else []
        if not optional:
            continue
        yield Finding(
            message=f"{len(optional)} of {len(node.property_names)} properties not required: "
            f"{listed(optional)}",
            path=node.path,
            fix="list every property in required, and let optional ones take null",
        )


RULE = Rule(
    code="TG308",
    name="optional-property",
    since="0.1.0",
    check=check,
    examples=(
        Example.of({"type": "object", "properties": {"b": {}, "c": {}}}, "TG308"),
        Example.of({"properties": {"b": {}}, "required": ["b"]}),
        Example.of({"type": "object", "properties": {}}),
    ),
)
