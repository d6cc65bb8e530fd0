"""A default is refused by its own schema.

Why is this bad?
    A client that fills in the default sends a value that the tool refuses, and the
    model copies it.

Instead
    Correct the default, or widen the schema: an optional value that may be null
    needs `null` among its types.

Sources
    JSON Schema validation 2020-12 section 9.2: it is recommended that a default be
    valid against the associated schema.
"""

from __future__ import annotations

from typing import Any

from toolgauge.rules._messages import shown
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Node, Rule

_COMPILING = 50
"""What it costs to compile a schema at all, in subschemas."""
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_NOTES = frozenset({"title", "description", "default", "examples", "format", "deprecated"})
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def check(tool: Definition, limits: Limits) -> Findings:
    """Hold each default against its schema, where that stands alone.

    ``limits["max_work"]`` bounds the subschemas compiled for one tool; defaults
    past it are not looked at.
    """
    work: int = limits["max_work"]
    nodes = tool.having("default")
    sizes = _sizes(tool) if nodes else {}
    for node in nodes:
        default = node.schema["default"]
        if id(node) not in sizes or _is_plainly_valid(node.schema, default):
            continue
        work -= sizes[id(node)] + _COMPILING
        if work < 0:
            return
        problem = _problem(tool, node, default)
        if problem is None:
            continue
        yield Finding(
            message=f"default {shown(default)} is refused by its schema: {problem}",
            path=node.at("default"),
            fix="correct the default, or allow it in the schema",
        )


def _sizes(tool: Definition) -> dict[int, int]:
    """Count the subschemas below each node; a node that needs others is left out."""
    sizes: dict[int, int] = {}
    needy = {id(node) for node in tool.having(*_REFERENCES)}
    for node in reversed(tool.nodes):  # children before parents
        sizes[id(node)] = sizes.get(id(node), 0) + 1
        if node.parent is None:
            continue
        above = id(node.parent)
        sizes[above] = sizes.get(above, 0) + sizes[id(node)]
        if id(node) in needy:
            needy.add(above)
    return {key: size for key, size in sizes.items() if key not in needy}


def _is_plainly_valid(schema: dict[str, Any], default: object) -> bool:
    """Settle the frequent cases without compiling: a type, a text of an enum."""
    if default is None and schema.get("nullable") is True:
        return True
    branches = schema.get("anyOf")
    if isinstance(branches, list) and schema.keys() <= _NOTES | {"anyOf"}:
        return any(isinstance(each, dict) and _is_of_type(each, default) for each in branches)
    return _is_of_type(schema, default)


def _is_of_type(schema: dict[str, Any], default: object) -> bool:
    named = schema.get("type")
    fits = isinstance(named, str) and type(default) in _TYPES.get(named, ())
    if not fits or not schema.keys() <= _NOTES | {"type", "enum"}:
        return False
    if "enum" not in schema:
        return True
    enum = schema["enum"]
    return isinstance(default, str) and isinstance(enum, list) and default in enum


def _problem(tool: Definition, node: Node, default: object) -> str | None:
    """Give the validator's words, ``None`` for a good default or a broken schema."""
    from toolgauge.contract import compile_schema  # noqa: PLC0415 - the engines load late

    schema = node.schema
    dialect = tool.root.schema.get("$schema") if tool.root is not None else None
    if isinstance(dialect, str) and "$schema" not in schema:
        schema = {"$schema": dialect, **schema}
    compiled = compile_schema(schema)
    if compiled.problem is not None:
        return None
    # An issue without a keyword is about our bounds.
    found = [each.message for each in compiled.issues(default) if each.keyword is not None]
    return found[0] if found else None


RULE = Rule(
    code="TG427",
    name="default-mismatch",
    since="0.1.0",
    check=check,
    limits={"max_work": 20_000},
    examples=(
        Example.of({"properties": {"p": {"type": "integer", "default": "5"}}}, "TG427"),
        Example.of({"properties": {"p": {"type": "integer", "default": 5}}}),
        Example.of(
            {
                "properties": {
                    "p": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
                }
            }
        ),
    ),
)
