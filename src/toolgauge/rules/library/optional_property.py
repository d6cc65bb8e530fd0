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

from typing import TYPE_CHECKING

from toolgauge.rules._rule import Example, Finding, Limits, Rule
from toolgauge.rules._words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.rules._definition import Definition


def check(tool: Definition, limits: Limits) -> Iterator[Finding]:  # noqa: ARG001
    """Report each object once, with the properties that ``required`` does not list."""
    for node in tool.having("properties"):
        names = node.schema["properties"]
        if not node.is_object or not isinstance(names, dict):
            continue
        required = node.schema.get("required")
        listing = set(_names(required))
        optional = [str(name) for name in names if name not in listing]
        if not optional:
            continue
        yield Finding(
            rule=RULE.code,
            message=f"{len(optional)} of {len(names)} properties not required: {listed(optional)}",
            path=node.path,
            fix="list every property in required, and let optional ones take null",
        )


def _names(required: object) -> list[str]:
    """Give the names in ``required``, whatever else it holds."""
    if not isinstance(required, list):
        return []
    return [each for each in required if isinstance(each, str)]


RULE = Rule(
    code="TG308",
    name="optional-property",
    since="0.1.0",
    check=check,
    examples=(
        Example(
            tool={"name": "a", "inputSchema": {"type": "object", "properties": {"b": {}, "c": {}}}},
            reports=("TG308",),
        ),
        Example(
            tool={"name": "a", "inputSchema": {"properties": {"b": {}}, "required": ["b"]}},
        ),
        Example(tool={"name": "a", "inputSchema": {"type": "object", "properties": {}}}),
    ),
)
