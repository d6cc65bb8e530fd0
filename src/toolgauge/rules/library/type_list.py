"""``type`` is a list.

Why is this bad?
    JSON Schema allows a list of types; a reader with a field for one type refuses
    the request, or takes the first.

Instead
    Name one type and leave a nullable property out of ``required``, or use ``anyOf``
    with one branch for each type.

Sources
    JSON Schema validation 2020-12 section 6.1.1; each target cites the refusal.
"""

from __future__ import annotations

from typing import Any

from toolgauge.rules._messages import counted, listed
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each ``type`` that is a list.

    ``allow_null`` lets one type and ``"null"`` pass; with ``only``, a list is
    reported if it has one of these types.
    """
    only: list[str] = limits["only"]
    for node in tool.having("type"):
        given = node.schema["type"]
        if not isinstance(given, list):
            continue
        if limits["allow_null"] and _is_nullable(given):
            continue
        if only and not any(each in only for each in given):
            continue
        yield Finding(
            message=f"type is a list of {counted(len(given), 'type')}: {listed(node.types)}",
            path=node.at("type"),
            fix="name one type, or use anyOf with a branch for each",
        )


def _is_nullable(given: list[Any]) -> bool:
    """Tell whether a list is one type and ``"null"``."""
    return "null" in given and sum(each != "null" for each in given) == 1


RULE = Rule(
    code="TG404",
    name="type-list",
    since="0.1.0",
    check=check,
    limits={"allow_null": False, "only": []},
    examples=(
        Example.of_property("type", {"type": ["string", "null"]}, "TG404"),
        Example.of_property("type", {"type": ["string", "null"]}, limits={"allow_null": True}),
        Example.of_property(
            "type", {"type": ["string", "integer", "null"]}, "TG404", limits={"allow_null": True}
        ),
        Example.of_property(
            "type", {"type": ["string", "integer"]}, limits={"only": ["array", "object"]}
        ),
        Example.of_property("type", {"type": "string"}),
    ),
)
