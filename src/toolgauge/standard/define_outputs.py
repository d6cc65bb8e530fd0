"""Output schemas of what is no object: it is put into one.

As the MCP SDK and FastMCP do: up to 2025-11-25 ``structuredContent`` is an object and
``outputSchema`` has ``"type": "object"``; clients of those versions take nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolgauge.contract import resolve
from toolgauge.standard.functions.hoisting import mapped

RESULT: Final = "result"
"""The member, under the name that both libraries give it."""

_MAX_DEPTH = 8
"""References and branches within each other that are followed."""


def says_object(schema: object, root: Mapping[str, Any], depth: int = _MAX_DEPTH) -> bool | None:
    """Tell whether a schema says that a value is an object; ``None`` where it does not say.

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


def as_member(schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Give the schema of an object whose one member a schema describes.

    ``$defs`` stay at the root; other references within the schema are led to its new
    place.
    """
    place = f"#/properties/{name}"

    def lead(here: dict[str, Any]) -> dict[str, Any]:
        target = here.get("$ref")
        if not isinstance(target, str) or not (target == "#" or target.startswith("#/")):
            return here
        return here if target.startswith("#/$defs/") else {**here, "$ref": place + target[1:]}

    # With an identifier of its own it is a document of its own, wherever it stands.
    inner: dict[str, Any] = dict(schema) if "$id" in schema else mapped(dict(schema), lead)
    outer = ("$schema",) if "$id" in schema else ("$schema", "$defs")
    return {
        **{key: inner.pop(key) for key in outer if key in inner},
        "type": "object",
        "properties": {name: inner},
        "required": [name],
    }
