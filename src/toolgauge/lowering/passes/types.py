"""Types: inferred where there are none, and lists of them taken apart into ``anyOf``."""

from __future__ import annotations

from typing import Any

from toolgauge.lowering._kinds import KIND_OF, concerns, implied_kinds, kind_of, kinds_of
from toolgauge.lowering._merge import ANNOTATIONS, CONSTRAINTS
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._report import NARROWER, NOTHING

_INSTEAD = ("type", "anyOf", "oneOf", "allOf", "$ref", "not", "if")


def lower(draft: Draft, options: Options) -> None:
    """Name the type that keywords or listed values imply; then take lists apart.

    With ``only``, a list that has none of these types stays. With ``tidy``,
    keywords that say nothing about any of the types go.
    """
    is_changed = False
    for node in list(draft.nodes):
        if node.keys().isdisjoint(_INSTEAD):
            _infer(draft, node)
        kinds = node.get("type")
        if kinds is not None and options["tidy"]:
            is_changed |= _tidy(node, kinds_of(node))
        if not isinstance(kinds, list):
            continue
        kinds = list(dict.fromkeys(kinds))
        if len(kinds) == 1:
            node["type"] = kinds[0]
        elif options["only"] and not set(kinds) & set(options["only"]):
            continue
        else:
            _split(draft, node, kinds)
            is_changed = True
    if is_changed:
        draft.touch()


def _infer(draft: Draft, node: dict[str, Any]) -> None:
    kinds = kinds_of(node)
    if kinds:
        node["type"] = kinds[0] if len(kinds) == 1 else kinds
        return
    implied = implied_kinds(node)
    if len(implied) == 1:
        node["type"] = implied[0]
        draft.lose(
            node,
            f"only a value of type {implied[0]} can be sent where the schema names no type",
            kind=NARROWER,
            by=NOTHING,
        )


def _split(draft: Draft, node: dict[str, Any], kinds: list[str]) -> None:
    """Put one branch for each type into ``anyOf``; each keyword goes where it means something."""
    outside = {key: node[key] for key in node if key in ANNOTATIONS or key == "$defs"}
    inside = {key: node[key] for key in node if key not in outside and key != "type"}
    branches = [_branch(draft, node, inside, kind, kinds) for kind in kinds]
    kept = [each for each in branches if each is not None]
    if not kept:
        draft.refuse("no value of the enum has one of the types", "correct the enum")
    node.clear()
    node.update(outside)
    if len(kept) == 1:
        node.update(kept[0])
    elif "anyOf" in inside:
        node["anyOf"] = inside.pop("anyOf")
        draft.lose(node, "the list of types beside anyOf is no longer enforced", "type")
        for keyword in inside.keys() & CONSTRAINTS:
            draft.lose(node, f"{keyword} beside anyOf is no longer enforced", keyword)
    else:
        node["anyOf"] = kept


def _branch(
    draft: Draft, node: dict[str, Any], inside: dict[str, Any], kind: str, kinds: list[str]
) -> dict[str, Any] | None:
    made: dict[str, Any] = {"type": kind}
    for keyword, value in inside.items():
        if keyword in {"enum", "const"}:
            listed = value if keyword == "enum" else [value]
            fitting = [each for each in listed if _fits(each, kind, kinds)]
            if not fitting:
                return None
            if kind != "null":
                made["enum"] = fitting
        elif concerns(keyword, kind):
            made[keyword] = value
    draft.derive(made, node)
    return made


def _tidy(node: dict[str, Any], kinds: list[str]) -> bool:
    """Leave out keywords that say nothing about the types; tell whether there were any."""
    idle = [
        each for each in node if each in KIND_OF and not any(concerns(each, kind) for kind in kinds)
    ]
    for keyword in idle:
        del node[keyword]
    return bool(idle)


def _fits(value: Any, kind: str, kinds: list[str]) -> bool:
    name = kind_of(value)
    if name == "number" and float(value).is_integer() and "number" not in kinds:
        name = "integer"
    if name == "integer" and kind == "number":
        return "integer" not in kinds
    return name == kind


PASS = Pass(
    name="types",
    since="0.1.0",
    lower=lower,
    options={"only": (), "tidy": True},
    loses="Values of types that a schema without a type admits.",
)
