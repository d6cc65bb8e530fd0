"""A union of objects made into one object that admits what each of them does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.lowering._kinds import kinds_of
from toolgauge.lowering._merge import ANNOTATIONS, distinct, inlined, merge_loosely, same
from toolgauge.lowering._report import NARROWER, NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolgauge.lowering._draft import Draft

_MAX_BRANCHES = 200
_NEVER: Mapping[str, Any] = {"not": {}}


def join(draft: Draft, node: dict[str, Any], branches: Sequence[Any]) -> None:
    """Add the members of all branches to the object that holds the union.

    Which members belong together is written to the description and left to the
    gate. Branches that are no objects are passed over: the holder is one.
    """
    found = _objects(draft, branches)
    if not found:
        draft.lose(node, "alternatives of which none is an object are no longer enforced")
        return
    if len(found) == 1:
        merge_loosely(draft, node, found[0])
        return
    members: dict[str, list[Any]] = {}
    for each in found:
        for name, schema in each.get("properties", {}).items():
            members.setdefault(name, []).append(schema)
    own = node.setdefault("properties", {})
    is_closed = node.get("additionalProperties") is False
    for name, variants in members.items():
        for each in variants:
            if not same(each, own.get(name, variants[0])):
                place = each if isinstance(each, dict) else node
                draft.lose(place, f"{name} is not held to what its alternative says")
        if name not in own and not is_closed:
            own[name] = _either(draft, variants)
            if any(
                name not in each.get("properties", {}) and not _is_closed(each) for each in found
            ):
                words = f"{name} has the type that one alternative gives it in the others too"
                typed = next((each for each in variants if isinstance(each, dict)), node)
                draft.lose(typed, words, kind=NARROWER, by=NOTHING)
    _settle(draft, node, found)
    draft.touch()


def _settle(draft: Draft, node: dict[str, Any], found: Sequence[Mapping[str, Any]]) -> None:
    """Keep what all branches require and forbid; tell and report the rest."""
    listed = [each.get("required", []) for each in found]
    names = [set(each) for each in listed]
    shared = [name for name in listed[0] if all(name in each for each in names)]
    required = list(dict.fromkeys([*node.get("required", []), *shared]))
    if required or "required" in node:
        node["required"] = required
    if all(_is_closed(each) for each in found) and "additionalProperties" not in node:
        node["additionalProperties"] = False
    draft.lose(node, "which members belong together is no longer enforced")
    known = set(required)
    groups = [[each for each in one if each not in known] for one in listed]
    if any(groups):
        options = " | ".join(", ".join(each) if each else "nothing more" for each in groups)
        draft.tell(node, f"Give one of these sets of parameters: {options}.")


def _objects(draft: Draft, branches: Sequence[Any], nesting: int = 0) -> list[Mapping[str, Any]]:
    """Give the branches that can hold for an object, unions within them taken apart."""
    if nesting > _MAX_BRANCHES or len(branches) > _MAX_BRANCHES:
        draft.refuse("a union has too many alternatives", "describe one object")
    found: list[Mapping[str, Any]] = []
    for each in branches:
        if each is False or each == _NEVER:
            continue
        branch = {} if each is True else inlined(draft, each)
        if "object" not in (kinds_of(branch) or ["object"]):
            continue
        inner = branch.get("anyOf") or branch.get("oneOf")
        if inner and not branch.get("properties") and "required" not in branch:
            found += _objects(draft, inner, nesting + 1)
        else:
            found.append(branch)
    return found


def _is_closed(branch: Mapping[str, Any]) -> bool:
    return branch.get("additionalProperties") is False


def _either(draft: Draft, variants: Sequence[Any]) -> Any:
    """Give a schema that admits what any of several does."""
    if any(each is True or each == {} for each in variants):
        return {}
    apart = distinct(variants)
    if len(apart) == 1:
        return draft.copy(apart[0]) if isinstance(apart[0], dict) else apart[0]
    values = [_values(each) for each in apart]
    if all(values):
        merged: list[str] = list(dict.fromkeys(one for each in values for one in each))
        made = {"type": "string", "enum": merged}
        words = [each["description"] for each in apart if isinstance(each.get("description"), str)]
        if words:
            made["description"] = words[0]
        return draft.derive(made, apart[0])
    copies = [draft.copy(each) if isinstance(each, dict) else each for each in apart]
    return draft.derive({"anyOf": copies}, apart[0])


def _values(schema: Any) -> list[str]:
    """Give the texts that a schema lists, empty where it does something else."""
    if not isinstance(schema, dict) or schema.keys() - ANNOTATIONS - {"type", "enum", "const"}:
        return []
    if "const" in schema and "enum" in schema:
        return []
    listed = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return listed if all(isinstance(each, str) for each in listed) else []
