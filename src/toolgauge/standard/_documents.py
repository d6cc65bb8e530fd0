"""Whole schemas: of parts that are referred to by name, and in each dialect.

Libraries write 2020-12. A schema that uses only what means the same in draft-07 is published
as that too; any other is not.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.standard._protocol import TARGET, JsonSchemas
from toolgauge.standard.errors import Unconvertible, UnsupportedTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolgauge.standard._protocol import Direction

_PREFIX = "#/$defs/"


class Parts:
    """Schemas that are written once and referred to by name."""

    def __init__(self) -> None:
        self._schemas: dict[str, dict[str, Any]] = {}
        self._names: dict[Any, str] = {}

    def refer(self, key: Any, name: str, write: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a reference to a part.

        Args:
            key: Identifies the part; hashable.
            name: Its name, which gets a number if another part has it.
            write: Writes the part; called once. A part may refer to itself.
        """
        if key not in self._names:
            free = self._names[key] = _free(self._names.values(), name, "_")
            try:
                self._schemas[free] = write()
            except Unconvertible:
                # The next one to ask gets the error again.
                del self._names[key]
                raise
        return {"$ref": f"{_PREFIX}{self._names[key]}"}

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the part that a schema only refers to, or the schema itself."""
        return self._schemas.get(_target(schema), {}) if set(schema) == {"$ref"} else schema

    def document(self, root: dict[str, Any]) -> dict[str, Any]:
        """Return a whole document: a schema, and the parts that it needs."""
        return with_root(root, self._schemas)


def with_root(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Combine a schema and the parts that it refers to in one document.

    A root that only refers to a part becomes that part: what reads a tool's input
    schema looks for ``"type": "object"`` at its root. The part stays where it is
    referred to from elsewhere.

    Args:
        schema: The root, with references such as ``#/$defs/Point``.
        parts: What the references lead to, by name.
    """
    root = schema
    while set(root) == {"$ref"} and (found := _target(root)) in parts:
        root = parts[found]
    needed: dict[str, Any] = {}
    row = _targets(root)
    while row:
        name = row.pop(0)
        if name in parts and name not in needed:
            needed[name] = parts[name]
            row += _targets(parts[name])
    return {**root, "$defs": {name: needed[name] for name in sorted(needed)}} if needed else root


