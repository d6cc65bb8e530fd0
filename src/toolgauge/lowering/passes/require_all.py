"""Every member is required; one that was optional may be null instead.

``restore`` drops the nulls again, except where the tool itself takes null: there
absent and null cannot be told apart, and null is kept as long as the tool takes it.
Where the tool has a default that is not null, null stands for that: it is dropped too.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from toolgauge.lowering._merge import ANNOTATIONS
from toolgauge.lowering._pass import Draft, Mark, Options, Pass
from toolgauge.lowering._report import NARROWER, NOTHING, RESHAPED, RESTORE

_OUTSIDE = ANNOTATIONS
_WRAPPED = {"anyOf", "oneOf", "const", "$ref"}
_NESTING = ("object", "array")
_MAX_HOPS = 64


def lower(draft: Draft, options: Options) -> None:
    """List every property in ``required``."""
    for node in list(draft.nodes):
        members = node.get("properties")
        if not isinstance(members, dict):
            continue
        listed = set(node.get("required", []))
        optional = [name for name in members if name not in listed]
        if not optional and "required" in node:
            continue
        with_null = [name for name in optional if _admits_null(draft, members[name])]
        defaulted = {name for name in with_null if _has_default(draft, members[name])}
        kept = [name for name in with_null if name not in defaulted]
        admitted = set(with_null)
        for name in optional:
            draft.lose(
                node, "absent is sent as null", "properties", name, kind=RESHAPED, by=RESTORE
            )
            if name not in admitted:
                members[name] = _nullable(draft, members[name])
                continue
            words = "null" if name in defaulted else "absent"
            draft.lose(members[name], f"{words} cannot be sent", kind=NARROWER, by=NOTHING)
        if optional:
            draft.mark(
                node,
                optional=optional,
                kept=kept,
                defaulted=[name for name in with_null if name in defaulted],
                either=bool(with_null),
            )
        node["required"] = list(members)
    if draft.marks:
        draft.touch()


def _has_default(draft: Draft, schema: Any) -> bool:
    """Tell whether the tool takes something else than null where a member is absent."""
    for each in (schema, draft.resolved(schema)) if isinstance(schema, dict) else ():
        for known in (each, draft.given(each)):
            if isinstance(known, dict) and "default" in known:
                return known["default"] is not None
    return False


def _nullable(draft: Draft, schema: Any) -> Any:
    """Give a schema that admits null too."""
    kind = schema.get("type")
    if isinstance(kind, str | list) and not schema.keys() & _WRAPPED and kind not in _NESTING:
        schema["type"] = [kind, "null"] if isinstance(kind, str) else [*kind, "null"]
        if "null" in schema["type"][:-1]:
            schema["type"].pop()
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        return schema
    null = draft.derive({"type": "null"}, schema)
    if isinstance(schema.get("anyOf"), list) and schema.keys() <= _OUTSIDE | {"anyOf"}:
        schema["anyOf"] = [*schema["anyOf"], null]
        return schema
    outer = {key: schema.pop(key) for key in list(schema) if key in _OUTSIDE}
    return draft.derive({**outer, "anyOf": [schema, null]}, schema)


def _admits_null(  # noqa: PLR0911 - one line for each keyword
    draft: Draft, schema: Any, hops: int = 0
) -> bool:
    """Tell whether null is valid, as far as the keywords that name types and values say."""
    draft.charge(1)
    if not isinstance(schema, dict):
        return schema is True
    if hops > _MAX_HOPS:
        return False
    kind = schema.get("type")
    if kind is not None and kind != "null" and (isinstance(kind, str) or "null" not in kind):
        return False
    if "enum" in schema and None not in schema["enum"]:
        return False
    if "const" in schema and schema["const"] is not None:
        return False
    if "$ref" in schema and not _admits_null(draft, draft.follow(schema["$ref"]), hops + 1):
        return False
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema and not any(
            _admits_null(draft, each, hops + 1) for each in schema[keyword]
        ):
            return False
    return all(_admits_null(draft, each, hops + 1) for each in schema.get("allOf", ()))


def restore(value: Any, mark: Mark) -> Any:
    """Drop the nulls that stand for absent members."""
    return _without(value, set(mark["optional"]).difference(mark["kept"]))


def without_nulls(value: Any, mark: Mark) -> Any:
    """Drop the nulls of members that the tool takes null for as well."""
    return _without(value, mark["optional"])


def with_nulls(value: Any, mark: Mark) -> Any:
    """Keep all nulls that the tool takes, where it has a default too."""
    doomed = set(mark["optional"]).difference(mark["kept"], mark.get("defaulted", ()))
    return _without(value, doomed)


def _without(value: Any, doomed: Collection[str]) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: each for key, each in value.items() if each is not None or key not in doomed}


def image(value: Any, mark: Mark) -> Any:
    """Write null for absent members."""
    if not isinstance(value, dict):
        return value
    return {**value, **{name: None for name in mark["optional"] if name not in value}}


PASS = Pass(
    name="require-all",
    since="0.1.0",
    lower=lower,
    restore=restore,
    image=image,
    marks={"optional": list, "kept": list},
    others=(without_nulls, with_nulls),
    triggers=("properties",),
    loses="The difference between absent and null where the tool takes both.",
)
