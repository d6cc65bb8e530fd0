"""Which subschemas of two documents mean the same, what they refer to included."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.containing.bare import same
from toolgauge.contract.schema.document import RELATIVE, SchemaDocument
from toolgauge.contract.schema.subschemas import iter_subschemas

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.budget import Budget


class Alike:
    """Tells of subschemas of two documents in one dialect whether they mean the same.

    Args:
        one: A document; none of its subschemas gives itself a new base URI.
        other: The same.
        budget: What the comparisons may cost, ``None`` for no limit. Passing it
            raises ``TooCostly``.

    Attributes:
        documents: Both, to follow references in.
    """

    def __init__(self, one: Any, other: Any, budget: Budget | None = None) -> None:
        spend = None if budget is None else budget.spend_on
        self.documents: list[SchemaDocument] = [
            SchemaDocument(each, spend=spend, is_strict=True) for each in (one, other)
        ]
        self._budget = budget

    def __call__(self, one: Any, other: Any) -> bool:
        """Tell whether two subschemas are equal, and so is all that they lead to."""
        if not same(one, other, self._budget):
            return False
        named = _pointers(one)
        return named is not None and (not named or named <= self._shared)

    @cached_property
    def _shared(self) -> frozenset[str]:
        """References with targets that are equal, as is all that these lead to."""
        users: dict[str, list[str]] = defaultdict(list)
        known: dict[tuple[int, int], frozenset[str] | None] = {}
        visit = None if self._budget is None else self._budget.spend_on
        reached = self.documents[0].iter_reached(visit)
        texts = {each["$ref"] for each in reached if isinstance(each.get("$ref"), str)}
        spoiled: list[str] = []
        for reference in texts:
            named = self._named_by(reference, known)
            if named is None:
                spoiled.append(reference)
            else:
                for each in named:
                    users[each].append(reference)
        unlike: set[str] = set()
        while spoiled:
            reference = spoiled.pop()
            if reference not in unlike:
                unlike.add(reference)
                spoiled += users[reference]
        return frozenset(texts - unlike)

    def _named_by(
        self, reference: str, known: dict[tuple[int, int], frozenset[str] | None]
    ) -> frozenset[str] | None:
        """Give the references in both targets of one, ``None`` where the targets differ."""
        try:
            one, other = (each.point(reference) for each in self.documents)
        except LookupError:
            return None
        # Several texts may point at one place.
        key = id(one), id(other)
        if key not in known:
            known[key] = _pointers(one) if same(one, other, self._budget) else None
        return known[key]


def _pointers(schema: Any) -> frozenset[str] | None:
    """Give the references in a schema, ``None`` where its place decides more than these."""
    found: list[str] = []
    for each in iter_subschemas(schema):
        if not RELATIVE.isdisjoint(each.keys() - {"$ref"}):
            return None
        if isinstance(each.get("$ref"), str):
            found.append(each["$ref"])
    return frozenset(found)
