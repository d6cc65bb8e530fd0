"""Arguments that no schema declares: allowed by JSON Schema, and usually a slip."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

from toolgauge.contract.issues import Issue
from toolgauge.contract.schema.document import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolgauge.contract.pointers import Path

MAX_WARNINGS = 1_000

MAX_PLACES = 50_000
"""Most members, and items that hold others, that are looked at."""

MAX_COMPARED = 2_000
"""Most pairs of names that are compared for hints; each takes up to 0.05 ms."""

_MAX_COMPARED_CHARS, _MAX_SHOWN_CHARS = 64, 256
_MAX_DEPTH = 8
_OPEN = frozenset(
    {
        *REFERENCES,
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
    return tuple(islice(_Look().iter(schema, value, (), 0), MAX_WARNINGS))


class _Look:
    """One look at a value, within bounds on places and on names that are compared."""

    def __init__(self) -> None:
        self._places = MAX_PLACES
        self._compared = MAX_COMPARED

    def iter(self, schema: Any, value: Any, path: Path, depth: int) -> Iterator[Issue]:
        """Yield warnings; after ``MAX_PLACES`` arrays, objects and members no more."""
        if not isinstance(schema, dict) or depth > _MAX_DEPTH:
            return
        if isinstance(value, list) and isinstance(schema.get("items"), dict):
            for index, item in enumerate(value):
                if isinstance(item, dict | list) and self._may_go_on():
                    yield from self.iter(schema["items"], item, (*path, index), depth + 1)
        declared = schema.get("properties")
        if not isinstance(value, dict) or not isinstance(declared, dict):
            return
        is_closed = not _OPEN.intersection(schema)
        for name, member in value.items():
            if not self._may_go_on():
                return
            if name in declared:
                yield from self.iter(declared[name], member, (*path, name), depth + 1)
            elif is_closed:
                shown = name if len(name) <= _MAX_SHOWN_CHARS else f"{name[:_MAX_SHOWN_CHARS]}…"
                message = f"argument {shown!r} is not declared by the schema"
                yield Issue(path=(*path, name), message=message, hint=self._hint(name, declared))

    def _may_go_on(self) -> bool:
        self._places -= 1
        return self._places >= 0

    def _hint(self, name: str, declared: Mapping[str, Any]) -> str | None:
        """Name a declared member that is close, where comparing with all costs little."""
        self._compared -= len(declared)
        if self._compared < 0 or len(name) > _MAX_COMPARED_CHARS:
            return None
        known = [each for each in declared if len(each) <= _MAX_COMPARED_CHARS]
        close = get_close_matches(name, known, n=1)
        return f"did you mean {close[0]}?" if close else None
