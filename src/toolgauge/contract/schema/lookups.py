"""Long lists of values to compare with: looked up, where the engine compares with each.

The engine looks up a text among texts and an integer among integers. Any other ``enum`` it
goes through, one value after the other, for each value of the instance. Here such a keyword
is renamed for the engine to one of ours that looks values up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolgauge.contract.schema.equality import identity
from toolgauge.contract.schema.patterns import translate

if TYPE_CHECKING:
    from collections.abc import Collection

_PREFIX = "toolgauge-"
_RENAMED = ("enum", "const")


class _Lookup:
    """A keyword that accepts the listed values; the engine makes one for each subschema."""

    def __init__(self, schema: dict[str, Any], values: list[Any], path: list[Any]) -> None:  # noqa: ARG002 - as the engine calls it
        self._known = frozenset(map(identity, values))

    def validate(self, value: Any) -> None:
        """Raise an error for a value that is not listed."""
        if identity(value) not in self._known:
            msg = "the value is not listed"
            raise ValueError(msg)

    def is_valid(self, value: Any) -> bool:
        """Tell whether a value is listed."""
        return identity(value) in self._known


LOOKUP_KEYWORDS: Final = {f"{_PREFIX}{name}": _Lookup for name in _RENAMED}


def for_engine(schema: Any, holders: Collection[int], translated: Collection[int]) -> Any:
    """Copy a schema as the engine reads it: what only looks like a keyword, in data, stays.

    Args:
        schema: Parsed JSON.
        holders: The ``id()`` of each subschema whose list of values is long.
        translated: The ``id()`` of each subschema that holds a pattern which the engine
            reads only when it is translated.
    """
    if isinstance(schema, list):
        return [for_engine(each, holders, translated) for each in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: for_engine(each, holders, translated) for key, each in schema.items()}
    if id(schema) in translated:
        translate(copy)
    if id(schema) in holders:
        if "enum" in copy:
            copy[f"{_PREFIX}enum"] = copy.pop("enum")
        if "const" in copy:
            copy[f"{_PREFIX}const"] = [copy.pop("const")]
    return copy
