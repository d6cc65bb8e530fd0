"""A flat map of parameters stands where a JSON Schema should.

Why is this bad?
    Some data sets write each parameter directly: ``{"year": {"type": "str,
    optional"}}``. Read as a JSON Schema this says nothing at all, and a
    parameter called ``type`` makes it no schema.

Instead
    Put the parameters under ``properties`` of an object schema, with the type
    names of JSON Schema, and list those without a default in ``required``.

Sources
    The xLAM and API-Bank function-calling data sets; JSON Schema 2020-12
    section 6.1.1 names the seven types.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

_TELLING = frozenset({"type", "description", "default"})


def check(tool: Definition, _limits: Limits) -> Findings:
    """Report an input schema whose members all describe parameters."""
    root = tool.root
    if root is None or not root.schema or "properties" in root.schema:
        return
    members = root.schema.values()
    if not all(isinstance(each, Mapping) and "type" in each for each in members):
        return
    if not all(each.keys() <= _TELLING for each in members):
        return
    count = len(root.schema)
    yield Finding(
        message=f"a flat map of {count} parameters, not a JSON Schema",
        path=tool.schema_path,
        fix='write {"type": "object", "properties": {...}, "required": [...]} around them',
    )


_YEAR = {"description": "y", "type": "str, optional", "default": ""}

RULE = Rule(
    code="TG326",
    name="flat-parameter-map",
    since="0.1.0",
    check=check,
    examples=(
        Example(
            tool={"name": "a", "parameters": {"year": _YEAR, "type": {"type": "str"}}},
            reports=("TG326",),
        ),
        Example(
            tool={"name": "a", "parameters": {"type": "object", "properties": {"year": _YEAR}}}
        ),
        Example(tool={"name": "a", "parameters": {}}),
    ),
)
