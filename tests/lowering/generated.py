"""Schemas made at random: nested, with references, overlapping unions and odd names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

NAMES = ("a", "b", "c d", "$e", "oneOf", "default", "properties", "x/y~z", "ü", "type")
LISTED: tuple[tuple[Any, ...], ...] = (
    ("x", "y"),
    (1, 2),
    (1, "1", None),
    ("", "a"),
    (True, False),
    ({"properties": 1}, "x"),
)
_DEPTH = 4


def tool(rng: random.Random) -> dict[str, Any]:
    """Make a tool called ``t``."""
    names = [f"d{index}" for index in range(rng.randrange(4))]
    make = Maker(rng, names)
    schema = make.object(names, 0)
    if rng.random() < 0.2:
        schema[rng.choice(("anyOf", "oneOf", "allOf"))] = [
            make.object(names, _DEPTH - 2) for _ in range(2)
        ]
    if names:
        # A definition refers to those before it only in members and items, so
        # that no reference leads back to itself for the same value.
        schema["$defs"] = {each: make.any(names[i + 1 :], 1) for i, each in enumerate(names)}
    return {"name": "t", "inputSchema": schema}


class Maker:
    """Makes subschemas.

    The names that each takes are those of definitions that the same value may be
    referred to; members and items may be referred to all.
    """

    def __init__(self, rng: random.Random, names: list[str]) -> None:
        self.rng = rng
        self.names = names

    depth = _DEPTH

    def kinds(self, names: list[str], depth: int) -> list[Any]:
        kinds = [self.scalar, self.scalar, self.listed, self.free]
        if depth < self.depth:
            kinds += [
                self.object,
                self.object,
                self.map,
                self.array,
                self.tuple,
                self.union,
                self.union,
                self.all,
                self.types,
                self.negated,
                self.structured,
            ]
        if names:
            kinds += [self.reference, self.reference]
        return kinds

    def any(self, names: list[str], depth: int) -> dict[str, Any]:
        made: dict[str, Any] = self.rng.choice(self.kinds(names, depth))(names, depth)
        chance = self.rng.random()
        if chance < 0.1:
            made["description"] = "words"
        elif chance < 0.15:
            made["examples"] = [{"$ref": "#/nowhere", "type": "none"}]
        return made

    def scalar(self, names: list[str], depth: int) -> dict[str, Any]:
        return self.rng.choice(
            (
                {"type": "string"},
                {"type": "string", "maxLength": 6},
                {"type": "string", "pattern": "^(?!x)"},
                {"type": "string", "format": "uri"},
                {"type": "integer", "minimum": 1},
                {"type": "number", "multipleOf": 0.5},
                {"type": "boolean"},
                {"type": "null"},
            )
        ).copy()

    def listed(self, names: list[str], depth: int) -> dict[str, Any]:
        values = self.rng.choice(LISTED)
        return {"const": values[0]} if self.rng.random() < 0.3 else {"enum": list(values)}

    def structured(self, names: list[str], depth: int) -> dict[str, Any]:
        values: list[Any] = [{"a": 1}, {"a": 1, "$e": [1]}, [1, 2]][: self.rng.randrange(1, 4)]
        return {**self.object(names, depth + 1), "type": ["object", "array"], "enum": values}

    def free(self, names: list[str], depth: int) -> dict[str, Any]:
        return self.rng.choice(({}, {"type": "object"}, {"type": "array"}, {"minLength": 2})).copy()

    def object(self, names: list[str], depth: int) -> dict[str, Any]:
        chosen = self.rng.sample(NAMES, self.rng.randrange(1, 4))
        made: dict[str, Any] = {
            "type": "object",
            "properties": {each: self.any(self.names, depth + 1) for each in chosen},
        }
        if self.rng.random() < 0.6:
            made["required"] = chosen[: self.rng.randrange(1, 3)]
        if self.rng.random() < 0.5:
            made["additionalProperties"] = False
        return made

    def map(self, names: list[str], depth: int) -> dict[str, Any]:
        inner = self.any(self.names, depth + 1)
        if self.rng.random() < 0.2:
            return {
                "type": "object",
                "patternProperties": {"^k": inner},
                "additionalProperties": False,
            }
        return {"type": "object", "additionalProperties": inner}

    def array(self, names: list[str], depth: int) -> dict[str, Any]:
        return {"type": "array", "items": self.any(self.names, depth + 1), "maxItems": 3}

    def tuple(self, names: list[str], depth: int) -> dict[str, Any]:
        first = [self.any(self.names, depth + 1) for _ in range(2)]
        return {"type": "array", "prefixItems": first, "items": False, "minItems": 2}

    def union(self, names: list[str], depth: int) -> dict[str, Any]:
        branches = [self.any(names, depth + 1) for _ in range(self.rng.randrange(2, 4))]
        return {self.rng.choice(("anyOf", "oneOf")): branches}

    def all(self, names: list[str], depth: int) -> dict[str, Any]:
        return {"allOf": [self.object(names, depth + 1), {"minProperties": 1}]}

    def negated(self, names: list[str], depth: int) -> dict[str, Any]:
        inner = self.any(names, depth + 1)
        made = self.object(names, depth + 1)
        kind = self.rng.randrange(4)
        if kind == 0:
            return {**made, "not": inner}
        if kind == 1:
            return {**made, "if": inner, "then": {"minProperties": 1}}
        if kind == 2:
            return {"type": "array", "contains": inner, "maxContains": 1, "items": {}}
        return {**made, "dependentSchemas": {"a": inner}, "propertyNames": {"maxLength": 8}}

    def types(self, names: list[str], depth: int) -> dict[str, Any]:
        made = self.object(names, depth + 1)
        made["type"] = self.rng.choice(
            (["object", "null"], ["object", "string"], ["array", "object"])
        )
        return made

    def reference(self, names: list[str], depth: int) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.rng.choice(names)}"}
