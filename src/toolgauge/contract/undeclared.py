"""Arguments that no schema declares: allowed by JSON Schema, and usually a slip."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from toolgauge.contract.issues import Issue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.contract.pointers import Path

_MAX_DEPTH = 8
_OPEN = frozenset(
    {
        "$ref",
        "$dynamicRef",
        "additionalProperties",
        "allOf",
        "anyOf",
        "dependentSchemas",
        "if",
        "oneOf",
        "patternProperties",
        "unevaluatedProperties",
    }
)
"""Keywords that may declare members elsewhere, or say what others may be."""


def undeclared(schema: object, value: object) -> tuple[Issue, ...]:
    """Find members that the schema neither names nor says anything about.

    These are no errors: absent ``additionalProperties`` allows anything. But a
    misspelled argument is dropped without a word and the tool runs on its
    defaults, so a person should hear of it.

    Returns:
        Warnings, with ``keyword`` ``None`` and a hint where a declared name is
        close. Objects whose schema may declare members elsewhere are passed over.

    Example:
        >>> schema = {"properties": {"topic": {"type": "string"}}}
        >>> [(each.pointer, each.hint) for each in undeclared(schema, {"topc": "x"})]
        [('/topc', 'did you mean topic?')]
    """
    return tuple(_iter(schema, value, (), 0))


def _iter(schema: Any, value: Any, path: Path, depth: int) -> Iterator[Issue]:
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for index, item in enumerate(value):
            yield from _iter(schema["items"], item, (*path, index), depth + 1)
    declared = schema.get("properties")
    if not isinstance(value, dict) or not isinstance(declared, dict):
        return
    is_closed = not _OPEN.intersection(schema)
    for name, member in value.items():
        if name in declared:
            yield from _iter(declared[name], member, (*path, name), depth + 1)
        elif is_closed:
            close = get_close_matches(name, declared, n=1)
            hint = f"did you mean {close[0]}?" if close else None
            message = f"argument {name!r} is not declared by the schema"
            yield Issue(path=(*path, name), message=message, hint=hint)
