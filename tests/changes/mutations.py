"""Single-keyword changes made at random to real schemas, the same for the same seed."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.subschemas import iter_places

if TYPE_CHECKING:
    import random

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "toollists"
_KEPT = {"$schema", "$defs", "definitions", "title", "description", "default", "examples"}
_KEPT |= {"$comment", "$id"}
_BOUNDS = {f"{end}{what}" for end in ("min", "max") for what in ("Length", "Items", "Properties")}
_BOUNDS |= {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
_ADDED: dict[Any, list[tuple[str, Any]]] = {
    "string": [("minLength", 2), ("maxLength", 5), ("pattern", "^[a-z]+$"), ("enum", ["a", "b"])],
    "integer": [("minimum", 1), ("maximum", 10), ("multipleOf", 3), ("exclusiveMinimum", 0)],
    "number": [("minimum", 1), ("maximum", 10), ("multipleOf", 0.5), ("exclusiveMaximum", 5)],
    "array": [("minItems", 1), ("maxItems", 3), ("uniqueItems", True)],
    "object": [
        ("minProperties", 1),
        ("maxProperties", 3),
        ("additionalProperties", False),
        ("propertyNames", {"maxLength": 12}),
        ("required", ["zz"]),
    ],
}
_REMOVED = object()


def corpus() -> list[dict[str, Any]]:
    """Give every tool of the corpus, none where it is absent."""
    files = sorted(CORPUS.glob("*.json"))
    return [tool for path in files for tool in json.loads(path.read_text())["tools"]]


def mutated(schema: dict[str, Any], chance: random.Random) -> tuple[dict[str, Any], str]:
    """Give a copy of a schema with one keyword added, removed or changed, and which."""
    made = copy.deepcopy(schema)
    here = chance.choice(_subschemas(made))
    changes = [each for key in here if key not in _KEPT for each in _changes(here, key, chance)]
    kind = here.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    added = _ADDED.get(kind, [("type", "string"), ("not", {"const": 1})])
    changes += [(key, value) for key, value in added if key not in here]
    key, value = chance.choice(changes)
    if value is _REMOVED:
        del here[key]
    else:
        here[key] = value
    return made, key


def _subschemas(schema: dict[str, Any]) -> list[dict[str, Any]]:
    found, row = [], [schema]
    while row:
        here = row.pop(0)
        found.append(here)
        row += [each.schema for each in iter_places(here) if isinstance(each.schema, dict)]
    return found


def _changes(here: dict[str, Any], key: str, chance: random.Random) -> list[tuple[str, Any]]:
    """Give the ways to change one keyword that leave the schema a schema."""
    value = here[key]
    found: list[tuple[str, Any]] = [(key, _REMOVED)]
    if key in _BOUNDS:
        found += [(key, value + 1), (key, max(0, value - 1))]
    elif key == "enum" and len(value) > 1:
        found += [(key, value[:-1]), (key, [*value, "zz-new"])]
    elif key == "required" and value:
        found.append((key, value[1:]))
    elif key == "properties" and value:
        dropped = chance.choice(list(value))
        found.append((key, {name: each for name, each in value.items() if name != dropped}))
        found.append((key, {**value, "zz_new": {"type": "string"}}))
    elif key in {"anyOf", "oneOf"} and len(value) > 1:
        found += [(key, value[:-1]), (key, [*value, {"type": "null"}])]
    elif key == "type":
        found.append((key, chance.choice(["string", "integer", "number", "boolean", "null"])))
        found.append((key, value[:1] if isinstance(value, list) else [value, "null"]))
        found = [each for each in found if each[1] != ["null", "null"]]
    elif key == "pattern":
        found += [(key, "^[a-z]+$"), (key, value + "x?")]
    elif key == "additionalProperties":
        found.append((key, not value if isinstance(value, bool) else True))
    return found
