"""References to the root: the root becomes a definition too."""

from __future__ import annotations

from toolgauge.lowering._pass import Draft, Options, Pass

_APART = ("$defs", "$schema", "$id")


def lower(draft: Draft, options: Options) -> None:
    """Copy the root into ``$defs`` and let the references lead there."""
    if not any(node["$ref"] == "#" for node in draft.having("$ref")):
        return
    apart = {each: draft.schema.pop(each) for each in _APART if each in draft.schema}
    whole = draft.copy(draft.schema)
    draft.schema.update(apart)
    definitions = draft.schema.setdefault("$defs", {})
    name, number = "root", 2
    while name in definitions:
        draft.charge(1)
        name, number = f"root_{number}", number + 1
    definitions[name] = whole
    draft.touch()
    for node in draft.having("$ref"):
        if node["$ref"] == "#":
            node["$ref"] = f"#/$defs/{name}"


PASS = Pass(
    name="root-references",
    since="0.1.0",
    lower=lower,
    triggers=("$ref",),
)
