"""Schemas made at random of what is easily lowered wrong.

Unions beside keywords, maps by patterns and not, text beside what is sent as text,
members that may be null, absent or left to a default, and definitions in odd places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.lowering.generated import Maker

if TYPE_CHECKING:
    import random

_DEPTH = 3
_BRANCHES: tuple[dict[str, Any], ...] = (
    {"type": "boolean"},
    {"type": "object"},
    {"type": "null"},
    {"type": "string"},
    {"type": "array"},
    {"type": "integer"},
    {"enum": ["x", 1]},
    {"type": ["array", "null"]},
    {"minimum": 1},
    {"required": ["a"]},
)
_PATTERNS = ("^x-", "^k", "a", ".*")


def tool(rng: random.Random) -> dict[str, Any]:
    """Make a tool called ``t``."""
    names = [f"d{index}" for index in range(rng.randrange(3))]
    make = Mixed(rng, names)
    schema = make.object(names, 0)
    if names:
        schema["$defs"] = {each: make.any(names[i + 1 :], 1) for i, each in enumerate(names)}
        schema["$defs"]["node"] = make.recursive()
    return {"name": "t", "inputSchema": schema}


class Mixed(Maker):
    """Makes subschemas."""

    depth = _DEPTH

    def kinds(self, names: list[str], depth: int) -> list[Any]:
        """Give what a subschema may be made by."""
        more = [self.optional, self.scalar]
        if depth < _DEPTH:
            more += [self.beside, self.beside, self.patterned, self.textual, self.textual]
            more += [self.conflict]
        if self.names:
            more.append(self.again)
        return super().kinds(names, depth) + more

    def object(self, names: list[str], depth: int) -> dict[str, Any]:
        """Make an object that may have patterns or optional members beside the others."""
        made = super().object(names, depth)
        if self.rng.random() < 0.2:
            made["properties"][self.rng.choice("abe")] = self.optional(names, depth)
        if self.rng.random() < 0.15:
            made["patternProperties"] = {
                self.rng.choice(_PATTERNS): self.any(self.names, depth + 1)
            }
        if self.rng.random() < 0.15:
            made["additionalProperties"] = self.any(self.names, depth + 1)
        return made

    def beside(self, names: list[str], depth: int) -> dict[str, Any]:
        """Make a union, or a list of types, beside keywords for one type."""
        keywords: dict[str, Any] = self.rng.choice(
            (
                {"properties": {"key": self.any(self.names, depth + 1)}},
                {"properties": {"key": {"type": "string"}}, "additionalProperties": False},
                {"required": ["key"]},
                {"items": self.any(self.names, depth + 1)},
                {"minLength": 2},
                {"additionalProperties": self.any(self.names, depth + 1)},
                {"type": ["object", "array", "boolean"]},
            )
        )
        branches = [
            each.copy() if self.rng.random() < 0.7 else self.any(names, depth + 1)
            for each in self.rng.sample(_BRANCHES, self.rng.randrange(2, 4))
        ]
        kind = self.rng.choice(("anyOf", "anyOf", "oneOf", "type"))
        if kind != "type":
            return {kind: branches, **keywords}
        types = self.rng.sample(("object", "array", "string", "null", "integer"), 3)
        return {**keywords, "type": types}

    def patterned(self, names: list[str], depth: int) -> dict[str, Any]:
        """Make a map whose values depend on the key."""
        patterns = self.rng.sample(_PATTERNS, self.rng.randrange(1, 3))
        made: dict[str, Any] = {
            "type": "object",
            "patternProperties": {each: self.any(self.names, depth + 1) for each in patterns},
        }
        chance = self.rng.random()
        if chance < 0.3:
            made["additionalProperties"] = {}
        elif chance < 0.6:
            made["additionalProperties"] = self.any(self.names, depth + 1)
        elif chance < 0.8:
            made["additionalProperties"] = False
        if self.rng.random() < 0.3:
            made["properties"] = {"x-a": self.any(self.names, depth + 1)}
        return made

    def textual(self, names: list[str], depth: int) -> dict[str, Any]:
        """Make a union of text and what may be sent as text."""
        others: tuple[dict[str, Any], ...] = (
            {"type": "object"},
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {"type": "array", "items": {}},
            {"type": "array", "items": {"type": "object"}},
            {},
            {"type": "object", "properties": {"a": {}}},
        )
        texts = ({"type": "string"}, {"type": "string", "maxLength": 3}, {"enum": ["x", "5"]})
        branches = [self.rng.choice(texts).copy(), *self.rng.sample(others, 1)]
        if self.rng.random() < 0.3:
            branches.append({"type": "null"})
        self.rng.shuffle(branches)
        return {self.rng.choice(("anyOf", "oneOf")): branches}

    def optional(self, names: list[str], depth: int) -> dict[str, Any]:
        """Make what may be null, with a default."""
        made: dict[str, Any] = self.rng.choice(
            (
                {"type": ["string", "null"]},
                {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                {"anyOf": [{"type": "object"}, {"type": "null"}]},
                {"enum": ["a", None]},
            )
        )
        default = self.rng.choice(("a", None, 5, "absent"))
        return {**made} if default == "absent" else {**made, "default": default}

    def conflict(self, names: list[str], depth: int) -> dict[str, Any]:
        """Make an ``allOf`` whose members overlap."""
        return {"allOf": [self.beside(names, depth + 1), self.any(names, depth + 1)]}

    def again(self, names: list[str], depth: int) -> dict[str, Any]:
        """Refer to the definition that refers to itself."""
        return {"$ref": "#/$defs/node"}

    def recursive(self) -> dict[str, Any]:
        """Make a definition that refers to itself."""
        back: dict[str, Any] = {"$ref": "#/$defs/node"}
        inner = self.rng.choice(
            (
                {"type": "array", "items": back},
                {"anyOf": [back, {"type": "null"}]},
                {"anyOf": [{"type": "string"}, back]},
                {"type": "object", "additionalProperties": back},
                back,
            )
        )
        return {
            "type": "object",
            "properties": {"name": {"type": "string"}, "next": inner},
            "additionalProperties": self.rng.choice((False, True)),
        }
