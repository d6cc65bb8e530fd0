"""Ways within one schema: pointers, local references, every subschema and its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from toolgauge.contract import from_pointer, to_pointer
from toolgauge.contract.schema.subschemas import Reach, iter_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.contract import Path

BASE = "#/$defs/all"
"""Where ``rebased`` schemas lie in the schema that holds them."""


def iter_paths(schema: dict[str, Any]) -> list[tuple[dict[str, Any], Path]]:
    """Give every subschema that is no boolean and its path, parents before children."""
    found: list[tuple[dict[str, Any], Path]] = [(schema, ())]
    for node, path in found:  # it grows while we look
        found += [
            (place.schema, path + place.path)
            for place in iter_places(node)
            if isinstance(place.schema, dict)
        ]
    return found


def iter_reached(schema: dict[str, Any], starts: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield subschemas, those below them and those referred to, each once.

    What is merely defined below them is not reached.
    """
    row = [each for each in starts if isinstance(each, dict)]
    seen = {id(each) for each in row}
    for node in row:  # it grows while we look
        yield node
        below = [each.schema for each in iter_places(node) if each.reach is not Reach.NONE]
        below.append(find_reference(schema, node.get("$ref")))
        for each in below:
            if isinstance(each, dict) and id(each) not in seen:
                seen.add(id(each))
                row.append(each)


def find(schema: Any, pointer: str) -> Any:
    """Give what a JSON Pointer leads to, ``None`` for nowhere."""
    here = schema
    try:
        for segment in from_pointer(pointer):
            here = here[int(segment)] if isinstance(here, list) else here[segment]
    except (LookupError, ValueError, TypeError):
        return None
    return here


def find_reference(schema: dict[str, Any], reference: object) -> Any:
    """Give what a ``$ref`` leads to within its schema, ``None`` for nowhere or elsewhere."""
    if isinstance(reference, str) and reference.startswith("#"):
        return find(schema, unquote(reference[1:]))
    return None


def alone(schema: dict[str, Any], node: dict[str, Any], whole: Any) -> dict[str, Any]:
    """Give a subschema as a schema of its own, with what its references lead to.

    Args:
        schema: The schema that it is part of.
        node: The subschema; known by its identity.
        whole: ``rebased(schema)``, which is worth keeping.
    """
    if not any("$ref" in each for each, _ in iter_paths(node)):
        return node
    path: Path = next((path for each, path in iter_paths(schema) if each is node), ())
    return {"$defs": {"all": whole}, "$ref": f"{BASE}{quote(to_pointer(path))}"}


def rebased(node: Any) -> Any:
    """Copy a schema so that its local references hold below ``BASE``."""
    if not isinstance(node, dict):
        return node
    made = dict(node)
    for dropped in ("$schema", "$id", "id"):
        made.pop(dropped, None)
    reference = node.get("$ref")
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        made["$ref"] = BASE + reference[1:]
    for place in iter_places(node):
        keyword = str(place.path[0])
        if len(place.path) == 1:
            made[keyword] = rebased(place.schema)
            continue
        if made[keyword] is node[keyword]:
            made[keyword] = node[keyword].copy()
        made[keyword][place.path[1]] = rebased(place.schema)
    return made
