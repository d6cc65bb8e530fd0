"""Results of handlers: the output schema of a tool, and how its results are written as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from toolgauge.contract import CallResult, resolve
from toolgauge.standard import _mentions as kinds
from toolgauge.standard import _vendors
from toolgauge.standard._documents import rewritten
from toolgauge.standard._protocol import ATTRIBUTE, FOREIGN, Adapted, Dump
from toolgauge.standard._resolve import resolve_json_schema, standardize_for
from toolgauge.standard.errors import MissingLibrary, Unconvertible
from toolgauge.standard.functions.annotations import NO_DEFAULT

RESULT: Final = "result"
"""The property that holds a result which is no object, as in the MCP SDK and FastMCP."""

_MAX_DEPTH = 8
"""References and branches within each other that are followed."""

_SCALARS = frozenset({str, bool, int, float, type(None), CallResult})
_UNTOLD = (NO_DEFAULT, Any, object, list, dict, *_SCALARS)
"""Annotations of a result that do not say how to write it."""
_ANSWERS = ("mcp", "mcp_types", "fastmcp")
"""Packages whose types are an answer in MCP's own shape, not a value to be written."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a tool promises of its results, and how they are written.

    Attributes:
        schema: The ``outputSchema``, ``None`` for none.
        member: The property of it that results are put in, if they are no objects.
        dump: Converts a result to JSON.
    """

    schema: dict[str, Any] | None = None
    member: str | None = None
    dump: Dump


def output_of(declared: object, tool: str) -> Output:
    """Read what ``output=`` declares; anything that ``standardize`` takes, or ``None``.

    Up to MCP 2025-11-25 ``structuredContent`` is an object and ``outputSchema`` has
    ``"type": "object"``; clients of those versions reject anything else. So a result
    that may be something else becomes a property of an object.

    Raises:
        NoJsonSchema: If it has no JSON Schema.
    """
    if declared is None:
        return Output(dump=dump_by_class)
    standard = standardize_for(declared, tool, "output")
    schema = resolve_json_schema(standard, tool=tool, direction="output")
    dump = (standard.dump if isinstance(standard, Adapted) else None) or dump_by_class
    is_object = says_object(schema, schema)
    # One that is written by hand may leave it to the reader that it means an object.
    if is_object or (is_object is None and isinstance(declared, Mapping)):
        return Output(schema=as_object(schema), dump=dump)
    return Output(schema=as_member(schema, RESULT), member=RESULT, dump=dump)


def written(declared: Any) -> Dump:
    """Return the function that writes what a function's annotation says it returns.

    Nothing is promised here, so a type that no library knows is no error.
    """
    conforms = any(hasattr(declared, name) for name in (ATTRIBUTE, FOREIGN))
    if conforms or any(declared is each for each in _UNTOLD) or is_answer(declared):
        return dump_by_class
    return _by_library(declared) or dump_by_class


def dump_by_class(value: Any) -> Any:
    """Write a result as its own class wants it, in lists and mappings too.

    A value that needs no conversion is left unchanged.
    """
    cls: type = type(value)
    if cls in _SCALARS or hasattr(cls, "model_dump"):
        return value
    if cls in {list, tuple}:
        return [dump_by_class(each) for each in value]
    if cls is dict:
        return {key: dump_by_class(each) for key, each in value.items()}
    if dataclasses.is_dataclass(cls) or kinds.is_attrs(cls) or kinds.is_from(cls, "msgspec"):
        return _dump_of_class(cls)(value)
    return value


@lru_cache(maxsize=256)
def _dump_of_class(cls: type) -> Dump:
    return _by_library(cls) or _by_fields


def _by_library(declared: Any) -> Dump | None:
    try:
        return _vendors.dump_of(declared)
    except (MissingLibrary, Unconvertible):
        return None


def _by_fields(value: Any) -> Any:
    """Write a dataclass without any library."""
    is_data = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return dataclasses.asdict(value) if is_data else value


def has_fields(declared: object) -> bool:
    """Check for a class with named fields: its results are objects with known properties."""
    return (
        isinstance(declared, type)
        and not is_answer(declared)
        and (
            dataclasses.is_dataclass(declared)
            or kinds.is_typed_dict(declared)
            or kinds.is_attrs(declared)
            or kinds.is_from(declared, "msgspec")
            or any(hasattr(declared, each) for each in ("model_fields", "__fields__"))
        )
    )


def is_answer(declared: object) -> bool:
    """Check for an answer that is complete already: ours, or a type of the MCP SDK."""
    return declared is CallResult or any(kinds.mentions(declared, each) for each in _ANSWERS)


def says_object(schema: object, root: Mapping[str, Any], depth: int = _MAX_DEPTH) -> bool | None:
    """Check whether a schema says that a value is an object; ``None`` if it does not say.

    Looks at types, constants, references within the schema and branches.
    """
    if not isinstance(schema, Mapping) or not depth:
        return None
    if "type" in schema:
        return schema["type"] in ("object", ["object"])
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list):
        return all(isinstance(each, Mapping) for each in values)
    if "$ref" in schema:
        return says_object(_referred(root, schema["$ref"]), root, depth - 1)
    for keyword, strongest in (("anyOf", False), ("oneOf", False), ("allOf", True)):
        if isinstance(branches := schema.get(keyword), list):
            said = [says_object(each, root, depth - 1) for each in branches]
            return next((each for each in (strongest, None) if each in said), not strongest)
    return None


def _referred(root: Mapping[str, Any], reference: object) -> object:
    try:
        return resolve(root, str(reference).removeprefix("#"))
    except (LookupError, ValueError):
        return None


def as_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema of objects with ``"type": "object"`` at its root, where clients look.

    A root that only refers to a definition becomes that; any other has the type beside
    what it says.
    """
    if schema.get("type") == "object":
        return dict(schema)
    root = _referred(schema, schema.get("$ref")) if schema.keys() <= {"$ref", "$defs"} else None
    if isinstance(root, dict) and "type" in root and not root.keys() & _OF_PLACE:
        return {**root, **({"$defs": schema["$defs"]} if "$defs" in schema else {})}
    return {"type": "object", **{key: each for key, each in schema.items() if key != "type"}}


_OF_PLACE = frozenset({"$anchor", "$defs", "$dynamicAnchor", "$id"})
"""Keywords that mean something else at another place."""


def as_member(schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the schema of an object whose one property a schema describes.

    ``$defs`` stay at the root; other references within the schema are changed to its new
    location.
    """
    place = f"#/properties/{name}"

    def lead(here: dict[str, Any]) -> dict[str, Any]:
        target = here.get("$ref")
        if not isinstance(target, str) or not (target == "#" or target.startswith("#/")):
            return here
        return here if target.startswith("#/$defs/") else {**here, "$ref": place + target[1:]}

    # With an identifier of its own it is a document of its own, wherever it stands.
    inner: dict[str, Any] = dict(schema) if "$id" in schema else rewritten(schema, lead)
    outer = ("$schema",) if "$id" in schema else ("$schema", "$defs")
    return {
        **{key: inner.pop(key) for key in outer if key in inner},
        "type": "object",
        "properties": {name: inner},
        "required": [name],
    }
