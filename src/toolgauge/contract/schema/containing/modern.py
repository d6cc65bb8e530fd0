"""Schemas of older drafts, written as 2020-12: then two drafts can be held side by side.

Source: the migration notes of the drafts: ``items`` and ``additionalItems`` (2020-12 core
10.3.1), ``dependencies`` (2019-09 validation 6.5.4), the flags of draft-04 (draft-06
validation 6.2 to 6.5), siblings of ``$ref`` (draft-07 core 8.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from toolgauge.contract.schema.containing.alike import sorted_sets
from toolgauge.contract.schema.dialects import DEFAULT_DIALECT, Dialect, dialect_of
from toolgauge.contract.schema.document import ANCHORS, RELATIVE, SchemaDocument
from toolgauge.contract.schema.keywords import is_asserted
from toolgauge.contract.schema.subschemas import with_subschemas

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.budget import Budget

_DRAFT_4, _DRAFT_6, _DRAFT_7, _DRAFT_2019 = 4, 6, 7, 2019

_UNLIKE: Final = {
    **dict.fromkeys(RELATIVE - {"$ref"} | {*ANCHORS, "format"}, DEFAULT_DIALECT.number - 1),
    **dict.fromkeys(("contentEncoding", "contentMediaType"), _DRAFT_7),
}
"""Keywords that 2020-12 has no other words for, and the last draft that reads them otherwise."""

_REVERSING: Final = frozenset({"if", "not", "oneOf"})
"""Keywords that admit less where a schema below admits more."""

_HELD: Final = ("$defs", "definitions")
_FLAGS: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def aligned(
    bigger: Any, smaller: Any, budget: Budget | None = None
) -> tuple[Any, Any, Dialect] | None:
    """Write two schemas in one dialect, without ``$schema``, for a proof of containment.

    Both admit the same as before, or the smaller one more.

    Args:
        bigger: A schema without annotations.
        smaller: The same.
        budget: What that may cost; passing it raises ``TooCostly``.

    Returns:
        Both, and the dialect. ``None`` where there is no common one, and keywords must not
        be held side by side.
    """
    own = dialect_of(bigger)
    documents = _Document(bigger, budget), _Document(smaller, budget)
    big, small = documents[0].modern(may_grow=False), documents[1].modern(may_grow=True)
    if big is not None and small is not None:
        return big, small, DEFAULT_DIALECT
    if own is None or any(not each.is_all_in(own) for each in documents):
        return None
    return _unnamed(bigger), _unnamed(smaller), own


def _unnamed(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {key: value for key, value in schema.items() if key != "$schema"}


class _Document:
    """One schema and how its draft reads it."""

    def __init__(self, schema: Any, budget: Budget | None) -> None:
        spend = None if budget is None else budget.spend_on
        self._schema = schema
        self._dialect = dialect_of(schema)
        self._document = SchemaDocument(schema, spend=spend, is_strict=True)
        self._reached = list(self._document.iter_reached(spend))

    def is_all_in(self, dialect: Dialect) -> bool:
        """Tell whether every subschema is written in one dialect."""
        return self._dialect is dialect and all(
            dialect_of(each) is dialect for each in self._reached if "$schema" in each
        )

    def modern(self, *, may_grow: bool) -> Any:
        """Write the schema as 2020-12.

        Args:
            may_grow: Whether it may admit more than before: in draft-04, 1.0 is no integer.

        Returns:
            ``None`` where that cannot be told.
        """
        dialect = self._dialect
        if dialect is None or not self.is_all_in(dialect):
            return None
        if dialect is DEFAULT_DIALECT:
            return sorted_sets(_upgraded(self._schema, dialect.number))
        if any(not self._is_plain(each, dialect) for each in self._reached):
            return None
        if dialect.number == _DRAFT_4:
            may_grow = may_grow and all(_REVERSING.isdisjoint(each) for each in self._reached)
            if not may_grow and any(map(_names_integers, self._reached)):
                return None
        return sorted_sets(_upgraded(self._schema, dialect.number))

    def _is_plain(self, schema: dict[str, Any], dialect: Dialect) -> bool:
        """Tell whether 2020-12 has words for one subschema."""
        is_root = schema is self._schema
        for keyword, until in _UNLIKE.items():
            is_name = is_root and keyword == dialect.id_keyword
            if keyword in schema and dialect.number <= until and not is_name:
                return False
        if dialect.number == _DRAFT_2019 and "unevaluatedItems" in schema:
            return False
        return "$ref" not in schema or self._stays(schema["$ref"])

    def _stays(self, reference: Any) -> bool:
        """Tell whether a reference leads to a subschema that stays where it is."""
        try:
            target = self._document.point(reference)
        except LookupError:
            return False
        steps = unquote(reference).split("/")
        is_moved = "dependencies" in steps or "additionalItems" in steps
        is_moved |= any(one == "items" and two.isdigit() for one, two in zip(steps, steps[1:]))  # noqa: B905, RUF007 - neighbors
        is_known = isinstance(target, bool) or id(target) in self._document.paths
        return is_known and not is_moved


def _names_integers(schema: dict[str, Any]) -> bool:
    kind = schema.get("type", ())
    return "integer" in (kind if isinstance(kind, list) else [kind])


def _upgraded(schema: Any, draft: int) -> Any:
    """Write one subschema, and those below it, as 2020-12."""
    if not isinstance(schema, dict):
        return schema
    made = _asserted(schema, draft)
    made = with_subschemas(made, lambda each: _upgraded(each, draft))
    if draft == _DRAFT_4:
        _number_limits(made)
    if draft < DEFAULT_DIALECT.number:
        _split_items(made)
    _split_dependencies(made)
    return made


def _asserted(schema: dict[str, Any], draft: int) -> dict[str, Any]:
    """Leave out what the draft does not look at."""
    if draft <= _DRAFT_7 and "$ref" in schema:
        return {key: schema[key] for key in ("$ref", *_HELD) if key in schema}
    dropped = {"$schema"}
    if draft < DEFAULT_DIALECT.number:
        dropped |= {"$id", "id", "prefixItems", "$dynamicAnchor"}
    if draft < _DRAFT_2019:
        dropped |= {"minContains", "maxContains"}
    if draft < _DRAFT_7:
        dropped |= {"then", "else"}
    return {
        key: value
        for key, value in schema.items()
        if key not in dropped and (key in _FLAGS or is_asserted(key, draft))
    }


def _number_limits(made: dict[str, Any]) -> None:
    """Write the flags of draft-04 as limits."""
    for flag, limit in _FLAGS.items():
        if made.pop(flag, False) is True and limit in made:
            made[flag] = made.pop(limit)


def _split_items(made: dict[str, Any]) -> None:
    rest = made.pop("additionalItems", True)
    if isinstance(made.get("items"), list):
        first = made.pop("items")
        if first:
            made["prefixItems"] = first
        if rest is not True:
            made["items"] = rest


def _split_dependencies(made: dict[str, Any]) -> None:
    """Part what is required from what is applied; every draft has these, as the engine reads it."""
    held = made.get("dependencies")
    named = ("dependentRequired", "dependentSchemas")
    if not isinstance(held, dict) or any(each in made for each in named):
        return
    del made["dependencies"]
    lists = {key: value for key, value in held.items() if isinstance(value, list)}
    schemas = {key: value for key, value in held.items() if key not in lists}
    made |= {key: part for key, part in zip(named, (lists, schemas), strict=True) if part}
