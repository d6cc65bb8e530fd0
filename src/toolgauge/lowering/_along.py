"""Changes a value along a schema: at the marked places, and nowhere else.

The walk goes through local references, members, items and the branch of a union
that accepts the value. It never looks at what no marked place lies below. Where
several branches accept it, the one whose original accepts the result is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract import Issue, dump_json, to_pointer
from toolgauge.contract.schema.document import SchemaDocument, subschema_at
from toolgauge.contract.schema.subschemas import iter_places, iter_subschemas
from toolgauge.lowering._branches import Branches, Choices, Origins, iter_unions
from toolgauge.lowering.errors import CannotRefit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolgauge.contract import Path
    from toolgauge.lowering._pass import Mark, Refit

_MAX_STEPS = 400
"""Nesting of the walk; a reference that leads to itself ends here."""

_MAX_TRIED = 16
"""Branches of one union that are compared."""

_MAX_TRIALS = 2_000
"""Branches that are compared for one value; then the first that accepts is taken."""

_UNUSED = ("$defs", "definitions")


class Along:
    """One schema with its marks, ready for values. Safe to share between threads.

    Args:
        schema: The schema that values have the shape of. Not changed.
        marks: What to do, by JSON Pointer into the schema.
        refit: How to do it.
        origins: The schema that results have the shape of, where it is known.
        other: A second way to do it, for marks with ``either``.
    """

    def __init__(
        self,
        schema: dict[str, Any],
        marks: Mapping[str, Mark],
        refit: Refit,
        origins: Origins | None = None,
        other: Refit | None = None,
    ) -> None:
        self.schema: dict[str, Any] = schema
        self.document: SchemaDocument = SchemaDocument(schema)
        self.refit: Refit = refit
        self.other: Refit | None = other
        self.marks: dict[int, Mark] = {}
        for pointer, mark in marks.items():
            node = subschema_at(schema, pointer)
            if node is not None:
                self.marks[id(node)] = mark
        self.busy: set[int] = _above(self.document, self.marks)
        self.branches: Branches = Branches(schema)
        self.origins: Origins | None = origins

    @property
    def is_ambiguous(self) -> bool:
        """Whether a value may be read in more than one way.

        Along one of two branches of a union with marks below, or at a mark itself.
        """
        if self.other is not None and any(mark.get("either") for mark in self.marks.values()):
            return True
        return any(
            id(branch) in self.busy and self.branches.may_meet(branch, union)
            for node in iter_subschemas(self.schema)
            if id(node) in self.busy
            for union in iter_unions(node)
            for branch in union
        )

    def change(self, value: Any, choices: Choices | None = None) -> tuple[Any, tuple[Issue, ...]]:
        """Give the value in the other shape, and what could not be changed.

        The value itself is left as it is.
        """
        issues: list[Issue] = []
        walk = _Walk(self, choices or Choices())
        return walk.changed(value, self.schema, _Here((), issues, 0)), tuple(issues)

    def is_result(self, branch: Any, value: Any) -> bool:
        """Tell whether a value may come of a branch, as far as is known."""
        if self.origins is None or not isinstance(branch, dict):
            return True
        return self.origins.admits(to_pointer(self.document.paths.get(id(branch), ())), value)


class _Here(NamedTuple):
    """A place of the value, where issues go, and how deep the walk is."""

    path: Path
    issues: list[Issue]
    steps: int

    def below(self, *keys: str | int) -> _Here:
        return _Here((*self.path, *keys), self.issues, self.steps)


class _Outcome(NamedTuple):
    value: Any
    issues: list[Issue]


class _Walk:
    """One value on its way."""

    def __init__(self, along: Along, choices: Choices) -> None:
        self._along = along
        self._choices = choices
        self._trials = 0

    def changed(self, value: Any, node: object, here: _Here) -> Any:
        if not isinstance(node, dict) or id(node) not in self._along.busy:
            return value
        if here.steps > _MAX_STEPS:
            here.issues.append(Issue(path=here.path, message="the schema does not end here"))
            return value
        here = here._replace(steps=here.steps + 1)
        mark = self._along.marks.get(id(node))
        if mark is not None and mark.get("whole"):
            return self._refitted(value, mark, here)
        if "$ref" in node:
            target = self._along.document.follow(node["$ref"])
            value = self.changed(value, target, here)
        for union in iter_unions(node):
            value = self._united(value, union, here)
        for each in node.get("allOf", ()):
            value = self.changed(value, each, here)
        if isinstance(value, dict):
            value = self._members(value, node, here)
        elif isinstance(value, list):
            value = self._items(value, node, here)
        return value if mark is None else self._refitted(value, mark, here)

    def _refitted(self, value: Any, mark: Mark, here: _Here) -> Any:
        try:
            made = self._along.refit(value, mark)
            if self._along.other is None or not mark.get("either"):
                return made
            other = self._along.other(value, mark)
            return made if made == other or self._choices.pick(2) == 0 else other
        except CannotRefit as error:
            here.issues.append(Issue(path=here.path, message=error.reason))
            return value

    def _members(self, value: dict[str, Any], node: dict[str, Any], here: _Here) -> dict[str, Any]:
        named = node.get("properties", {})
        patterned = tuple(node.get("patternProperties", {}).values())
        other = patterned[0] if len(patterned) == 1 else node.get("additionalProperties")
        return {
            key: self.changed(each, named.get(key, other), here.below(key))
            for key, each in value.items()
        }

    def _items(self, value: list[Any], node: dict[str, Any], here: _Here) -> list[Any]:
        first = node.get("prefixItems", ())
        items = node.get("items")
        return [
            self.changed(each, first[index] if index < len(first) else items, here.below(index))
            for index, each in enumerate(value)
        ]

    def _united(self, value: Any, union: Sequence[Any], here: _Here) -> Any:
        """Go along the branch of a union that a value is of."""
        if not any(id(each) in self._along.busy for each in union):
            return value
        found = self._along.branches.accepting(union, value)
        if len(found) < 2 or self._trials > _MAX_TRIALS:  # noqa: PLR2004 - one is no choice
            return self.changed(value, found[0], here) if found else value
        chosen = self._chosen(value, found[:_MAX_TRIED], here)
        here.issues.extend(chosen.issues)
        return chosen.value

    def _chosen(self, value: Any, branches: Sequence[Any], here: _Here) -> _Outcome:
        """Compare what several branches make of a value."""
        fitting: dict[bytes, _Outcome] = {}
        others: list[_Outcome] = []
        for each in branches:
            self._trials += 1
            issues: list[Issue] = []
            made = _Outcome(self.changed(value, each, here._replace(issues=issues)), issues)
            if not issues and self._along.is_result(each, made.value):
                fitting.setdefault(dump_json(made.value), made)
            else:
                others.append(made)
        if len(fitting) > 1:
            return list(fitting.values())[self._choices.pick(len(fitting))]
        return [*fitting.values(), *others][0]


def _above(document: SchemaDocument, marked: Mapping[int, Mark]) -> set[int]:
    """Give every subschema from which a marked one can be reached."""
    holders: dict[int, list[dict[str, Any]]] = {}
    row, seen = [document.root], {id(document.root)}
    for node in row:  # it grows while we look
        below = [each.schema for each in iter_places(node) if each.path[0] not in _UNUSED]
        below.append(document.follow(node.get("$ref")))
        for each in below:
            if isinstance(each, dict):
                holders.setdefault(id(each), []).append(node)
                if id(each) not in seen:
                    seen.add(id(each))
                    row.append(each)
    busy: set[int] = set()
    todo = list(marked)
    while todo:
        here = todo.pop()
        if here not in busy:
            busy.add(here)
            todo += [id(each) for each in holders.get(here, ())]
    return busy
