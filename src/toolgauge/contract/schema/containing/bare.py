"""A schema without its annotations, and equality as JSON Schema means it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any
from urllib.parse import unquote

from toolgauge.contract.schema.dialects import Dialect, dialect_of
from toolgauge.contract.schema.subschemas import iter_places

ANNOTATIONS = frozenset(
    {
        "$comment",
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
"""Keywords that say something and refuse nothing."""

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

_DRAFT_7 = 7
_DRAFT_6 = 6

_DRAFT_BOUND = frozenset(
    {
        *("$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef", "id"),
        *("additionalItems", "dependencies", "prefixItems"),
        *("unevaluatedItems", "unevaluatedProperties", "contentEncoding", "contentMediaType"),
        *("dependentRequired", "dependentSchemas", "maxContains", "minContains"),
        *("if", "then", "else"),
    }
)
"""Keywords that a draft may not have, or read differently. ``$ref`` and a list
of ``items`` are looked at by themselves."""


def bare(schema: Any, *, formats: bool) -> Any:
    """Give a schema without what refuses no value.

    A property that is called ``title`` is no annotation and stays.

    Args:
        schema: Parsed JSON that the engine could compile.
        formats: Whether ``format`` is asserted; else it is an annotation too.
    """
    return _bare(schema, annotations_of(schema, formats=formats))


def annotations_of(schema: Any, *, formats: bool) -> frozenset[str]:
    """Give the keywords that refuse no value of this schema.

    One that some reference leads into is not among them: somebody keeps a schema there.
    """
    quiet = ANNOTATIONS if formats else ANNOTATIONS | {"format"}
    # A URI may spell any letter as an escape, and only the engine knows each base.
    return quiet.difference(*(unquote(each).split("/") for each in _references(schema)))


def _bare(schema: Any, dropped: frozenset[str]) -> Any:
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in dropped}
    for (keyword, *steps), below, _, _ in iter_places(kept):
        if not steps:
            kept[str(keyword)] = _bare(below, dropped)
            continue
        if kept[str(keyword)] is schema[str(keyword)]:
            holder = schema[str(keyword)]
            kept[str(keyword)] = dict(holder) if isinstance(holder, dict) else list(holder)
        kept[str(keyword)][steps[0]] = _bare(below, dropped)
    return kept


def _references(value: Any) -> list[str]:
    """Find the text of every reference, wherever one may stand."""
    found: list[str] = []
    row = [value]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            found += [here[each] for each in _REFERENCES if isinstance(here.get(each), str)]
            row += here.values()
        elif isinstance(here, list):
            row += here
    return found


def has_references(value: Any) -> bool:
    """Tell whether what a schema means may depend on where it lies."""
    row = [value]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            if not _RELATIVE.isdisjoint(here):
                return True
            row += here.values()
        elif isinstance(here, list):
            row += here
    return False


_RELATIVE = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "$id", "id"})


def same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal; ``1`` equals ``1.0``, but not ``true``."""
    row = [(one, other)]
    while row:
        here, there = row.pop()
        if isinstance(here, dict) and isinstance(there, dict):
            if here.keys() != there.keys():
                return False
            row += [(here[key], there[key]) for key in here]
        elif isinstance(here, list) and isinstance(there, list):
            if len(here) != len(there):
                return False
            row += zip(here, there, strict=True)
        elif isinstance(here, bool) or isinstance(there, bool):
            if here is not there:
                return False
        elif here != there:
            return False
    return True


def key_of(value: Any) -> Hashable:
    """Give what two JSON values share exactly where they are the ``same``."""
    if isinstance(value, dict):
        return frozenset((name, key_of(each)) for name, each in value.items())
    if isinstance(value, list):
        return tuple(map(key_of, value))
    return (isinstance(value, bool), value)


def common_dialect(one: Any, other: Any) -> Dialect | None:
    """Name a dialect in which both schemas mean what they mean in their own.

    Returns:
        ``None`` where there is none, and keywords must not be held side by side.
    """
    dialects = dialect_of(one), dialect_of(other)
    if dialects[0] is None or dialects[1] is None:
        return None
    if dialects[0] is dialects[1]:
        return dialects[0]
    if min(each.number for each in dialects if each) < _DRAFT_6:
        return None
    if any(_is_draft_bound(each) for each in (one, other)):
        return None
    return dialects[0]


def _is_draft_bound(value: Any) -> bool:
    """Tell whether any keyword is read differently by some draft since 06."""
    row = [value]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            if not _DRAFT_BOUND.isdisjoint(here) or isinstance(here.get("items"), list):
                return True
            if "$ref" in here and len(here) > 1:
                return True
            row += here.values()
        elif isinstance(here, list):
            row += here
    return False


def ignores_siblings(dialect: Dialect) -> bool:
    """Tell whether ``$ref`` stands alone: up to draft-07 it hides what is beside it."""
    return dialect.number <= _DRAFT_7
