"""References: each leads to a definition of the same schema, one step below ``$defs``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from toolgauge.contract import from_pointer, to_pointer
from toolgauge.lowering._merge import inlined
from toolgauge.lowering._pass import Draft, Options, Pass
from toolgauge.lowering._references import DEFINED, free_name

_ESCAPED = frozenset("/~%")
"""Engines differ in when they decode what is written with these."""


def lower(draft: Draft, options: Options) -> None:
    """Refuse references that leave the schema or lead nowhere; move the other targets.

    With the option ``targets: "definitions"`` a target elsewhere in the schema
    becomes a definition; with ``"any"`` only one in a part of the root that other
    passes take apart. A reference to the root stays; one at the root is written
    out, as what follows looks for unions and properties there, unless ``root`` is
    ``"any"``.
    """
    for node in draft.having("$ref"):
        reference = node["$ref"]
        where = to_pointer((*draft.origin(node), "$ref"))
        if draft.follow(reference) is None:
            if isinstance(reference, str) and reference.startswith("#"):
                draft.refuse(
                    f"{where}: the reference {reference!r} leads nowhere",
                    "add the definition, or correct the reference",
                )
            draft.refuse(
                f"{where}: the reference {reference!r} leaves the schema",
                "put the definition into $defs",
            )
    _to_definitions(draft, _is_definition if options["targets"] == "definitions" else _is_firm)
    if options["root"] == "written" and "$ref" in draft.schema:
        _write_out(draft, draft.schema)


def _to_definitions(draft: Draft, stays: Callable[[str], bool]) -> None:
    """Give every target that lies elsewhere a definition of its own."""
    # All targets are looked up first: moving one changes the way to those inside it.
    found = [(node, draft.follow(node["$ref"])) for node in draft.having("$ref")]
    names = {id(each): name for name, each in draft.schema.get("$defs", {}).items()}
    moved: dict[int, str] = {}
    contents: dict[int, dict[str, Any]] = {}
    for node, target in found:
        if target is None or target is draft.schema or stays(node["$ref"]):
            continue
        if id(target) in names:
            _rename(draft, names.pop(id(target)))
        elif id(target) not in moved:
            name = free_name(draft, from_pointer(unquote(node["$ref"][1:]))[-1])
            contents[id(target)] = _move(draft, target, name)
            moved[id(target)] = f"#/$defs/{name}"
    for node, target in found:
        if id(target) in moved:
            contents.get(id(node), node)["$ref"] = moved[id(target)]
    if moved:
        draft.touch()


def _rename(draft: Draft, name: str) -> None:
    """Give a definition a name that needs no escape; references to it follow."""
    definitions = draft.schema["$defs"]
    definitions[free_name(draft, name)] = definitions.pop(name)


def _write_out(draft: Draft, root: dict[str, Any]) -> None:
    definitions: dict[str, Any] = {each: root.pop(each) for each in DEFINED if each in root}
    whole = {"$ref": root.pop("$ref"), **root}
    root.clear()
    root.update(definitions)
    made = inlined(draft, whole)
    root.update({key: value for key, value in made.items() if key not in DEFINED})
    draft.touch()


def _is_definition(reference: str) -> bool:
    head = reference.removeprefix("#/$defs/")
    return head != reference and _ESCAPED.isdisjoint(head)


def _is_firm(reference: str) -> bool:
    """Tell whether a place stays when unions and the like go from the root."""
    return reference.startswith(
        ("#/$defs/", "#/definitions/", "#/properties/")
    ) and _ESCAPED.isdisjoint(reference.removeprefix("#/").replace("/", ""))


def _move(draft: Draft, target: dict[str, Any], name: str) -> dict[str, Any]:
    """Put a target's content into a definition and leave a reference in its place."""
    content: dict[str, Any] = draft.derive(dict(target), target)
    draft.schema.setdefault("$defs", {})[name] = content
    target.clear()
    target["$ref"] = f"#/$defs/{name}"
    return content


PASS = Pass(
    name="references",
    since="0.1.0",
    lower=lower,
    options={"targets": "definitions", "root": "written"},
    triggers=("$ref",),
)
