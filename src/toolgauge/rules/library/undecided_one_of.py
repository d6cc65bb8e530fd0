"""The alternatives of a ``oneOf`` are not plainly apart.

Why is this bad?
    A grammar cannot say that exactly one alternative holds. A builder of grammars
    takes ``oneOf`` only where it sees that no value fits two of them: they differ in
    type, in their literals, or in a member that one of them requires. Behind a
    reference it does not look, and a tag that no alternative requires may be absent.

Instead
    Write ``anyOf``. Where a tag tells the alternatives apart that is the same.

Sources
    Each target that applies this cites the builder and its version.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.rules._links import reached
from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_LOOKS = 2_000
"""Pairs that are compared in one ``oneOf``; beyond it the rest counts as apart."""

_MAX_DEPTH = 8
_TYPES = {str: "string", bool: "boolean", dict: "object", list: "array", type(None): "null"}


class _Alternative(NamedTuple):
    """What one alternative admits of one type: a literal, or what a subschema says of it."""

    type: str
    schema: dict[str, Any]
    literal: str | bool | None = None


_Alternatives = tuple[_Alternative, ...] | None
"""``None`` for what may be anything."""


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report each ``oneOf`` in use of which two alternatives are not seen to be apart."""
    used = reached(tool) if tool.having("oneOf") else ()
    for node in tool.having("oneOf"):
        if id(node) not in used:
            continue
        branches = [_alternatives(each, node.types) for each in node.branches("oneOf")]
        looks = [_MAX_LOOKS]
        pair = next(
            (
                (first, second)
                for (first, one), (second, other) in combinations(enumerate(branches), 2)
                if not _are_apart(one, other, looks)
            ),
            None,
        )
        if pair is not None:
            yield Finding(
                message=f"alternatives {pair[0]} and {pair[1]} of oneOf may fit the same value",
                path=node.at("oneOf"),
                fix="write anyOf",
            )


def _alternatives(schema: Any, types: Iterable[str] = (), depth: int = 0) -> _Alternatives:
    """Take a schema apart by type; with ``types``, those that stand beside the union."""
    if schema is False:
        return ()
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return None
    for union in ("anyOf", "oneOf", "allOf"):
        members = schema.get(union)
        if isinstance(members, list) and (union != "allOf" or len(members) == 1):
            below = [_alternatives(each, types, depth + 1) for each in members]
            return None if None in below else tuple(each for one in below for each in one or ())
    literals = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(literals, list):
        return tuple(_literal(each) for each in literals)
    own = schema.get("type")
    named = [own] if isinstance(own, str) else own if isinstance(own, list) else types
    kept = [each for each in named if not types or each in types]
    return tuple(
        _Alternative("number" if each == "integer" else str(each), schema) for each in kept
    ) or (None if not named else ())


def _literal(value: Any) -> _Alternative:
    kind = _TYPES.get(type(value), "number")
    if kind == "object":
        members = {name: {"const": each} for name, each in value.items()}
        shape = {"properties": members, "required": list(members), "additionalProperties": False}
        return _Alternative(kind, shape)
    return _Alternative(kind, {}, value if kind in {"string", "boolean"} else None)


def _are_apart(one: _Alternatives, other: _Alternatives, looks: list[int], depth: int = 0) -> bool:
    """Tell whether no value fits both, as far as a few looks show."""
    if one == () or other == ():
        return True
    if one is None or other is None or depth > _MAX_DEPTH:
        return False
    for left in one:
        for right in other:
            looks[0] -= 1
            if looks[0] < 0:
                return True
            if left.type == right.type and not _differ(left, right, looks, depth):
                return False
    return True


def _differ(left: _Alternative, right: _Alternative, looks: list[int], depth: int) -> bool:
    if left.literal is not None and right.literal is not None:
        return left.literal != right.literal
    if left.type != "object":
        return False
    required = {*_names(left.schema), *_names(right.schema)}
    return any(
        _are_apart(
            _alternatives(_member(left.schema, each), (), depth + 1),
            _alternatives(_member(right.schema, each), (), depth + 1),
            looks,
            depth + 1,
        )
        for each in sorted(required)
    )


def _names(schema: dict[str, Any]) -> list[str]:
    found = schema.get("required")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _member(schema: dict[str, Any], name: str) -> Any:
    """Give what an object says of one member."""
    members = schema.get("properties")
    if isinstance(members, dict) and name in members:
        return members[name]
    return True if "patternProperties" in schema else schema.get("additionalProperties", True)


def _union(*branches: object) -> Example:
    return Example.of_property("a", {"oneOf": list(branches)})


def _tagged(tag: str, **more: object) -> dict[str, object]:
    return {"type": "object", "properties": {"kind": {"const": tag}}, **more}


RULE = Rule(
    code="TG462",
    name="undecided-one-of",
    since="0.1.0",
    check=check,
    examples=(
        Example.of_property("a", {"oneOf": [_tagged("b"), _tagged("c")]}, "TG462"),
        Example.of_property("a", {"oneOf": [{"type": "integer"}, {"type": "number"}]}, "TG462"),
        Example.of_property("a", {"oneOf": [{"$ref": "#"}, {"type": "string"}]}, "TG462"),
        _union(_tagged("b", required=["kind"]), _tagged("c", required=["kind"])),
        _union({"type": "string"}, {"type": "null"}),
    ),
)
