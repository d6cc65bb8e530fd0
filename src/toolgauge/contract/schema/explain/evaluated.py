"""``unevaluatedProperties`` and ``unevaluatedItems``: what nothing else looked at.

Source: JSON Schema core 2020-12 section 11. What counts as looked at is what a
keyword *beside* or below the unevaluated one applied a subschema to, in
branches that accept the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.schema.explain.objects import iter_additional, listed
from toolgauge.contract.schema.explain.walk import At

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolgauge.contract.schema.explain.scopes import Scope
    from toolgauge.contract.schema.explain.walk import Walk


def unevaluated_properties(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note members that nothing else looked at and this schema refuses."""
    if not isinstance(value, dict):
        return
    seen = _names(walk, value, at, beside=True)
    left = [
        name
        for name, member in value.items()
        if name not in seen and not walk.is_valid(member, want, at.scope)
    ]
    if not left:
        return
    if want is False:
        left.sort()
        words = f"Unevaluated properties are not allowed ({listed(left)} unexpected)"
    else:
        words = (
            "Unevaluated properties are not valid under the given schema "
            f"({listed(left)} unevaluated and invalid)"
        )
    walk.add(at.path, words, "unevaluatedProperties")


def unevaluated_items(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note items that nothing else looked at and this schema refuses."""
    if not isinstance(value, list | tuple):
        return
    seen = _indices(walk, value, at, beside=True)
    left = [
        item
        for index, item in enumerate(value)
        if index not in seen and not walk.is_valid(item, want, at.scope)
    ]
    if left:
        words = f"Unevaluated items are not allowed ({listed(left)} unexpected)"
        walk.add(at.path, words, "unevaluatedItems")


def _names(walk: Walk, value: dict[str, Any], at: At, *, beside: bool = False) -> set[str]:
    """Collect the members that a schema looks at; ``beside`` leaves its own keyword out."""
    schema = at.schema
    seen = {name for name in schema.get("properties", ()) if name in value}
    for pattern in schema.get("patternProperties", ()):
        seen.update(name for name in value if walk.terms.is_match(pattern, name))
    if "additionalProperties" in schema:
        seen.update(iter_additional(walk, value, at))
    if "unevaluatedProperties" in schema and not beside:
        seen.update(value)
    for branch in _branches(walk, value, at):
        seen |= _names(walk, value, branch)
    return seen


def _indices(walk: Walk, value: Any, at: At, *, beside: bool = False) -> set[int]:
    """Collect the items that a schema looks at; ``beside`` leaves its own keyword out."""
    schema = at.schema
    seen = set(range(len(schema.get("prefixItems", ()))))
    named = schema.get("items")
    if isinstance(named, list):
        seen.update(range(len(named)))
    if isinstance(named, dict | bool) or (isinstance(named, list) and "additionalItems" in schema):
        seen.update(range(len(value)))
    if "unevaluatedItems" in schema and not beside:
        seen.update(range(len(value)))
    if "contains" in schema and walk.terms.dialect.number >= 2020:  # noqa: PLR2004 - not in 2019-09
        seen.update(
            index
            for index, item in enumerate(value)
            if walk.is_valid(item, schema["contains"], at.scope)
        )
    for branch in _branches(walk, value, at):
        seen |= _indices(walk, value, branch)
    return seen


def _branches(walk: Walk, value: Any, at: At) -> Iterator[At]:
    """Yield the subschemas that apply to the same value and say what they looked at.

    A branch that refuses the value says nothing. A reference has to accept it
    anyway: whatever is wrong there is an issue of its own, and no second one here.
    """
    schema, scope = at.schema, at.scope
    for target, there in _references(at):
        yield from _at(target, at, there)
    for name, each in schema.get("dependentSchemas", {}).items():
        if name in value:
            yield from _at(each, at, scope)
    for keyword in ("allOf", "anyOf", "oneOf"):
        for each in schema.get(keyword, ()):
            if walk.is_valid(value, each, scope):
                yield from _at(each, at, scope)
    if "if" in schema and walk.is_valid(value, schema["if"], scope):
        yield from _at(schema["if"], at, scope)
        yield from _at(schema.get("then"), at, scope)
    elif "if" in schema:
        yield from _at(schema.get("else"), at, scope)


def _references(at: At) -> Iterator[tuple[Any, Scope]]:
    """Yield what the schema refers to, with the scope to go on with there."""
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in at.schema:
            yield at.scope.look_up(at.schema[keyword])
    if "$recursiveRef" in at.schema:
        yield at.scope.look_up_recursive()


def _at(schema: Any, at: At, scope: Scope) -> Iterator[At]:
    """Go to a subschema of the same value; booleans look at nothing."""
    if isinstance(schema, dict):
        yield At(schema, at.path, scope)
