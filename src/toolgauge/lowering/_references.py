"""References within one schema: written as pointers from the root, and kept true by each pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote, unquote

from toolgauge.contract import to_pointer
from toolgauge.contract.schema.dialects import dialect_of
from toolgauge.contract.schema.document import SchemaDocument, followed
from toolgauge.contract.schema.subschemas import iter_subschemas

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.lowering._draft import Draft

Held: TypeAlias = tuple[dict[str, Any], str, dict[str, Any]]
"""A subschema with a reference, the text of it, and what it leads to."""

_SAFE = "/~!$&'()*+,;=:@?"
"""What a fragment may hold as it is (RFC 3986 section 3.5)."""


def localize(schema: dict[str, Any]) -> None:
    """Rewrite, in place, references by ``$anchor``, or by or below an ``$id``, as pointers.

    Then no subschema needs an ``$id`` of its own, and it goes. What leads out of the
    schema stays.

    Source: JSON Schema core 2020-12 sections 8.2.1 to 8.2.3.
    """
    if not any("$ref" in each for each in iter_subschemas(schema)):
        return
    document = SchemaDocument(schema, dialect=dialect_of(schema))
    for node, _, base in document.subschemas:
        reference = node.get("$ref")
        pointer = document.pointer_of(reference, base) if isinstance(reference, str) else None
        if pointer is not None and isinstance(document.follow(_fragment(pointer)), dict):
            _write(node, pointer)
    for each in document.subschemas[1:]:
        each.schema.pop("$id", None)


def held_references(draft: Draft) -> list[Held]:
    """Note what each reference leads to, and charge for looking it up now and once more."""
    return [
        (node, node["$ref"], target)
        for node in draft.having("$ref")
        if (target := draft.follow(node["$ref"])) is not None
    ]


def repoint(draft: Draft, held: Iterable[Held]) -> None:
    """Let references lead to where their targets are after a pass.

    One that the pass changed is left, and so is one whose target is gone.
    """
    astray = [
        (node, target)
        for node, reference, target in held
        if node.get("$ref") == reference and followed(draft.schema, reference) is not target
    ]
    if not astray:
        return
    paths = SchemaDocument(draft.schema).paths
    for node, target in astray:
        if id(target) in paths:
            _write(node, to_pointer(paths[id(target)]))


def _write(node: dict[str, Any], pointer: str) -> None:
    if unquote(node["$ref"]) != f"#{pointer}":
        node["$ref"] = _fragment(pointer)


def _fragment(pointer: str) -> str:
    """Write a JSON Pointer as a reference."""
    return f"#{quote(pointer, safe=_SAFE)}"
