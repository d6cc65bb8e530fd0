"""Boolean subschemas: ``true`` becomes ``{}``, ``false`` what it means in its place.

An ``enum`` without members allows nothing either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.lowering._pass import Options, Pass

if TYPE_CHECKING:
    from toolgauge.lowering._draft import Draft, Slot


_LEFT = frozenset(
    {"additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"}
)
_LISTS = frozenset({"anyOf", "oneOf"})


def lower(draft: Draft, options: Options) -> None:
    """Rewrite booleans, except where they are the usual form."""
    found = [
        slot
        for slot in draft.slots
        if _is_empty(slot.schema) or (isinstance(slot.schema, bool) and slot.keyword not in _LEFT)
    ]
    # The last first: a removed branch moves the indices behind it.
    for slot in reversed(found):
        if slot.schema is True:
            slot.put({})
        elif slot.keyword in _LISTS and len(slot.holder) > 1:
            del slot.holder[slot.key]
        elif slot.keyword == "properties":
            _forbid(draft, slot)
        elif slot.keyword == "items" and "prefixItems" not in slot.parent:
            slot.parent["maxItems"] = 0
            slot.put({})
        elif slot.keyword == "items":
            continue
        else:
            slot.put({"not": {}})
    if found:
        draft.touch()


def _is_empty(schema: object) -> bool:
    """Return whether a schema lists the values that it allows, and there are none."""
    return isinstance(schema, dict) and schema.get("enum") == []


def _forbid(draft: Draft, slot: Slot) -> None:
    """Leave out a member that must not be there."""
    del slot.holder[slot.key]
    if slot.key in slot.parent.get("required", ()):
        draft.refuse(f"{slot.key!r} is required and forbidden", "drop it from required")
    if slot.parent.get("additionalProperties") is not False:
        draft.lose(slot.parent, f"{slot.key} is no longer forbidden")


PASS = Pass(
    name="booleans",
    since="0.1.0",
    lower=lower,
    loses="That one member of an open object is forbidden.",
)
