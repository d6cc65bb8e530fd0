"""Read restore maps strictly: a map that was changed by hand is an error with its location.

Source: our own format, version 1:
``{"version": 1, "target": "…", "fingerprint": "sha256:…", "tools": {"search": {"name": "…",
"steps": [{"pass": "…", "schema": {…}, "marks": {"/properties/q": {…}}, "before": {…},
"places": {"/anyOf/0": "/anyOf/0"}}], "schema": {…}}}}``. ``before`` and ``places`` come
together, ``schema`` and ``fingerprint`` may be missing.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from toolgauge.contract import dump_json, schema_issues
from toolgauge.contract.fingerprints import canonical_text
from toolgauge.contract.jsontext import is_deeper_than
from toolgauge.contract.schema.document import SchemaDocument, subschema_at
from toolgauge.lowering._pass import passes
from toolgauge.lowering._steps import StepBack, ToolBack
from toolgauge.lowering.errors import MAX_SHOWN_CHARS, InvalidMap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract import Path

MAP_VERSION = 1
MAX_MAP_DEPTH = 254
_KINDS: Mapping[type, str] = {
    dict: "an object",
    list: "an array",
    str: "text",
    bool: "true or false",
}


def map_fingerprint(document: Mapping[str, Any]) -> str:
    """Name a map by its content: ``"sha256:"`` and 64 hex digits.

    Raises:
        TypeError: If it holds something that JSON has no form for.
        ValueError: If it holds NaN or infinity.
    """
    content = [document["target"], document["tools"]]
    return f"sha256:{hashlib.sha256(canonical_text(content)).hexdigest()}"


def read_map(document: object) -> tuple[str, dict[str, ToolBack]]:
    """Read what ``Restorer.to_map`` returned: the target, and each tool's way back.

    Raises:
        InvalidMap: If the document is not such a map, was changed, or has another version.
    """
    if is_deeper_than(document, MAX_MAP_DEPTH):
        raise InvalidMap(f"it nests deeper than {MAX_MAP_DEPTH} levels")
    if not isinstance(document, dict):
        raise InvalidMap(f"expected an object, found {_found(document)}")
    version = document.get("version")
    if isinstance(version, bool) or version != MAP_VERSION:
        raise InvalidMap(f"expected version {MAP_VERSION}, found {_found(version)}", ("version",))
    target: str = _member(document, "target", str, ())
    tools = _member(document, "tools", dict, ())
    found = {name: _tool(each, ("tools", name)) for name, each in tools.items()}
    named = _member(document, "fingerprint", str, (), is_needed=False)
    if named is not None and named != _fingerprint(document):
        raise InvalidMap("it is not that of the map, which was changed", ("fingerprint",))
    return target, found


def _fingerprint(document: Mapping[str, Any]) -> str:
    try:
        return map_fingerprint(document)
    except (TypeError, ValueError) as error:
        raise InvalidMap(f"it is not JSON: {error}") from error


def _tool(data: object, path: Path) -> ToolBack:
    if not isinstance(data, dict):
        raise InvalidMap(f"expected an object, found {_found(data)}", path)
    name: str = _member(data, "name", str, path)
    steps = _member(data, "steps", list, path)
    schema = _member(data, "schema", dict, path, is_needed=False)
    back = [_step(each, (*path, "steps", index)) for index, each in enumerate(steps)]
    return ToolBack(name, back, _text(schema, path))


def _step(data: object, path: Path) -> StepBack:
    if not isinstance(data, dict):
        raise InvalidMap(f"expected an object, found {_found(data)}", path)
    name: str = _member(data, "pass", str, path)
    if name not in passes() or passes()[name].restore is None:
        raise InvalidMap(f"there is no pass {name[:60]!r} that changes values", (*path, "pass"))
    schema = _schema(_member(data, "schema", dict, path), (*path, "schema"))
    marks = _member(data, "marks", dict, path)
    for pointer, mark in marks.items():
        here = (*path, "marks", pointer)
        _hold_mark(name, mark, here)
        if not isinstance(subschema_at(schema, pointer), dict):
            raise InvalidMap("the pointer leads to no subschema", here)
    places = _member(data, "places", dict, path, is_needed=False) or {}
    before = _member(data, "before", dict, path, is_needed=bool(places))
    if before is not None:
        _schema(before, (*path, "before"))
    for left, found in places.items():
        here = (*path, "places", left)
        if not isinstance(found, str):
            raise InvalidMap(f"expected text, found {_found(found)}", here)
        if subschema_at(schema, left) is None or subschema_at(before, found) is None:
            raise InvalidMap("a pointer leads to nothing", here)
    return StepBack(name, _text(schema, path), marks, _text(before, path), places)


def _schema(schema: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return a schema of a step, of which lowering leaves valid ones only."""
    issue = next(iter(schema_issues(schema)), None)
    if issue is not None:
        raise InvalidMap(issue.message[:MAX_SHOWN_CHARS], (*path, *issue.path))
    document = SchemaDocument(schema)
    for each in document.subschemas:
        reference = each.schema.get("$ref")
        is_local = isinstance(reference, str) and reference.startswith("#")
        if is_local and document.follow(reference) is None:
            raise InvalidMap("the reference leads to nothing", (*path, *each.path, "$ref"))
    return schema


def _hold_mark(name: str, mark: object, path: Path) -> None:
    """Check that a mark holds what its pass reads of it."""
    if not isinstance(mark, dict):
        raise InvalidMap(f"expected an object, found {_found(mark)}", path)
    for key, kind in passes()[name].marks.items():
        _member(mark, key, kind, path)
    for key, (is_right, expected) in _CONTENTS.items():
        if key in mark and not is_right(mark[key]):
            raise InvalidMap(f"expected {expected}", (*path, key))


def _texts(value: Any) -> bool:
    return all(isinstance(each, str) for each in value)


_CONTENTS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "renamed": (lambda value: isinstance(value, dict) and _texts(value.values()), "names by names"),
    "texts": (lambda value: isinstance(value, dict), "values by texts"),
    "optional": (lambda value: isinstance(value, list) and _texts(value), "a list of names"),
    "kept": (lambda value: isinstance(value, list) and _texts(value), "a list of names"),
    "defaulted": (lambda value: isinstance(value, list) and _texts(value), "a list of names"),
    "shape": (lambda value: value in ("text", "pairs"), "'text' or 'pairs'"),
    "whole": (lambda value: isinstance(value, bool), "true or false"),
    "either": (lambda value: isinstance(value, bool), "true or false"),
}
"""What stands in marks, beyond the types that a pass names."""


def _member(
    holder: Mapping[str, Any], key: str, kind: type, path: Path, *, is_needed: bool = True
) -> Any:
    """Return a member of the right type, ``None`` for one that may be missing."""
    if key not in holder:
        if is_needed:
            raise InvalidMap(f"the member {key!r} is missing", path)
        return None
    value = holder[key]
    if not isinstance(value, kind):
        raise InvalidMap(f"expected {_KINDS[kind]}, found {_found(value)}", (*path, key))
    return value


def _found(value: object) -> str:
    """Name a value in a message: its type, or the value itself where it is short."""
    if value is None:
        return "null"
    if isinstance(value, dict | list):
        return _KINDS[dict if isinstance(value, dict) else list]
    return repr(value)[:60]


def _text(schema: object, path: Path) -> bytes:
    """Write a schema, nothing for none."""
    try:
        return b"" if schema is None else dump_json(schema)
    except (TypeError, ValueError) as error:
        raise InvalidMap(f"a schema is not JSON: {error}", path) from error
