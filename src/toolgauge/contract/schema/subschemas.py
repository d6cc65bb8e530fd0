"""Where subschemas lie inside a schema, keyword by keyword.

Source: JSON Schema core 2020-12 sections 8.2.4, 10 and 11, and the same
keywords of the older drafts. A keyword that is listed for no draft holds no
subschema: what lies under it is data until a ``$ref`` points there.
"""

from __future__ import annotations

from copy import copy
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Reach(Enum):
    """Which value a subschema is applied to, seen from the schema that holds it."""

    SAME = "the value itself"
    NAMED = "the member of one name"
    ANY = "any member or item"
    NONE = "nothing, until a $ref points there"


class Place(NamedTuple):
    """One subschema and where it lies.

    ``path`` leads from the schema to the subschema; ``name`` is the member's
    name for ``Reach.NAMED`` and ``""`` else.
    """

    path: tuple[str | int, ...]
    schema: Any
    reach: Reach
    name: str


_ONE = {
    "not": Reach.SAME,
    "if": Reach.SAME,
    "then": Reach.SAME,
    "else": Reach.SAME,
    "items": Reach.ANY,
    "additionalItems": Reach.ANY,
    "unevaluatedItems": Reach.ANY,
    "contains": Reach.ANY,
    "additionalProperties": Reach.ANY,
    "unevaluatedProperties": Reach.ANY,
    "propertyNames": Reach.ANY,
    "contentSchema": Reach.NONE,
}
_LIST = {
    "allOf": Reach.SAME,
    "anyOf": Reach.SAME,
    "oneOf": Reach.SAME,
    "prefixItems": Reach.ANY,
    "items": Reach.ANY,
}
_MAP = {
    "properties": Reach.NAMED,
    "patternProperties": Reach.ANY,
    "dependentSchemas": Reach.SAME,
    "dependencies": Reach.SAME,
    "$defs": Reach.NONE,
    "definitions": Reach.NONE,
}

SUBSCHEMAS = frozenset({*_ONE, *_LIST, *_MAP})
"""Keywords that hold subschemas."""


def iter_places(schema: dict[str, Any]) -> Iterator[Place]:
    """Yield the subschemas directly below a schema, in the order of its keywords.

    Values of the wrong shape are passed over: whether they are allowed is the
    meta-schema's question.
    """
    for keyword, value in schema.items():
        if keyword in _ONE and isinstance(value, dict | bool):
            yield Place((keyword,), value, _ONE[keyword], "")
        elif keyword in _LIST and isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, dict | bool):
                    yield Place((keyword, index), each, _LIST[keyword], "")
        elif keyword in _MAP and isinstance(value, dict):
            for name, each in value.items():
                if isinstance(each, dict | bool):
                    yield Place((keyword, name), each, _MAP[keyword], name)


def with_subschemas(schema: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a copy of a schema in which each subschema directly below it is changed."""
    made: dict[Any, Any] = {keyword: copy(value) for keyword, value in schema.items()}
    for place in iter_places(schema):
        keyword, *inner = place.path
        holder, key = (made[keyword], inner[0]) if inner else (made, keyword)
        holder[key] = change(place.schema)
    return made


def iter_subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and every one at or below its keywords, where they are objects."""
    row = [schema]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            yield here
            row += [place.schema for place in iter_places(here)]
