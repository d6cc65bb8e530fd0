"""Unions that stand where the provider takes none: joined, or pushed into their branches."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._kinds import concerns, implied_kinds, kinds_of
from toolgauge.lowering._merge import CONSTRAINTS, merge
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import NARROWER, NOTHING
from toolgauge.lowering._unions import join
from toolgauge.lowering.errors import Contradiction

_MAX_ROUNDS = 32
_KEYWORDS = ("anyOf", "oneOf")


def lower(draft: Draft, options: Options) -> None:
    """Join the union at the root, and with ``nested`` those beside properties.

    What else stands beside a nested union is pushed into each branch.
    """
    if draft.schema.keys() & set(_KEYWORDS):
        for keyword in _KEYWORDS:
            if keyword in draft.schema:
                join(draft, draft.schema, draft.schema.pop(keyword))
        draft.touch()
    if options["nested"]:
        # A branch may bring a union of its own along.
        for _ in range(_MAX_ROUNDS):
            found = [each for each in draft.having("anyOf") if _is_crowded(each)]
            if not found:
                return
            for node in reversed(found):
                if "anyOf" in node:
                    _lower_nested(draft, node)
            draft.touch()
        draft.refuse("unions bring more unions without end", "describe one object")


def _is_crowded(node: dict[str, Any]) -> bool:
    """Tell whether a union has constraints beside it, or is none."""
    branches = node["anyOf"]
    if _beside(node):
        return True
    return len(branches) == 1 and isinstance(branches[0], dict) and "$ref" not in branches[0]


def _beside(node: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in node.items() if key in CONSTRAINTS and key != "anyOf"}


def _lower_nested(draft: Draft, node: dict[str, Any]) -> None:
    branches, beside = node["anyOf"], _beside(node)
    if _leads_back(draft, node, beside):
        del node["anyOf"]
        draft.lose(node, "the alternatives beside a recursive reference are no longer enforced")
        return
    if (
        node.get("properties")
        and not any(_leads_back(draft, node, each) for each in branches)
        and _is_of_objects(draft, node)
    ):
        join(draft, node, node.pop("anyOf"))
        return
    if beside:
        made = [_pushed(draft, node, beside, each) for each in branches]
        kept = [each for each in made if each is not None]
        if not kept:
            del node["anyOf"]
            draft.lose(node, "alternatives that contradict what stands beside them are given up")
            return
        for keyword in beside:
            del node[keyword]
        node["anyOf"] = kept
    if len(node["anyOf"]) == 1 and isinstance(node["anyOf"][0], dict):
        (only,) = node.pop("anyOf")
        if "$ref" in only:
            node["anyOf"] = [only]
        else:
            merge(draft, node, only)


def _is_of_objects(draft: Draft, node: dict[str, Any]) -> bool:
    """Tell whether the values beside properties are meant to be objects; say so then."""
    kinds = kinds_of(node)
    if not kinds:
        if not all(_is_of_object(draft, each) for each in node["anyOf"]):
            return False
        node["type"] = "object"
        if any(kinds_of(draft.resolved(each)) != ["object"] for each in node["anyOf"]):
            words = "only a value of type object can be sent where the schema names no type"
            draft.lose(node, words, kind=NARROWER, by=NOTHING)
    return kinds_of(node) == ["object"]


def _is_of_object(draft: Draft, branch: Any) -> bool:
    """Tell whether an alternative names no other type."""
    if not isinstance(branch, dict):
        return False
    branch = draft.resolved(branch)
    inner = [each for word in ("anyOf", "oneOf", "allOf") for each in branch.get(word, ())]
    found = kinds_of(branch) or implied_kinds(branch)
    return found in ([], ["object"]) and all(_is_of_object(draft, each) for each in inner)


def _pushed(draft: Draft, node: dict[str, Any], beside: dict[str, Any], branch: Any) -> Any:
    """Give a branch that demands what stood beside the union too; ``None`` if none can."""
    if branch is False:
        return None
    made = draft.derive({}, branch if isinstance(branch, dict) else node)
    inside = {} if branch is True else branch
    resolved = draft.resolved(inside)
    kinds = kinds_of(resolved)
    if beside.keys() == {"type"} and kinds and {*kinds} <= {*kinds_of(beside)}:
        return branch
    demanded = {
        keyword: value
        for keyword, value in beside.items()
        if not kinds or any(concerns(keyword, each) for each in kinds)
    }
    if not demanded:
        return branch
    if _leads_back(draft, node, inside):
        words = ", ".join(sorted(demanded))
        draft.lose(node, f"{words} beside a recursive alternative: no longer enforced")
        return branch
    try:
        merge(draft, made, inside)
        merge(draft, made, demanded)
    except Contradiction:
        return None
    return made


def _leads_back(draft: Draft, node: dict[str, Any], schema: Any) -> bool:
    """Tell whether writing out a reference would bring the union along again, without end."""
    if not isinstance(schema, dict) or "$ref" not in schema:
        return False
    return draft.leads_to(draft.follow(schema["$ref"]), node)


PASS = Pass(
    name="unions",
    since="0.1.0",
    lower=lower,
    options={"nested": False},
    triggers=("anyOf", "oneOf"),
    loses="Which members belong together.",
)
