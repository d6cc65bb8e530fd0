"""Two subschemas that hold for the same value, made into one.

Exact where JSON Schema has a single keyword for both; where it has not, the
second constraint is dropped and reported: the result then admits more, never less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.equality import identity
from toolgauge.lowering._branches import has_type
from toolgauge.lowering.errors import Contradiction

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from toolgauge.lowering._draft import Draft

_MAX_NESTING = 40
_VALUES_A_STEP = 32

ANNOTATIONS = frozenset(
    {
        "title",
        "description",
        "default",
        "examples",
        "example",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
    }
)
"""Keywords that refuse no value."""

CONSTRAINTS = frozenset(
    {
        "$dynamicRef",
        "$recursiveRef",
        "$ref",
        "additionalItems",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "contains",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "if",
        "items",
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
        "pattern",
        "patternProperties",
        "prefixItems",
        "properties",
        "propertyNames",
        "required",
        "then",
        "type",
        "unevaluatedItems",
        "unevaluatedProperties",
        "uniqueItems",
    }
)
"""Keywords that may refuse a value; all others say something to readers only."""

_HIGHER = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_LOWER = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}


def merge(draft: Draft, into: dict[str, Any], other: Mapping[str, Any], nesting: int = 0) -> None:
    """Add to one subschema what another one demands.

    Args:
        draft: Keeps the losses.
        into: Changed in place.
        other: Its parts are copied.
        nesting: How deep this merge is inside others.
    """
    if nesting > _MAX_NESTING:
        draft.refuse("references lead back to themselves", "write the properties out")
    other = inlined(draft, other, nesting)
    if "$ref" in into:
        inside = inlined(draft, {"$ref": into.pop("$ref")}, nesting)
        merge(draft, into, inside, nesting + 1)
    draft.charge(1 + (_breadth(into) + _breadth(other)) // _VALUES_A_STEP)
    # `additionalProperties` looks at both sets of properties: first of all.
    _close(draft, into, other)
    for keyword, value in other.items():
        if keyword in {"additionalProperties", "$defs", "definitions"}:
            continue
        if keyword not in into:
            into[keyword] = _copied(draft, value, keyword)
        elif not same(into[keyword], value):
            _reconcile(draft, into, keyword, value, nesting)
    _fit_listed(draft, into)
    draft.touch()


def merge_loosely(
    draft: Draft, into: dict[str, Any], other: Mapping[str, Any], nesting: int = 0
) -> None:
    """Merge as far as there is something in common; where no value is right, the gate says so."""
    try:
        merge(draft, into, other, nesting)
    except Contradiction as error:
        draft.lose(into, f"{error.reason}: that is no longer enforced")
        draft.touch()


def _breadth(schema: Mapping[str, Any]) -> int:
    """Count the keywords of a subschema and what it lists."""
    return len(schema) + sum(
        len(each) for each in schema.values() if isinstance(each, dict | list | str)
    )


def same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal; Python takes ``1`` for ``true``."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def distinct(values: Iterable[Any]) -> list[Any]:
    """Give the first of each JSON values that are the ``same``."""
    found: dict[Hashable, Any] = {}
    for each in values:
        found.setdefault(identity(each), each)
    return list(found.values())


def inlined(draft: Draft, node: Mapping[str, Any], nesting: int = 0) -> Mapping[str, Any]:
    """Give a subschema without a reference at its top; what stood beside it is added."""
    if "$ref" not in node:
        return node
    beside = {key: value for key, value in node.items() if key != "$ref"}
    found = draft.follow(node["$ref"])
    if found is None:
        draft.refuse(f"the reference {node['$ref']!r} leads nowhere", "add the definition")
    made = draft.copy(found)
    for keyword in ANNOTATIONS & beside.keys():
        made[keyword] = beside.pop(keyword)
    if "$ref" in made or beside:
        merge_loosely(draft, made, beside, nesting + 1)
    return made


def _copied(draft: Draft, value: Any, keyword: str) -> Any:
    if isinstance(value, dict):
        holder = {keyword: value}
        return draft.copy(holder)[keyword]
    if isinstance(value, list):
        return draft.copy({keyword: value})[keyword]
    return value


def _close(draft: Draft, into: dict[str, Any], other: Mapping[str, Any]) -> None:
    """Settle what holds for members that neither, or only one, names."""
    mine, theirs = into.get("additionalProperties"), other.get("additionalProperties")
    names, others = set(into.get("properties", ())), set(other.get("properties", ()))
    is_tight = (mine not in (None, True) and others - names) or (
        theirs not in (None, True) and names - others
    )
    if is_tight:
        draft.lose(into, "allOf members each forbid what the other names; now both are allowed")
    if mine in (None, True, {}):
        if theirs is not None:
            into["additionalProperties"] = _copied(draft, theirs, "additionalProperties")
    elif isinstance(mine, dict) and theirs not in (None, True, {}) and not same(mine, theirs):
        if theirs is False:
            into["additionalProperties"] = False
        else:
            draft.lose(into, "one of two schemas of further members is no longer enforced")


def _reconcile(draft: Draft, into: dict[str, Any], keyword: str, value: Any, nesting: int) -> None:
    """Settle one keyword that both have, with different values."""
    mine = into[keyword]
    if keyword in ANNOTATIONS:
        return
    if keyword in _HIGHER:
        into[keyword] = max(mine, value)
    elif keyword in _LOWER:
        into[keyword] = min(mine, value)
    elif keyword in _BY_KEYWORD:
        _BY_KEYWORD[keyword](draft, into, value, nesting)
    elif keyword in {"pattern", "format"} and isinstance(mine, str):
        draft.lose(into, f"{keyword} {value!r} is no longer enforced beside {mine!r}")
    else:
        draft.lose(into, f"the second of two {keyword} is no longer enforced")


def _types(draft: Draft, into: dict[str, Any], value: Any, nesting: int) -> None:
    mine = [into["type"]] if isinstance(into["type"], str) else list(into["type"])
    theirs = [value] if isinstance(value, str) else list(value)
    both = [each for each in mine if each in theirs or (each == "integer" and "number" in theirs)]
    if "number" in mine and "integer" in theirs and not {"integer", "number"} & {*both}:
        both.append("integer")
    if not both:
        raise Contradiction(
            f"one place has to be {' or '.join(mine)} and {' or '.join(theirs)} at once",
            "let the members of the allOf agree on a type",
        )
    into["type"] = both[0] if len(both) == 1 else both


def _enums(draft: Draft, into: dict[str, Any], value: Any, nesting: int) -> None:
    draft.charge((len(into["enum"]) + len(value)) // _VALUES_A_STEP)
    theirs = set(map(identity, value))
    both = [each for each in into["enum"] if identity(each) in theirs]
    if not both:
        raise Contradiction(
            "two enums have no value in common", "let the members of the allOf agree"
        )
    into["enum"] = both


def _fit_listed(draft: Draft, into: dict[str, Any]) -> None:
    """Leave out listed values that are not of the type beside them."""
    keyword = "enum" if "enum" in into else "const"
    if "type" not in into or keyword not in into:
        return
    listed = into["enum"] if keyword == "enum" else [into["const"]]
    draft.charge(len(listed) // _VALUES_A_STEP)
    fitting = [each for each in listed if has_type(into, each)]
    if listed and not fitting:
        del into[keyword]
        raise Contradiction("no listed value is of the type beside it", "correct the type")
    if keyword == "enum":
        into["enum"] = fitting


def _required(draft: Draft, into: dict[str, Any], value: Any, nesting: int) -> None:
    draft.charge((len(into["required"]) + len(value)) // _VALUES_A_STEP)
    into["required"] = list(dict.fromkeys([*into["required"], *value]))


def _members(keyword: str) -> Callable[[Draft, dict[str, Any], Any, int], None]:
    def settle(draft: Draft, into: dict[str, Any], value: Any, nesting: int) -> None:
        mine = into[keyword]
        for name, each in value.items():
            known = mine.get(name)
            if known is None or known is True or same(known, each):
                mine[name] = _copied(draft, each, name) if known is not False else False
                if isinstance(each, dict):
                    mine[name] = draft.copy(each)
            elif isinstance(known, dict) and isinstance(each, dict):
                merge_loosely(draft, known, each, nesting + 1)
            elif each is False:
                mine[name] = False

    return settle


def _items(draft: Draft, into: dict[str, Any], value: Any, nesting: int) -> None:
    mine = into["items"]
    if isinstance(mine, dict) and isinstance(value, dict):
        merge_loosely(draft, mine, value, nesting + 1)
    elif value is False or mine is True:
        into["items"] = _copied(draft, value, "items")


_BY_KEYWORD: Mapping[str, Callable[[Draft, dict[str, Any], Any, int], None]] = {
    "type": _types,
    "enum": _enums,
    "required": _required,
    "properties": _members("properties"),
    "items": _items,
}
