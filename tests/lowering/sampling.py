"""Values for a schema, made at random and held against it: quick, and good enough to find faults.

``hypothesis-jsonschema`` makes better ones and needs a fifth of a second for each schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract import compile_schema, resolve

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

MAX_DEPTH = 12
TEXTS = ("", "a", "null", "5", "2024-01-02", "https://example.org/x", "é", "longer text here")
FREE: tuple[Any, ...] = (None, True, 0, 1.5, "x", [1], {"k": "v"}, {})


def values(schema: dict[str, Any], rng: random.Random, count: int) -> Iterator[Any]:
    """Yield up to ``count`` valid objects."""
    compiled = compile_schema(schema)
    for _ in range(count):
        value = _value(schema, schema, rng, 0)
        if isinstance(value, dict) and compiled.is_valid(value):
            yield value


def _value(node: Any, root: dict[str, Any], rng: random.Random, depth: int) -> Any:
    if not isinstance(node, dict) or depth > MAX_DEPTH:
        return rng.choice(FREE)
    if "$ref" in node:
        target = resolve(root, node["$ref"][1:]) if node["$ref"].startswith("#") else {}
        return _value(target, root, rng, depth + 1)
    for keyword in ("const", "enum"):
        if keyword in node:
            return node["const"] if keyword == "const" else rng.choice(node["enum"] or [None])
    merged = dict(node)
    for each in node.get("allOf", ()):
        merged = _joined(merged, each)
    for keyword in ("anyOf", "oneOf"):
        if merged.get(keyword):
            branch = rng.choice(merged[keyword])
            if "properties" not in merged:
                return _value(branch, root, rng, depth + 1)
            merged = _joined(merged, branch)
    kind = merged.get("type", "object" if "properties" in merged else None)
    if isinstance(kind, list):
        kind = rng.choice(kind)
    return _of_type(kind, merged, root, rng, depth)


def _joined(one: dict[str, Any], other: Any) -> dict[str, Any]:
    if not isinstance(other, dict):
        return one
    made = {**one, **other}
    for keyword in ("properties",):
        made[keyword] = {**one.get(keyword, {}), **other.get(keyword, {})}
    made["required"] = [*one.get("required", []), *other.get("required", [])]
    return made


def _of_type(kind: Any, node: Any, root: dict[str, Any], rng: random.Random, depth: int) -> Any:
    if kind == "object":
        return _object(node, root, rng, depth)
    if kind == "array":
        low = max(node.get("minItems", 0), len(node.get("prefixItems", ())))
        size = min(node.get("maxItems", low + 2), low + rng.randrange(3))
        first = node.get("prefixItems", [])
        return [
            _value(first[i] if i < len(first) else node.get("items", True), root, rng, depth + 1)
            for i in range(size)
        ]
    if kind == "string":
        text = rng.choice(TEXTS)
        return text + "a" * max(0, node.get("minLength", 0) - len(text))
    if kind in {"integer", "number"}:
        low = int(node.get("minimum", node.get("exclusiveMinimum", -2) + 1))
        high = int(node.get("maximum", node.get("exclusiveMaximum", low + 5) - 1))
        return rng.randint(low, max(low, high))
    return {"boolean": rng.random() < 0.5, "null": None}.get(kind, rng.choice(FREE))


def _object(node: Any, root: dict[str, Any], rng: random.Random, depth: int) -> dict[str, Any]:
    named = node.get("properties", {})
    made = {
        name: _value(each, root, rng, depth + 1)
        for name, each in named.items()
        if name in node.get("required", ()) or (depth < MAX_DEPTH - 6 and rng.random() < 0.5)
    }
    more = node.get("additionalProperties", None if named else True)
    if more:
        for name in rng.sample(("k", "a b", "x.y"), rng.randrange(3)):
            made.setdefault(name, _value(more, root, rng, depth + 1))
    return made
