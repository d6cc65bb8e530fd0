"""An enum lists values that its type refuses, or that are no plain values.

Why is this bad?
    A member of another type can never be given: type and enum must both hold.
    Objects and lists as members are refused by providers that build grammars.

Instead
    Correct the type or the member. Give an object a name, list the names.

Sources
    JSON Schema validation 2020-12 sections 6.1.1 and 6.1.2; each target cites the
    refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolgauge.rules._messages import listed, shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule


def check(tool: Definition, limits: Limits) -> Findings:
    """Report each enum once, at the first member that its type refuses.

    With ``primitive``, objects and lists count too, whatever the type.
    """
    for node in tool.having("enum"):
        members = node.schema["enum"]
        if not isinstance(members, list):
            continue
        types = _known_types(node)
        for index, each in enumerate(members):
            is_plain = not limits["primitive"] or not isinstance(each, dict | list)
            if is_plain and (not types or any(_TYPES[name](each) for name in types)):
                continue
            wanted = f"not of type {listed(types)}" if is_plain else "no plain value"
            yield Finding(
                message=f"enum member {index} is {shown(each)}, {wanted}",
                path=node.at("enum", index),
                fix="correct the member or the type",
            )
            break


def _known_types(node: Node) -> tuple[str, ...]:
    """Give the types of a schema, none if one of them is no type: all may be meant."""
    return node.types if all(each in _TYPES for each in node.types) else ()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    """Tell whether it is a number without a fraction: ``1.0`` is."""
    whole = isinstance(value, float) and value.is_integer()
    return whole or (isinstance(value, int) and not isinstance(value, bool))


_TYPES: Mapping[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


RULE = Rule(
    code="TG409",
    name="mixed-enum",
    since="0.1.0",
    check=check,
    limits={"primitive": True},
    examples=(
        Example.of_property("enum", {"type": "string", "enum": ["a", 1, None]}, "TG409"),
        Example.of_property("enum", {"type": "integer", "enum": [1, True]}, "TG409"),
        Example.of_property("enum", {"type": "object", "enum": [{}]}, "TG409"),
        Example.of_property("enum", {"type": "object", "enum": [{}]}, limits={"primitive": False}),
        Example.of_property("enum", {"type": ["string", "null"], "enum": ["a", None]}),
        Example.of_property("enum", {"type": "integer", "enum": [1, 2.0]}),
    ),
)
