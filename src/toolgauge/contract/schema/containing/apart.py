"""Shows that no value is valid against two subschemas at once."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.equality import identity
from toolgauge.contract.schema.keywords import ALL_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolgauge.contract.schema.containing.budget import Budget
    from toolgauge.contract.schema.document import SchemaDocument

_MAX_DEPTH = 4
_MAX_PARTS = 50


class Apart:
    """Tells of the subschemas of one document whether they exclude each other.

    Args:
        document: The document, without annotations.
        budget: What that may cost; passing it raises ``TooCostly``.
        ignores_siblings: Whether ``$ref`` hides what is beside it.
    """

    def __init__(self, document: SchemaDocument, budget: Budget, *, ignores_siblings: bool) -> None:
        self._document = document
        self._budget = budget
        self._alone = ignores_siblings
        self._known: dict[tuple[int, ...], bool] = {}

    def are_apart(self, branches: list[Any]) -> bool:
        """Tell whether each two of some branches exclude each other."""
        key = tuple(map(id, branches))
        if key not in self._known:
            self._known[key] = all(
                self.excludes(one, other) for one, other in combinations(branches, 2)
            )
        return self._known[key]

    def excludes(self, one: Any, other: Any, depth: int = 0) -> bool:
        """Tell whether no value is valid against both; ``False`` where that is not seen."""
        if one is False or other is False:
            return True
        pair = self._parts(one), self._parts(other)
        self._budget.spend_on(sum(len(each) for parts in pair for each in parts))
        if any(_have_no_value(a, b) for a in pair[0] for b in pair[1]):
            return True
        kinds = [frozenset.intersection(*map(_kinds, parts or [{}])) for parts in pair]
        if not kinds[0] & kinds[1]:
            return True
        if kinds[0] & kinds[1] != {"object"} or depth > _MAX_DEPTH:
            return False
        named = {name for parts in pair for each in parts for name in each.get("required", ())}
        self._budget.spend_on(len(named))
        return any(
            self.excludes(a, b, depth + 1)
            for name in sorted(named)
            for a in _members(pair[0], name)
            for b in _members(pair[1], name)
        )

    def _parts(self, schema: Any) -> list[dict[str, Any]]:
        """Give the schemas that all apply where one does: itself, referents, parts of ``allOf``."""
        found: list[dict[str, Any]] = []
        row = [schema]
        while row and len(found) < _MAX_PARTS:
            here = row.pop()
            if not isinstance(here, dict):
                continue
            if isinstance(here.get("$ref"), str):
                row.append(self._document.follow(here["$ref"]))
                if self._alone:
                    continue
            found.append(here)
            if isinstance(here.get("allOf"), list):
                row += here["allOf"]
        return found


def _members(parts: list[dict[str, Any]], name: str) -> Iterator[Any]:
    """Yield the schemas of a property; what is closed to others has ``false``."""
    for each in parts:
        named: Mapping[str, Any] = each.get("properties", {})
        if name in named:
            yield named[name]
        elif not each.get("patternProperties") and "additionalProperties" in each:
            yield each["additionalProperties"]
    yield True


def _kinds(schema: dict[str, Any]) -> frozenset[str]:
    kind = schema.get("type")
    if kind is None:
        return ALL_TYPES
    kinds = frozenset(kind if isinstance(kind, list) else [kind])
    return kinds | {"integer"} if "number" in kinds else kinds


def _have_no_value(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether both list their values, and none is in both lists."""
    lists = [_values(each) for each in (one, other)]
    return None not in lists and lists[0].isdisjoint(lists[1])


def _values(schema: dict[str, Any]) -> Any:
    if "const" in schema:
        return {identity(schema["const"])}
    listed = schema.get("enum")
    return set(map(identity, listed)) if isinstance(listed, list) else None
