"""Schemas and values that tests of several rooms hold against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.profile import IS_LONG

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterator

TOOLLISTS = Path(__file__).parents[2] / "shared" / "corpus" / "toollists"
"""The tool lists of real servers; there is no such folder where the project stands alone."""


EVERY = 1 if IS_LONG else 5
"""Of how many real tools one is tried."""


def corpus_schemas(every: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the name and the input schema of every n-th real tool of each server."""
    for path in sorted(TOOLLISTS.glob("*.json")):
        for tool in json.loads(path.read_text("utf-8"))["tools"][::every]:
            yield f"{path.stem}: {tool['name']}", tool["inputSchema"]


def made_value(schema: Any, draw: random.Random, depth: int = 0) -> Any:
    """Make a value that a tool's schema probably accepts; where it does not, no matter."""
    if not isinstance(schema, dict):
        return "text"
    for keyword in ("enum", "anyOf", "oneOf"):
        if schema.get(keyword):
            chosen = draw.choice(schema[keyword])
            return chosen if keyword == "enum" else made_value(chosen, draw, depth + 1)
    if schema.get("properties") and depth < 5:
        needed = schema.get("required", ())
        return {
            name: made_value(each, draw, depth + 1)
            for name, each in schema["properties"].items()
            if name in needed or draw.random() < 0.6
        }
    if schema.get("type") == "array" and depth < 5:
        return [made_value(schema.get("items"), draw, depth + 1) for _ in range(draw.randint(0, 3))]
    kinds = {"integer": 5, "number": 1.5, "boolean": True, "object": {}, "array": [], "null": None}
    return kinds.get(str(schema.get("type")), "text")


def damage(value: Any, draw: random.Random) -> None:
    """Drop, add or replace something somewhere in a value."""
    spots: list[tuple[Any, Any]] = []
    row = [value]
    for here in row:
        children = here.items() if isinstance(here, dict) else enumerate(here)
        for key, child in children:
            spots.append((here, key))
            if isinstance(child, dict | list):
                row.append(child)
    if not spots:
        value["added"] = 1
        return
    here, key = draw.choice(spots)
    if draw.random() < 0.3:
        del here[key]
    elif isinstance(here, dict) and draw.random() < 0.3:
        here["added"] = [{"x": None}]
    else:
        here[key] = draw.choice([5, 0.5, True, None, "text", "", [1], {"a": "b"}])


NAMES = st.sampled_from(["a", "b", "a/b", "~", ""])
TEXTS = st.sampled_from(["", "a", "ab", "b1", "é", "[1]", '{"a": 1}'])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-4, 12),
    st.sampled_from([0.0, 1.0, -0.5, 2.5, 1e20, 2**70]),
    TEXTS,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
SIZES = st.integers(0, 3)


def _keywords(inner: st.SearchStrategy[Any], number: int) -> dict[str, st.SearchStrategy[Any]]:
    """Give the keywords that a draft has, with ``inner`` below."""
    several = st.lists(inner, min_size=1, max_size=3)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "additionalProperties": inner,
        "allOf": several,
        "anyOf": several,
        "enum": st.lists(VALUES, min_size=1, max_size=3, unique_by=repr),
        "items": inner,
        "maxItems": SIZES,
        "maxLength": SIZES,
        "maxProperties": SIZES,
        "maximum": st.integers(0, 9),
        "minItems": SIZES,
        "minLength": SIZES,
        "minProperties": SIZES,
        "minimum": st.integers(0, 9),
        "multipleOf": st.integers(1, 4),
        "not": inner,
        "oneOf": several,
        "pattern": st.sampled_from(["a", "^b", "[0-9]$", "^(ab)*$"]),
        "patternProperties": st.dictionaries(st.sampled_from(["a", "^b"]), inner, max_size=2),
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "required": st.lists(NAMES, min_size=1, max_size=3, unique=True),
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "uniqueItems": st.booleans(),
    }
    needs = st.dictionaries(NAMES, st.lists(NAMES, min_size=1, max_size=2, unique=True), max_size=2)
    if number > 4:
        keywords |= {
            "const": VALUES,
            "contains": inner,
            "exclusiveMaximum": st.integers(0, 9),
            "exclusiveMinimum": st.integers(0, 9),
            "propertyNames": inner,
        }
    if number >= 7:
        keywords |= {"if": inner, "then": inner, "else": inner}
    if number < 2019:
        keywords |= {"dependencies": needs}
    else:
        keywords |= {
            "dependentRequired": needs,
            "dependentSchemas": st.dictionaries(NAMES, inner, max_size=2),
            "maxContains": SIZES,
            "minContains": SIZES,
            "unevaluatedProperties": st.just(value=False),
        }
    if number < 2020:
        keywords |= {"items": inner | several, "additionalItems": inner}
    else:
        keywords |= {"prefixItems": several, "unevaluatedItems": st.just(value=False)}
    return keywords


def _schemas(
    inner: st.SearchStrategy[Any], number: int, among: Collection[str] | None = None
) -> st.SearchStrategy[Any]:
    """Build objects of the keywords that a draft has, with ``inner`` below."""
    keywords = _keywords(inner, number)
    names = sorted(keywords.keys() if among is None else keywords.keys() & among)
    chosen = st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({n: keywords[n] for n in names}))


def schemas_of(number: int) -> st.SearchStrategy[Any]:
    """Make schemas of a draft, some levels deep."""
    leaves = _schemas(st.just({}) if number == 4 else st.booleans(), number)
    return st.recursive(leaves, lambda inner: _schemas(inner, number), max_leaves=6)


COMMON = {
    "additionalProperties",
    "const",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "properties",
    "required",
    "type",
}
"""What nearly all tools use, and nothing else."""


def common_schemas_of(number: int) -> st.SearchStrategy[Any]:
    """Make schemas of common keywords, some levels deep, with a few others here and there."""
    leaves = _schemas(st.just({}) if number == 4 else st.booleans(), number, COMMON)
    return st.recursive(
        leaves,
        lambda inner: _schemas(inner, number, COMMON) | _schemas(inner, number, COMMON | {"anyOf"}),
        max_leaves=8,
    )
