"""Older drafts written as 2020-12: the dialect that providers hold schemas against."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._references import dialect_read

_TRUE_BOUNDS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
_STRUCTURAL = ("definitions", "additionalItems", "dependencies", "nullable", "items")


def lower(draft: Draft, options: Options) -> None:
    """Rewrite keywords that 2020-12 spells otherwise."""
    dialect = dialect_read(draft.schema)
    if "definitions" in draft.keywords:
        _move_definitions(draft)
    for node in draft.nodes:
        _bounds(node)
        _required(node)
        _tuple(node)
        _dependencies(node)
        if node.get("nullable") is True:
            _nullable(draft, node)
    if dialect is not None and dialect.ignores_siblings:
        del draft.schema["$schema"]
    if not draft.keywords.isdisjoint(_STRUCTURAL):
        draft.touch()


def _move_definitions(draft: Draft) -> None:
    for node in draft.nodes:
        old = node.get("definitions")
        if not isinstance(old, dict) or not isinstance(node.get("$defs", {}), dict):
            continue
        if old.keys() & node.get("$defs", {}).keys():
            continue
        node["$defs"] = {**node.get("$defs", {}), **node.pop("definitions")}


def _bounds(node: dict[str, Any]) -> None:
    """Draft-04 says with ``true`` that the bound beside it is exclusive."""
    for exclusive, plain in _TRUE_BOUNDS:
        if node.get(exclusive) is True and plain in node:
            node[exclusive] = node.pop(plain)
        elif isinstance(node.get(exclusive), bool):
            del node[exclusive]


def _required(node: dict[str, Any]) -> None:
    """Draft-03 writes ``required: true`` at the property."""
    members = node.get("properties")
    if not isinstance(members, dict):
        return
    flagged = [
        name
        for name, each in members.items()
        if isinstance(each, dict) and isinstance(each.get("required"), bool)
    ]
    added = [name for name in flagged if members[name].pop("required")]
    listed = node.get("required", [])
    if added and isinstance(listed, list):
        known = {each for each in listed if isinstance(each, str)}
        more = [each for each in added if each not in known]
        if more:
            node["required"] = [*listed, *more]


def _tuple(node: dict[str, Any]) -> None:
    items = node.get("items")
    if isinstance(items, list) and "prefixItems" not in node:
        del node["items"]
        if items:
            node["prefixItems"] = items
        if "additionalItems" in node:
            node["items"] = node.pop("additionalItems")
    elif "additionalItems" in node and isinstance(node["additionalItems"], dict | bool):
        del node["additionalItems"]


def _dependencies(node: dict[str, Any]) -> None:
    old = node.get("dependencies")
    if not isinstance(old, dict):
        return
    del node["dependencies"]
    lists = {key: value for key, value in old.items() if isinstance(value, list)}
    schemas = {key: value for key, value in old.items() if not isinstance(value, list)}
    if lists:
        node.setdefault("dependentRequired", lists)
    if schemas:
        node.setdefault("dependentSchemas", schemas)


def _nullable(draft: Draft, node: dict[str, Any]) -> None:
    """OpenAPI's ``nullable`` means nothing in JSON Schema, so the tool may refuse null."""
    kind = node.get("type")
    if isinstance(node.get("anyOf"), list) and kind is None:
        del node["nullable"]
        node["anyOf"] = [*node["anyOf"], draft.derive({"type": "null"}, node)]
        draft.lose(node, "null is allowed as nullable says, which JSON Schema does not know")
        return
    if not isinstance(kind, str):
        return
    del node["nullable"]
    if kind != "null":
        node["type"] = [kind, "null"]
        if isinstance(node.get("enum"), list) and None not in node["enum"]:
            node["enum"] = [*node["enum"], None]
        draft.lose(node, "null is allowed as nullable says, which JSON Schema does not know")


PASS = Pass(
    name="modern",
    since="0.1.0",
    lower=lower,
    repairs=True,
    triggers=(
        "$schema",
        "definitions",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "required",
        "items",
        "additionalItems",
        "dependencies",
        "nullable",
    ),
    loses="`nullable` is taken at its word.",
)
