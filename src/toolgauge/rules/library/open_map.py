"""An object takes names that its schema does not list.

Why is this bad?
    Where output is constrained to the schema, names that nobody listed cannot be
    written: the request is refused, or the map comes back empty.

Instead
    List the properties, or take an array of objects with `key` and `value`.

Sources
    Each target that applies this cites the page or the report, and the date read.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule

_WORDS = {
    "true": "additionalProperties is open",
    "schema": "additionalProperties is a schema",
    "patternProperties": "patternProperties is given",
}


def check(tool: Definition, limits: Limits) -> Findings:
    """Report the openings that ``limits["values"]`` lists.

    ``"true"`` is ``additionalProperties`` true or ``{}``; ``"schema"`` is any
    other schema there; ``"patternProperties"`` is that keyword.
    """
    for node in tool.having("additionalProperties", "patternProperties"):
        for keyword, kind in _openings(node):
            if kind not in limits["values"]:
                continue
            yield Finding(
                message=f"{_WORDS[kind]}, so the object takes names that are not listed",
                path=node.at(keyword),
                fix="list the properties, or take an array of key and value",
            )


def _openings(node: Node) -> Iterator[tuple[str, str]]:
    """Yield each keyword that opens the object, and how."""
    rest = node.schema.get("additionalProperties")
    if rest is True or rest == {}:
        yield "additionalProperties", "true"
    elif isinstance(rest, dict):
        yield "additionalProperties", "schema"
    if node.schema.get("patternProperties"):
        yield "patternProperties", "patternProperties"


RULE = Rule(
    code="TG418",
    name="open-map",
    since="0.1.0",
    check=check,
    limits={"values": ["true", "schema"]},
    examples=(
        Example.of({"type": "object", "additionalProperties": True}, "TG418"),
        Example.of({"type": "object", "additionalProperties": False}),
        Example.of({"additionalProperties": {"type": "string"}}, limits={"values": ["true"]}),
        Example.of(
            {"patternProperties": {"^x-": {}}}, "TG418", limits={"values": ["patternProperties"]}
        ),
    ),
)
