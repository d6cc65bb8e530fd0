"""What of two schemas counts: without annotations, by subschema, and whatever the draft."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from toolgauge.contract.schema.dialects import Dialect, dialect_of, is_checked
from toolgauge.contract.schema.document import REFERENCES, RELATIVE, SchemaDocument
from toolgauge.contract.schema.equality import same
from toolgauge.contract.schema.keywords import ANNOTATIONS
from toolgauge.contract.schema.subschemas import iter_places, iter_subschemas, with_subschemas

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.budget import Budget


def bare(schema: Any, *, formats: bool) -> Any:
    """Give a schema without what refuses no value.

    A property that is called ``title`` is no annotation and stays. So does an
    annotation that some reference leads into: somebody keeps a schema there.

    Args:
        schema: Parsed JSON that the engine could compile.
        formats: Whether ``format`` is asserted; else it is an annotation too, as is
            one that the engine does not check anyway.
    """
    quiet = ANNOTATIONS if formats else ANNOTATIONS | {"format"}
    # A URI may spell any letter as an escape, and only the engine knows each base.
    steps = [unquote(each).split("/") for each in _references(schema)]
    return _bare(schema, quiet.difference(*steps), frozenset({dialect_of(schema)}))


def _bare(schema: Any, dropped: frozenset[str], dialects: frozenset[Dialect | None]) -> Any:
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in dropped}
    if "$schema" in schema:
        dialects |= {dialect_of(schema)}
    if not _may_check(kept.get("format"), dialects):
        kept.pop("format", None)
    for (keyword, *steps), below, _, _ in iter_places(kept):
        if not steps:
            kept[str(keyword)] = _bare(below, dropped, dialects)
            continue
        if kept[str(keyword)] is schema[str(keyword)]:
            holder = schema[str(keyword)]
            kept[str(keyword)] = dict(holder) if isinstance(holder, dict) else list(holder)
        kept[str(keyword)][steps[0]] = _bare(below, dropped, dialects)
    return kept


_SETS = ("enum", "required", "type")
"""Keywords whose lists mean the same in any order."""


def sorted_sets(schema: Any) -> Any:
    """Give a copy of a schema with such lists sorted, where they are texts, and each once."""
    if not isinstance(schema, dict):
        return schema
    made = with_subschemas(schema, sorted_sets)
    for keyword in _SETS:
        values = made.get(keyword)
        if isinstance(values, list) and all(isinstance(each, str) for each in values):
            made[keyword] = sorted(set(values))
    return made


def _may_check(form: object, dialects: frozenset[Dialect | None]) -> bool:
    """Tell whether the engine checks a format in any of the dialects that it may be read in."""
    return not isinstance(form, str) or any(
        each is None or is_checked(form, each) for each in dialects
    )


def _references(value: Any) -> list[str]:
    """Find the text of every reference, wherever one may stand."""
    found: list[str] = []
    row = [value]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            found += [here[each] for each in REFERENCES if isinstance(here.get(each), str)]
            row += here.values()
        elif isinstance(here, list):
            row += here
    return found


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
        self._spend = None if budget is None else budget.spend_on
        self.documents: list[SchemaDocument] = [
            SchemaDocument(each, spend=self._spend, is_strict=True) for each in (one, other)
        ]

    def __call__(self, one: Any, other: Any) -> bool:
        """Tell whether two subschemas are equal, and so is all that they lead to."""
        if not same(one, other, self._spend):
            return False
        named = _pointers(one)
        return named is not None and (not named or named <= self._shared)

    @cached_property
    def _shared(self) -> frozenset[str]:
        """References with targets that are equal, as is all that these lead to."""
        users: dict[str, list[str]] = defaultdict(list)
        known: dict[tuple[int, int], frozenset[str] | None] = {}
        reached = self.documents[0].iter_reached(self._spend)
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
            known[key] = _pointers(one) if same(one, other, self._spend) else None
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
