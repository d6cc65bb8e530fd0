"""A schema is ``true`` or ``false``.

Why is this bad?
    JSON Schema allows both wherever a schema may stand, but many readers take each
    property's schema for an object, and fail or refuse the tool.

Instead
    Write ``{}`` for ``true``, better with a type. Leave out what ``false`` forbids.

Sources
    JSON Schema core 2020-12 section 4.3.2; each target cites the refusal.
"""

from __future__ import annotations

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report ``true`` and ``false`` below the keywords in ``limits["where"]``.

    With ``limits["output"]`` in the output schema too, with ``limits["only_root"]``
    only directly below the root of either.
    """
    where: list[str] = limits["where"]
    nodes = (node for each in tool.read(output=limits["output"]) for node in each.booleans)
    for node in nodes:
        if node.keyword not in where:
            continue
        if limits["only_root"] and node.depth > 1:
            continue
        yield Finding(
            message=f"a schema below {node.keyword!r} is {'true' if node.schema else 'false'}",
            path=node.path,
            fix="write an object with a type" if node.schema else "leave it out",
        )


def _tool(*, place: object) -> dict[str, object]:
    return {
        "inputSchema": {
            "properties": {"a": {"type": "array", "items": place}, "b": place},
            "additionalProperties": False,
        }
    }


RULE = Rule(
    code="TG320",
    name="boolean-subschema",
    since="0.1.0",
    check=check,
    limits={"where": ["properties"], "output": False, "only_root": False},
    examples=(
        Example(tool=_tool(place=True), reports=("TG320",)),
        Example(tool=_tool(place=False), limits={"where": ["items"]}, reports=("TG320",)),
        Example(tool=_tool(place=True), limits={"where": ["items"], "only_root": True}),
        Example(tool={"outputSchema": {"properties": {"b": True}}}),
        Example(
            tool={"outputSchema": {"properties": {"b": True}}},
            limits={"output": True},
            reports=("TG320",),
        ),
        Example(tool=_tool(place={})),
    ),
)
