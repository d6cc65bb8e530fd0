"""Changes a value along a schema: at the marked places, and nowhere else.

The walk goes through local references, members, items and the branch of a union
that accepts the value. It never looks at what no marked place lies below. Where
several branches accept it, the one whose original accepts the result is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract import Issue, dump_json, to_pointer
from toolgauge.contract.schema.document import SchemaDocument, subschema_at
from toolgauge.contract.schema.pattern_cost import pattern_cost
from toolgauge.contract.schema.subschemas import iter_places, iter_subschemas
from toolgauge.lowering._branches import Branches, Choices, Origins, iter_unions
from toolgauge.lowering.errors import CannotRefit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from toolgauge.contract import Path
    from toolgauge.lowering._pass import Mark, Refit

_MAX_STEPS = 400
"""Nesting of the walk; a reference that leads to itself ends here."""

_MAX_TRIED = 16
"""Branches of one union that are compared."""

_MAX_TRIALS = 2_000
"""Branches that are compared for one value; then the first that accepts is taken."""

_MAX_TESTS = 100_000
"""Names that are tried on patterns for one value, in units of about a microsecond."""

_CHARS_A_TEST = 16
_TESTS_BACKTRACKING = 1_000

_UNUSED = ("$defs", "definitions")


class Along:
    """One schema with its marks, ready for values. Safe to share between threads.

    Args:
        schema: The schema that values have the shape of. Not changed.
        marks: What to do, by JSON Pointer into the schema.
        refit: How to do it.
        origins: The schema that results have the shape of, where it is known.
        others: Other ways to do it, for marks with ``either``.
    """

    def __init__(
        self,
        schema: dict[str, Any],
        marks: Mapping[str, Mark],
        refit: Refit,
        origins: Origins | None = None,
        others: Sequence[Refit] = (),
    ) -> None:
        self.schema: dict[str, Any] = schema
        self.document: SchemaDocument = SchemaDocument(schema)
        self.refit: Refit = refit
        self.others: Sequence[Refit] = others
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
        if self.others and any(mark.get("either") for mark in self.marks.values()):
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

    def is_text(self, node: Any) -> bool:
        """Tell whether values of a subschema are read from text, or written as such."""
        return bool(self.marks.get(id(node), {}).get("whole"))

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
        self._tests = 0

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
        for each in self._applied(value, node):
            value = self.changed(value, each, here)
        if isinstance(value, dict):
            value = self._members(value, node, here)
        elif isinstance(value, list):
            value = self._items(value, node, here)
        return value if mark is None else self._refitted(value, mark, here)

    def _refitted(self, value: Any, mark: Mark, here: _Here) -> Any:
        try:
            made = self._along.refit(value, mark)
            if not mark.get("either"):
                return made
            readings = [made]
            for other in self._along.others:
                reading = other(value, mark)
                readings += [] if reading in readings else [reading]
            return made if len(readings) == 1 else readings[self._choices.pick(len(readings))]
        except CannotRefit as error:
            here.issues.append(Issue(path=here.path, message=error.reason))
            return value

    def _applied(self, value: Any, node: dict[str, Any]) -> list[Any]:
        """Give what else holds for the value itself."""
        found: list[Any] = list(node.get("allOf", ()))
        if isinstance(value, dict):
            dependent = node.get("dependentSchemas", {})
            found += [each for key, each in dependent.items() if key in value]
        if "if" in node:
            is_so = self._along.branches.accepts(node["if"], value)
            found += [node["if"], node.get("then")] if is_so else [node.get("else")]
        return found

    def _members(self, value: dict[str, Any], node: dict[str, Any], here: _Here) -> dict[str, Any]:
        patterns = node.get("patternProperties", {})
        self._tests += _tests(patterns, value)
        if self._tests > _MAX_TESTS:
            here.issues.append(Issue(path=here.path, message="too many names to try patterns on"))
            return value
        made = dict(value)
        for key in value:
            for each in self._of_member(key, node):
                made[key] = self.changed(made[key], each, here.below(key))
        return made

    def _of_member(self, key: str, node: dict[str, Any]) -> list[Any]:
        """Give what holds for the member of a name; of what reads its text, the first."""
        named, matches = node.get("properties", {}), self._along.branches.matches
        found = [named[key]] if key in named else []
        for pattern, each in node.get("patternProperties", {}).items():
            if matches(pattern, key) and not (
                self._along.is_text(each) and any(map(self._along.is_text, found))
            ):
                found.append(each)
        return found or [node.get("additionalProperties", node.get("unevaluatedProperties"))]

    def _items(self, value: list[Any], node: dict[str, Any], here: _Here) -> list[Any]:
        first = node.get("prefixItems", ())
        items = node.get("items", node.get("unevaluatedItems"))
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
        """Compare what several branches make of a value.

        Text that one of them reads is meant for it, whatever stands first.
        """
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
        as_sent = fitting.pop(dump_json(value), None)
        readings = [*fitting.values(), *([as_sent] if as_sent else [])]
        if len(readings) > 1:
            return readings[self._choices.pick(len(readings))]
        return [*readings, *others][0]


def _tests(patterns: Iterable[str], names: Collection[str]) -> int:
    """Charge for trying each name on each pattern."""
    weight = sum(1 if pattern_cost(each).is_linear else _TESTS_BACKTRACKING for each in patterns)
    return weight and weight * (len(names) + sum(map(len, names)) // _CHARS_A_TEST)


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
