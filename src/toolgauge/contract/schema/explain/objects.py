"""Keywords that look at an object and its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.contract.schema.explain.walk import At, Walk


def listed(items: Sequence[object]) -> str:
    """Write what should not be there: ``'a', 'b' were``."""
    verb = "was" if len(items) == 1 else "were"
    return f"{', '.join(repr(item) for item in items)} {verb}"


def properties(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Look into the members that the schema names, in the schema's order."""
    if not isinstance(value, dict):
        return
    for name, schema in want.items():
        if name in value:
            walk.member(value[name], schema, (*at.path, name), at.scope)


def pattern_properties(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Look into the members whose names match a pattern."""
    if not isinstance(value, dict):
        return
    walk.spend(len(want) * len(value))
    for each, schema in want.items():
        for name, member in value.items():
            if walk.terms.is_match(each, name):
                walk.member(member, schema, (*at.path, name), at.scope)


def additional_properties(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Look into the members that nothing else names, or note that there are any."""
    if not isinstance(value, dict):
        return
    extras = list(iter_additional(walk, value, at))
    if isinstance(want, dict):
        for name in extras:
            walk.member(value[name], want, (*at.path, name), at.scope)
    elif want is False and extras:
        extras.sort()
        patterns = at.schema.get("patternProperties")
        if patterns is None:
            words = f"Additional properties are not allowed ({listed(extras)} unexpected)"
        else:
            verb = "does" if len(extras) == 1 else "do"
            names = ", ".join(repr(name) for name in extras)
            known = ", ".join(repr(each) for each in sorted(patterns))
            words = f"{names} {verb} not match any of the regexes: {known}"
        walk.add(at.path, words, "additionalProperties")


def iter_additional(walk: Walk, value: dict[str, Any], at: At) -> Iterator[str]:
    """Yield the members that neither ``properties`` nor ``patternProperties`` names."""
    named = at.schema.get("properties", {})
    patterns = at.schema.get("patternProperties", {})
    walk.spend(len(patterns) * len(value))
    for name in value:
        if name not in named and not any(walk.terms.is_match(each, name) for each in patterns):
            yield name


def property_names(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Hold each member's name against a schema; the place is the object."""
    if isinstance(value, dict):
        for name in value:
            walk.descend(name, want, at.path, at.scope)


def required(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note each missing member, at the place where it should be (decision V1)."""
    if not isinstance(value, dict):
        return
    for name in want:
        if name not in value:
            walk.add((*at.path, name), f"{name!r} is a required property", "required")


def dependent_required(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note each member that another one asks for."""
    if not isinstance(value, dict):
        return
    for name, needs in want.items():
        if name in value:
            _note_dependencies(walk, name, needs, value, at, "dependentRequired")


def _note_dependencies(  # noqa: PLR0913, PLR0917 - shared by two spellings of one keyword
    walk: Walk, name: str, needs: list[str], value: dict[str, Any], at: At, keyword: str
) -> None:
    for each in needs:
        if each not in value:
            walk.add((*at.path, each), f"{each!r} is a dependency of {name!r}", keyword)


def dependent_schemas(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Hold the object against the schema that a member asks for."""
    if not isinstance(value, dict):
        return
    for name, schema in want.items():
        if name in value:
            walk.descend(value, schema, at.path, at.scope)


def dependencies(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Both of the above under one name, as drafts 4 to 7 write them."""
    if not isinstance(value, dict):
        return
    for name, needs in want.items():
        if name not in value:
            continue
        if isinstance(needs, list):
            _note_dependencies(walk, name, needs, value, at, "dependencies")
        else:
            walk.descend(value, needs, at.path, at.scope)


def min_properties(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note an object with too few members."""
    if isinstance(value, dict) and len(value) < want:
        words = "should be non-empty" if want == 1 else "does not have enough properties"
        walk.add(at.path, f"{value!r} {words}", "minProperties")


def max_properties(walk: Walk, want: Any, value: Any, at: At) -> None:
    """Note an object with too many members."""
    if isinstance(value, dict) and len(value) > want:
        words = "is expected to be empty" if want == 0 else "has too many properties"
        walk.add(at.path, f"{value!r} {words}", "maxProperties")
