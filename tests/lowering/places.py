"""Which places of a schema a value's places are held against."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from toolgauge.contract import from_pointer, resolve
from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.contract import Path

_SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "if", "then", "else", "not"})
_BY_MEMBER = frozenset({"dependentSchemas", "dependencies"})


def concerned(schema: dict[str, Any], path: Path, above: int = 0) -> set[Path]:
    """Give the paths of all subschemas that have a say about a value's place.

    Those at it, those below it, and those of ``above`` places on the way to it, through
    references.
    """
    ways = [_closed(schema, {()})]
    for step in path:
        below = {each for one in ways[-1] for each in _entered(schema, one, step)}
        if not below:  # the member has another name there, or the map is a list
            break
        ways.append(_closed(schema, below))
    return _below(schema, ways[-1]).union(*ways[-1 - above :])


def owner(schema: dict[str, Any], path: Path) -> Path:
    """Give the path of the innermost subschema that a path lies in."""
    here: Path = ()
    while True:
        inner = [each for each, _ in _children(schema, here) if path[: len(each)] == each]
        if not inner:
            return here
        here = inner[0]


def _at(schema: Any, path: Path) -> Any:
    for step in path:
        schema = schema[step]
    return schema


def _children(schema: dict[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    node = _at(schema, path)
    if isinstance(node, dict):
        for place in iter_places(node):
            if place.schema is not False:
                yield path + place.path, str(place.path[0])


def _closed(schema: dict[str, Any], paths: Iterable[Path]) -> set[Path]:
    """Add what holds for the same value: branches, and where references lead."""
    found: set[Path] = set()
    todo = list(paths)
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.add(path)
        todo += [each for each, word in _children(schema, path) if word in _SAME_VALUE | _BY_MEMBER]
        todo += _referred(schema, path)
    return found


def _referred(schema: dict[str, Any], path: Path) -> list[Path]:
    node = _at(schema, path)
    reference = node.get("$ref") if isinstance(node, dict) else None
    if not isinstance(reference, str) or not reference.startswith("#"):
        return []
    pointer = unquote(reference[1:])
    steps: list[str | int] = []
    here: Any = schema
    for each in from_pointer(pointer):
        steps.append(int(each) if isinstance(here, list) else each)
        here = here[steps[-1]]
    assert here is resolve(schema, pointer)
    return [tuple(steps)]


def _entered(schema: dict[str, Any], path: Path, step: str | int) -> Iterator[Path]:
    for each, word in _children(schema, path):
        if isinstance(step, int):
            if word in {"items", "prefixItems", "contains", "additionalItems", "unevaluatedItems"}:
                yield each
        elif word == "patternProperties":
            if re.search(str(each[-1]), step):
                yield each
        elif (word == "properties" and each[-1] == step) or word in {
            "additionalProperties",
            "propertyNames",
            "unevaluatedProperties",
        }:
            yield each


def _below(schema: dict[str, Any], paths: Iterable[Path]) -> set[Path]:
    found: set[Path] = set()
    todo = list(paths)
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += [each for each, word in _children(schema, path) if word not in _DEFINED]
            todo += _referred(schema, path)
    return found


_DEFINED = frozenset({"$defs", "definitions"})