def rewritten(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Change each subschema of a schema, the innermost first; data and names stay.

    Args:
        schema: JSON Schema as parsed JSON; it is not changed.
        change: Gives another schema for one whose own subschemas are changed already.
    """
    if isinstance(schema, list):
        return [rewritten(each, change) for each in schema]
    if not isinstance(schema, dict):
        return schema
    fresh: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _DATA:
            fresh[key] = value
        elif key in _MAPS and isinstance(value, dict):
            fresh[key] = {name: rewritten(each, change) for name, each in value.items()}
        else:
            fresh[key] = rewritten(value, change)
    return change(fresh)


_DATA = frozenset({"const", "default", "enum", "example", "examples"})
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


def _target(schema: dict[str, Any]) -> str:
    reference: str = schema["$ref"]
    name = reference.removeprefix(_PREFIX)
    return name.replace("~1", "/").replace("~0", "~")


def _targets(schema: object) -> list[str]:
    """Name what a schema refers to, at any depth."""
    found: list[str] = []
    row: list[object] = [schema]
    while row:
        here = row.pop()
        if isinstance(here, dict):
            if isinstance(here.get("$ref"), str):
                found.append(_target(here))
            row += here.values()
        elif isinstance(here, list):
            row += here
    return found


def hoist(
    schema: dict[str, Any], placeholder: str, foreign: Mapping[str, tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    """Replace each placeholder by a reference to a definition at the root.

    A definition whose name is taken gets a number behind it.

    Args:
        schema: A schema that holds ``{placeholder: key}`` in places.
        placeholder: The member that marks such a place.
        foreign: By key, the class's name and its schema.
    """
    if not foreign:
        return schema
    shared: dict[str, Any] = dict(schema.get("$defs", {}))
    names = {key: _adopt(shared, name, own) for key, (name, own) in foreign.items()}

    def place(here: dict[str, Any]) -> dict[str, Any]:
        key = here.get(placeholder)
        if not isinstance(key, str):
            return here
        rest = {member: value for member, value in here.items() if member != placeholder}
        return {"$ref": f"{_PREFIX}{names[key]}", **rest}

    found: dict[str, Any] = rewritten({**schema, "$defs": shared}, place)
    return found


def _adopt(shared: dict[str, Any], name: str, own: dict[str, Any]) -> str:
    """Move one schema and its definitions to the root; return its name there."""
    inner = dict(own.get("$defs", {}))
    body = {member: value for member, value in own.items() if member not in {"$defs", "$schema"}}
    reference = body.get("$ref")
    is_alias = len(body) == 1 and isinstance(reference, str) and reference.startswith(_PREFIX)
    renamed = {each: _free(shared, each, "__") for each in inner}
    # msgspec repeats a definition at the root.
    same = next((each for each, found in inner.items() if found == body), "")
    alias = str(reference).removeprefix(_PREFIX) if is_alias else same
    root = renamed.get(alias, "")
    if not root:
        root = _free({*shared, *renamed.values()}, name, "__")
        inner[""] = body
        renamed[""] = root

    def point(here: dict[str, Any]) -> dict[str, Any]:
        target = here.get("$ref")
        if target == "#":
            return {**here, "$ref": f"{_PREFIX}{root}"}
        if isinstance(target, str) and target.startswith(_PREFIX):
            first, slash, rest = target[len(_PREFIX) :].partition("/")
            return {**here, "$ref": f"{_PREFIX}{renamed.get(first, first)}{slash}{rest}"}
        return here

    shared.update({renamed[each]: rewritten(found, point) for each, found in inner.items()})
    return root


def _free(taken: Iterable[str], name: str, mark: str) -> str:
    """Return a name that is not taken: ``Point``, ``Point_2``."""
    known = set(taken)
    numbered = (f"{name}{mark}{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([name], numbered) if each not in known)


DRAFT_07 = "draft-07"
DRAFT_07_URI = "http://json-schema.org/draft-07/schema#"

_NOT_IN_DRAFT_07 = frozenset(
    {
        *("$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary"),
        *("dependentRequired", "dependentSchemas", "maxContains", "minContains"),
        *("prefixItems", "unevaluatedItems", "unevaluatedProperties"),
    }
)
_BESIDE_REFERENCES = frozenset(
    {
        *("$comment", "$defs", "$ref", "$schema", "default", "definitions", "deprecated"),
        *("description", "examples", "readOnly", "title", "writeOnly"),
    }
)
"""Keywords whose meaning does not change where draft-07 ignores them."""


def json_schemas(vendor: str, make: Callable[[Direction], Mapping[str, Any]]) -> JsonSchemas:
    """Publish the schemas of both directions, built when they are asked for, in each dialect."""

    def of(direction: Direction, target: str) -> Mapping[str, Any]:
        if target == TARGET:
            return make(direction)
        if target == DRAFT_07:
            return as_draft_07(vendor, make(direction))
        raise UnsupportedTarget(vendor, target)

    return JsonSchemas(input=partial(of, "input"), output=partial(of, "output"))


def as_draft_07(vendor: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a schema of 2020-12 to draft-07, where it means the same there.

    One that declares draft-07 itself is returned as it is.

    Raises:
        UnsupportedTarget: If it uses what draft-07 has no word for.
    """
    from toolgauge.contract.schema.subschemas import iter_subschemas  # noqa: PLC0415 - at the last

    if str(schema.get("$schema")).rstrip("#") == DRAFT_07_URI.rstrip("#"):
        return dict(schema)
    for here in iter_subschemas(dict(schema)):
        for keyword in here:
            if keyword in _NOT_IN_DRAFT_07:
                raise UnsupportedTarget(vendor, DRAFT_07, f"it uses {keyword!r}")
        # Draft-07 ignores every keyword beside a reference.
        beside = here.keys() - _BESIDE_REFERENCES
        if "$ref" in here and beside:
            raise UnsupportedTarget(vendor, DRAFT_07, f"it has {min(beside)!r} beside a '$ref'")
    return {"$schema": DRAFT_07_URI} | {key: schema[key] for key in schema if key != "$schema"}
