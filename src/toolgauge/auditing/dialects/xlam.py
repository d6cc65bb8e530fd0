"""xLAM and data sets like it: a flat map of parameters with Python's names of types.

``{"year": {"type": "str, optional", "default": ""}, "ids": {"type": "List[int]"}}`` is
no JSON Schema, although one of its parameters may be called ``type``.

Source: Salesforce/xlam-function-calling-60k, row shape (``tools``, ``answers`` as JSON text).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.dialects import Dialect, map_types
from toolgauge.auditing.verdicts import Malformed
from toolgauge.contract import InvalidJson, Issue, parse_json
from toolgauge.wire import CallMembers, malformed

if TYPE_CHECKING:
    from toolgauge.auditing.verdicts import Found

_SCALARS: dict[str, str | None] = {
    "str": "string",
    "string": "string",
    "int": "integer",
    "integer": "integer",
    "float": "number",
    "number": "number",
    "double": "number",
    "bool": "boolean",
    "boolean": "boolean",
    "none": "null",
    "null": "null",
    "nonetype": "null",
    "any": None,
    "object": "object",
}
_ARRAYS = frozenset({"list", "array", "sequence", "iterable", "set", "frozenset"})
_MAPS = frozenset({"dict", "dictionary", "mapping"})
_NO_TYPE = re.compile(r"[^\w\s.\[\],|]|\b\d")
"""Characters and numbers that no type has."""
_OPTIONAL = re.compile(r",\s*optional\s*$", re.IGNORECASE)
_LEFT_OUT = ""
_MAX_TYPE_CHARS = 500
_MAX_DEPTH = 16
_SCHEMA_TYPES = frozenset({"object", "dict"})


def to_schema(parameters: Any) -> tuple[Any, Counter[str]]:
    """Return the JSON Schema of a tool's ``parameters``, flat or not."""
    if not isinstance(parameters, dict):
        return parameters, Counter()
    kind, properties_held = parameters.get("type"), parameters.get("properties")
    if isinstance(kind, str) and kind in _SCHEMA_TYPES and isinstance(properties_held, dict):
        return map_types(parameters, {**_standard(), "dict": "object"})
    made: Counter[str] = Counter()
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in parameters.items():
        schema, is_optional = _parameter(parameter, made)
        properties[name] = schema
        if not is_optional:
            required.append(name)
    made["flat parameters read as an object schema"] += 1
    return {"type": "object", "properties": properties, "required": required}, made


def _standard() -> dict[str, str | None]:
    known = {name: standard for name, standard in _SCALARS.items() if name != standard}
    return {**known, "list": "array", "tuple": "array", "set": "array"}


def _parameter(parameter: Any, made: Counter[str]) -> tuple[Any, bool]:
    """Return one parameter's schema, and whether it may be left out."""
    if not isinstance(parameter, dict):
        return parameter, False
    schema = {key: value for key, value in parameter.items() if key not in {"type", "required"}}
    is_optional = parameter.get("required") is False
    text = parameter.get("type")
    if isinstance(text, str):
        if _OPTIONAL.search(text):
            is_optional = True
            made["', optional' read as not required"] += 1
        bare = _OPTIONAL.sub("", text)
        found = _parsed(bare)
        if found is None:
            made[f"type {bare[:80]!r} is not known: read as anything"] += 1
        elif found != {"type": bare}:
            made[f"type {bare[:80]!r} read as {_word(found)!r}"] += 1
        schema = {**(found or {}), **schema}
    elif text is not None:
        schema["type"] = text
    if schema.get("default") == _LEFT_OUT and schema.get("type") != "string":
        del schema["default"]
        made["default '' of a parameter that is no text left out"] += 1
    return schema, is_optional


def _word(schema: dict[str, Any]) -> str:
    kind = schema.get("type", "anything")
    items = schema.get("items")
    return f"{kind} of {_word(items)}" if isinstance(items, dict) and items else str(kind)


def _parsed(text: str) -> dict[str, Any] | None:
    """Read a Python type; ``None`` where a name in it is not known."""
    if len(text) > _MAX_TYPE_CHARS or _NO_TYPE.search(text):
        return None
    try:
        # In parentheses, a line may end anywhere.
        return _schema(ast.parse(f"({text})", mode="eval").body, 0)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _schema(node: ast.expr, depth: int) -> dict[str, Any]:
    """Return the schema of a type.

    Raises:
        ValueError: If it is not known, or nests too deep.
    """
    if depth > _MAX_DEPTH:
        raise ValueError(depth)
    match node:
        case ast.BinOp(op=ast.BitOr()):
            return {"anyOf": [_schema(each, depth) for each in _options(node)]}
        case ast.Subscript(value=value, slice=ast.Tuple(elts=elements)):
            return _named(value, [_schema(each, depth + 1) for each in elements])
        case ast.Subscript(value=value, slice=element):
            return _named(value, [_schema(element, depth + 1)])
    return _named(node, [])


def _options(node: ast.expr) -> list[ast.expr]:
    """Return the types with ``|`` between them."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_options(left), *_options(right)]
    return [node]


def _named(node: ast.expr, inner: list[dict[str, Any]]) -> dict[str, Any]:
    name = ast.unparse(node).rpartition(".")[2].lower()
    if name == "optional" and len(inner) == 1:
        return {"anyOf": [inner[0], {"type": "null"}]}
    if name == "union" and inner:
        return {"anyOf": inner}
    if name in _ARRAYS and len(inner) <= 1:
        return {"type": "array", **({"items": inner[0]} if inner else {})}
    if name == "tuple":
        size = {"prefixItems": inner, "minItems": len(inner), "maxItems": len(inner)}
        return {"type": "array", **(size if inner else {})}
    if name in _MAPS:
        values = {"additionalProperties": inner[1]} if len(inner) == 2 else {}  # noqa: PLR2004
        return {"type": "object", **values}
    if name not in _SCALARS or inner:
        raise ValueError(name)
    standard = _SCALARS[name]
    return {} if standard is None else {"type": standard}


def read_xlam(row: Any) -> Found | None:
    """Read the ``answers`` of a row: calls, or JSON text of them."""
    if not isinstance(row, dict) or "answers" not in row:
        return None
    answers = row["answers"]
    if isinstance(answers, str):
        try:
            answers = parse_json(answers)
        except InvalidJson as error:
            issue = Issue(path=("answers",), message=error.reason, keyword="format")
            return (Malformed(issue),)
    if not isinstance(answers, list):
        return (malformed(("answers",), "is no array", answers),)
    members = CallMembers()
    return [members.recorded(each, ("answers", index)) for index, each in enumerate(answers)]


DIALECT = Dialect(
    name="xlam",
    title="xLAM function-calling data sets",
    schema=to_schema,
    read=read_xlam,
)
