"""Subschemas that no value satisfies, and what that means for what holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft, Slot

_LEFT = frozenset(
    {"additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"}
)
"""Keywords that hold a boolean more often than not."""

_UNIONS = frozenset({"anyOf", "oneOf"})


def is_never(schema: Any) -> bool:
    """Tell whether a subschema says outright that it refuses every value."""
    if not isinstance(schema, dict):
        return schema is False
    return schema.get("enum") == [] or ("not" in schema and schema["not"] in (True, {}))


def make_never(node: dict[str, Any]) -> None:
    """Let a subschema refuse every value."""
    definitions = node.get("$defs")
    node.clear()
    node["not"] = {}
    if definitions is not None:
        node["$defs"] = definitions


def write_booleans(draft: Draft) -> None:
    """Write ``true`` as ``{}``, and what refuses every value as what that means in its place.

    A member is left out, an array ends, an alternative goes; what cannot do without it
    refuses every value too.
    """
    is_changed = True
    while is_changed:
        is_changed = False
        doomed: list[dict[str, Any]] = []
        # The last first: a removed branch moves the indices behind it.
        for slot in reversed(draft.slots):
            if slot.schema is True and slot.keyword not in _LEFT:
                slot.put({})
                is_changed = True
            elif is_never(slot.schema):
                is_changed |= _settle(draft, slot, doomed)
        if is_changed or doomed:
            draft.touch()
        is_changed |= _doom(draft, doomed)


def _settle(draft: Draft, slot: Slot, doomed: list[dict[str, Any]]) -> bool:
    """Do what one such subschema means to its parent; tell whether that changed anything."""
    parent, keyword = slot.parent, slot.keyword
    if keyword == "allOf" or (keyword in _UNIONS and len(slot.holder) == 1):
        doomed.append(parent)
    elif keyword in _UNIONS:
        del slot.holder[slot.key]
    elif keyword == "properties":
        _forbid(draft, slot, doomed)
    elif keyword == "prefixItems":
        _end(slot, int(slot.key), doomed)
    elif keyword == "items" and "prefixItems" not in parent:
        _end(slot, 0, doomed)
    elif keyword in _LEFT or keyword == "items":
        if slot.schema is False:
            return False
        slot.holder[slot.key] = False
    elif slot.schema is False:
        slot.put({"not": {}})
    else:
        return False
    return True


def _forbid(draft: Draft, slot: Slot, doomed: list[dict[str, Any]]) -> None:
    """Leave out a member that must not be there."""
    del slot.holder[slot.key]
    if slot.key in slot.parent.get("required", ()):
        if slot.parent.get("type") == "object" or slot.parent is draft.schema:
            doomed.append(slot.parent)
            return
        draft.refuse(f"{slot.key!r} is required and forbidden", "drop it from required")
    if slot.parent.get("additionalProperties") is not False:
        draft.lose(slot.parent, f"{slot.key} is no longer forbidden")


def _end(slot: Slot, length: int, doomed: list[dict[str, Any]]) -> None:
    """Let an array end before an item that must not be there."""
    parent = slot.parent
    if parent.get("type") == "array" and parent.get("minItems", 0) > length:
        doomed.append(parent)
    parent["maxItems"] = min(length, parent.get("maxItems", length))
    if slot.keyword == "prefixItems":
        del slot.holder[length:]
        if length:
            return
        del parent["prefixItems"]
    parent["items"] = {}


def _doom(draft: Draft, doomed: list[dict[str, Any]]) -> bool:
    """Let subschemas, and what refers to them, refuse every value."""
    holders: dict[int, list[dict[str, Any]]] = {}
    for node in draft.having("$ref") if doomed else ():
        holders.setdefault(id(draft.follow(node["$ref"])), []).append(node)
    for node in doomed:  # it grows while we look
        doomed += holders.pop(id(node), [])
    for node in doomed:
        if node is draft.schema:
            draft.refuse("the schema refuses every value", "let its parts agree")
        make_never(node)
    if doomed:
        draft.touch()
    return bool(doomed)
