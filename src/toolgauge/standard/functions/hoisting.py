"""Puts the schemas of foreign classes into the one that pydantic has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_DEFS = "#/$defs/"
_DATA = frozenset({"const", "default", "enum", "examples"})
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


def hoist(
    schema: dict[str, Any], placeholder: str, foreign: Mapping[str, tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    """Replace each placeholder by a reference to a definition at the root.

    A definition that another class has the name of already gets a number behind it.

    Args:
        schema: A schema that holds ``{placeholder: key}`` in places.
        placeholder: The member that marks such a place.
        foreign: By key, the class's name and its schema.
    """
    if not foreign:
        return schema
    shared: dict[str, Any] = dict(schema.get("$defs", {}))
    names: dict[str, str] = {}
    for key, (name, own) in foreign.items():
        names[key] = _adopt(shared, name, own)

    def place(here: dict[str, Any]) -> dict[str, Any]:
        key = here.get(placeholder)
        if not isinstance(key, str):
            return here
        rest = {member: value for member, value in here.items() if member != placeholder}
        return {"$ref": f"{_DEFS}{names[key]}", **rest}

    found: dict[str, Any] = mapped({**schema, "$defs": shared}, place)
    return found


def _adopt(shared: dict[str, Any], name: str, own: dict[str, Any]) -> str:
    """Move one schema and its definitions to the root; give the name it gets there."""
    inner = dict(own.get("$defs", {}))
    body = {member: value for member, value in own.items() if member not in {"$defs", "$schema"}}
    reference = body.get("$ref")
    is_alias = len(body) == 1 and isinstance(reference, str) and reference.startswith(_DEFS)
    renamed: dict[str, str] = {each: _free(shared, each) for each in inner}
    alias = str(reference)[len(_DEFS) :] if is_alias else _same(inner, body)
    root = renamed.get(alias, "")
    if not root:
        root = _free({**shared, **dict.fromkeys(renamed.values())}, name)
        inner[""] = body
        renamed[""] = root

    def point(here: dict[str, Any]) -> dict[str, Any]:
        target = here.get("$ref")
        if target == "#":
            return {**here, "$ref": f"{_DEFS}{root}"}
        if isinstance(target, str) and target.startswith(_DEFS):
            first, slash, rest = target[len(_DEFS) :].partition("/")
            return {**here, "$ref": f"{_DEFS}{renamed.get(first, first)}{slash}{rest}"}
        return here

    shared.update({renamed[each]: mapped(found, point) for each, found in inner.items()})
    return root


def _same(inner: Mapping[str, Any], body: dict[str, Any]) -> str:
    """Find the definition that a schema repeats at its root, as msgspec does it."""
    return next((name for name, each in inner.items() if each == body), "")


def _free(taken: Mapping[str, Any], name: str) -> str:
    """Give a name that nobody has."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}__{number}"
    return found


def mapped(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Change each subschema, and leave data such as defaults alone."""
    if isinstance(schema, list):
        return [mapped(each, change) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value
        if key in _DATA
        else {name: mapped(each, change) for name, each in value.items()}
        if key in _MAPS and isinstance(value, dict)
        else mapped(value, change)
        for key, value in change(schema).items()
    }
