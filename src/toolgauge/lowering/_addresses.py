"""Every reference as a JSON Pointer from the root, and kept true while parts move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urljoin

from toolgauge.contract import to_pointer
from toolgauge.contract.schema.subschemas import iter_places
from toolgauge.lowering._local import find, find_reference, iter_paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.contract import Path

_SAFE = "/~!$&'()*+,;=:@?"
"""What a fragment may hold as it is (RFC 3986 section 3.5)."""


class Held(NamedTuple):
    """A subschema with a reference, the text of it, and what it leads to."""

    node: dict[str, Any]
    reference: str
    target: dict[str, Any]


class _Located(NamedTuple):
    node: dict[str, Any]
    path: Path
    base: str


def localize(schema: dict[str, Any]) -> None:
    """Rewrite, in place, references by ``$anchor``, or by or below an ``$id``, as pointers.

    Then no subschema needs an ``$id`` of its own, and it goes. What leads out of the
    schema stays.

    Source: JSON Schema core 2020-12 sections 8.2.1 to 8.2.3.
    """
    found = _located(schema)
    if not any("$ref" in each.node for each in found):
        return
    ways = _ways(found)
    for each in found:
        reference = each.node.get("$ref")
        if isinstance(reference, str):
            pointer = _pointer(ways, each.base, reference)
            if isinstance(find(schema, pointer or "?"), dict) or pointer == "":
                _write(each.node, pointer or "")
    for each in found[1:]:
        each.node.pop("$id", None)


def _located(schema: dict[str, Any]) -> list[_Located]:
    found = [_Located(schema, (), _base(schema, ""))]
    for each in found:  # it grows while we look
        found += [
            _Located(place.schema, each.path + place.path, _base(place.schema, each.base))
            for place in iter_places(each.node)
            if isinstance(place.schema, dict)
        ]
    return found


def _base(node: dict[str, Any], outer: str) -> str:
    own = node.get("$id")
    if not isinstance(own, str) or own.startswith("#"):
        return outer
    return urljoin(outer, own).partition("#")[0]


def _ways(found: Iterable[_Located]) -> dict[str, str]:
    """Give the pointer of each resource by its URI, and of each anchor by that and its name."""
    ways: dict[str, str] = {}
    for node, path, base in found:
        pointer = to_pointer(path)
        ways.setdefault(base, pointer)
        # Up to draft-07 an anchor is written as an `$id` that is only a fragment.
        names = [node.get("$anchor"), node.get("$dynamicAnchor")]
        if str(node.get("$id", "")).startswith("#"):
            names.append(node["$id"][1:])
        for name in names:
            if isinstance(name, str):
                ways.setdefault(f"{base}#{name}", pointer)
    return ways


def _pointer(ways: dict[str, str], base: str, reference: str) -> str | None:
    # `urljoin` knows no fragments of a `urn:`.
    whole = base + reference if reference.startswith("#") else urljoin(base, reference)
    address, _, fragment = whole.partition("#")
    fragment = unquote(fragment)
    if fragment and not fragment.startswith("/"):
        return ways.get(f"{address}#{fragment}")
    return ways[address] + fragment if address in ways else None


def references(schema: dict[str, Any], nodes: Iterable[dict[str, Any]]) -> list[Held]:
    """Note what the references of some subschemas lead to."""
    found: list[Held] = []
    for node in nodes:
        target = find_reference(schema, node["$ref"])
        if isinstance(target, dict):
            found.append(Held(node, node["$ref"], target))
    return found


def repoint(schema: dict[str, Any], held: Iterable[Held]) -> None:
    """Let references lead to where their targets are now.

    One that was changed since is left, and so is one whose target is gone.
    """
    astray = [
        each
        for each in held
        if each.node.get("$ref") == each.reference
        and find_reference(schema, each.reference) is not each.target
    ]
    if not astray:
        return
    paths = {id(node): path for node, path in iter_paths(schema)}
    for each in astray:
        if id(each.target) in paths:
            _write(each.node, to_pointer(paths[id(each.target)]))


def _write(node: dict[str, Any], pointer: str) -> None:
    if unquote(node["$ref"]) != f"#{pointer}":
        node["$ref"] = f"#{quote(pointer, safe=_SAFE)}"
