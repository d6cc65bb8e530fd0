"""Changes a value along a schema: at the marked places, and nowhere else.

The walk goes through local references, members, items and the branch of a union
that accepts the value. It never looks at what no marked place lies below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from toolgauge.contract import Issue, compile_schema, from_pointer, to_pointer
from toolgauge.contract.schema.subschemas import iter_places
from toolgauge.lowering._draft import iter_paths
from toolgauge.lowering.errors import CannotRefit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.contract import CompiledSchema, Path
    from toolgauge.lowering._pass import Mark, Refit

_MAX_STEPS = 400
"""Nesting of the walk; a reference that leads to itself ends here."""

_UNIONS = ("anyOf", "oneOf")
_UNUSED = ("$defs", "definitions")


class Along:
    """One schema with its marks, ready for values.

    Args:
        schema: The schema that values have the shape of. Not changed.
        marks: What to do, by JSON Pointer into the schema.
        refit: How to do it.
    """

    def __init__(self, schema: dict[str, Any], marks: Mapping[str, Mark], refit: Refit) -> None:
        self._schema: dict[str, Any] = schema
        self._refit: Refit = refit
        self._marks: dict[int, Mark] = {}
        for pointer, mark in marks.items():
            node = _find(schema, pointer)
            if node is not None:
                self._marks[id(node)] = mark
        self._busy: set[int] = _above(schema, self._marks)
        self._compiled: dict[int, CompiledSchema] = {}
        self._rebased: dict[str, Any] | None = None

    def change(self, value: Any) -> tuple[Any, tuple[Issue, ...]]:
        """Give the value in the other shape, and what could not be changed.

        The value itself is left as it is.
        """
        issues: list[Issue] = []
        return self._walk(value, self._schema, (), issues, 0), tuple(issues)

    def _walk(self, value: Any, node: object, path: Path, issues: list[Issue], steps: int) -> Any:
        if not isinstance(node, dict) or id(node) not in self._busy:
            return value
        if steps > _MAX_STEPS:
            issues.append(Issue(path=path, message="the schema does not end here"))
            return value
        steps += 1
        mark = self._marks.get(id(node))
        if mark is not None and mark.get("whole"):
            return self._refitted(value, mark, path, issues)
        if "$ref" in node:
            value = self._walk(value, _find_reference(self._schema, node), path, issues, steps)
        for keyword in _UNIONS:
            if keyword in node:
                branch = self._branch(value, node[keyword])
                value = self._walk(value, branch, path, issues, steps)
        for each in node.get("allOf", ()):
            value = self._walk(value, each, path, issues, steps)
        if isinstance(value, dict):
            value = self._members(value, node, path, issues, steps)
        elif isinstance(value, list):
            value = self._items(value, node, path, issues, steps)
        return value if mark is None else self._refitted(value, mark, path, issues)

    def _refitted(self, value: Any, mark: Mark, path: Path, issues: list[Issue]) -> Any:
        try:
            return self._refit(value, mark)
        except CannotRefit as error:
            issues.append(Issue(path=path, message=error.reason))
            return value

    def _members(
        self,
        value: dict[str, Any],
        node: dict[str, Any],
        path: Path,
        issues: list[Issue],
        steps: int,
    ) -> dict[str, Any]:
        named = node.get("properties", {})
        patterned = tuple(node.get("patternProperties", {}).values())
        other = patterned[0] if len(patterned) == 1 else node.get("additionalProperties")
        return {
            key: self._walk(each, named.get(key, other), (*path, key), issues, steps)
            for key, each in value.items()
        }

    def _items(
        self,
        value: list[Any],
        node: dict[str, Any],
        path: Path,
        issues: list[Issue],
        steps: int,
    ) -> list[Any]:
        first = node.get("prefixItems", ())
        items = node.get("items")
        return [
            self._walk(
                each, first[index] if index < len(first) else items, (*path, index), issues, steps
            )
            for index, each in enumerate(value)
        ]

    def _branch(self, value: Any, branches: list[Any]) -> Any:
        """Give the branch that accepts a value, else the first of its type."""
        if not any(id(each) in self._busy for each in branches):
            return None
        for each in branches:
            if self._accepts(each, value):
                return each
        for each in branches:
            if _has_type(_find_reference(self._schema, each) or each, value):
                return each
        return None

    def _accepts(self, branch: Any, value: Any) -> bool:
        if not isinstance(branch, dict):
            return branch is True
        if "type" in branch and not _has_type(branch, value):
            return False
        known = self._compiled.get(id(branch))
        if known is None:
            known = self._compiled[id(branch)] = compile_schema(self._alone(branch))
        return known.is_valid(value)

    def _alone(self, branch: dict[str, Any]) -> dict[str, Any]:
        """Give a branch as a schema of its own, with what its references lead to."""
        if not any("$ref" in node for node, _ in iter_paths(branch)):
            return branch
        if self._rebased is None:
            self._rebased = _rebased(self._schema)
        pointer = _pointer_of(self._schema, branch)
        return {"$defs": {"all": self._rebased}, "$ref": f"{_BASE}{pointer}"}


_BASE = "#/$defs/all"


def _rebased(node: Any) -> Any:
    """Copy a schema so that its local references hold one level further down."""
    if not isinstance(node, dict):
        return node
    made = dict(node)
    for dropped in ("$schema", "$id", "id"):
        made.pop(dropped, None)
    reference = node.get("$ref")
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        made["$ref"] = _BASE + reference[1:]
    for place in iter_places(node):
        keyword = place.path[0]
        if len(place.path) == 1:
            made[str(keyword)] = _rebased(place.schema)
            continue
        if made[str(keyword)] is node[keyword]:
            made[str(keyword)] = node[keyword].copy()
        made[str(keyword)][place.path[1]] = _rebased(place.schema)
    return made


def _above(schema: dict[str, Any], marked: Mapping[int, Mark]) -> set[int]:
    """Give every subschema from which a marked one can be reached."""
    holders: dict[int, list[dict[str, Any]]] = {}
    row, seen = [schema], {id(schema)}
    for node in row:  # it grows while we look
        below = [each.schema for each in iter_places(node) if each.path[0] not in _UNUSED]
        below.append(_find_reference(schema, node))
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


def _find_reference(schema: dict[str, Any], node: Any) -> Any:
    reference = node.get("$ref") if isinstance(node, dict) else None
    if isinstance(reference, str) and reference.startswith("#"):
        return _find(schema, unquote(reference[1:]))
    return None


def _find(schema: Any, pointer: str) -> Any:
    here = schema
    try:
        for segment in from_pointer(pointer):
            here = here[int(segment)] if isinstance(here, list) else here[segment]
    except (LookupError, ValueError, TypeError):
        return None
    return here


def _pointer_of(schema: dict[str, Any], wanted: dict[str, Any]) -> str:
    """Give the pointer of a subschema, by identity."""
    for node, path in iter_paths(schema):
        if node is wanted:
            return quote(to_pointer(path))
    return ""


_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}


def _has_type(node: Any, value: Any) -> bool:
    names = node.get("type", ()) if isinstance(node, dict) else ()
    if isinstance(names, str):
        names = (names,)
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, float) and value.is_integer() and "integer" in names:
        return True
    return any(isinstance(value, _TYPES.get(each, ())) for each in names)
