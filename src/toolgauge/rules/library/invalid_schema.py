"""The input schema is no valid JSON Schema.

Why is this bad?
    A keyword in the form of an older draft, a type that does not exist or an
    empty map written as a list: providers that hold the schema against its
    meta-schema refuse the request, the others read it as something else.

Instead
    Write what the meta-schema says at that place. Without ``$schema`` the
    schema is read as 2020-12.

Sources
    JSON Schema 2020-12, core and validation; the Model Context Protocol's
    section on JSON Schema usage. The words are those of the ``jsonschema`` library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.rules._rule import Definition, Example, Finding, Findings, Limits, Rule

if TYPE_CHECKING:
    from toolgauge.contract import Path


_FIXES = {
    "additionalProperties": "write false or a schema",
    "description": "write it as text",
    "exclusiveMaximum": "write the bound itself here, and drop maximum",
    "exclusiveMinimum": "write the bound itself here, and drop minimum",
    "items": "write prefixItems for a tuple, or one schema for all items",
    "pattern": "write a regular expression of ECMA-262",
    "properties": "write a map of names to schemas; an empty one is {}",
    "required": "list names here; for one parameter, list it in the schema that holds it",
    "type": "name one of object, array, string, integer, number, boolean, null",
}
_CORRECT = "write what the meta-schema asks for at this place"


def check(tool: Definition, limits: Limits) -> Findings:
    """Report every violation of the meta-schema, and every pattern that is none."""
    dialect: str = limits["dialect"]
    if tool.root is None:
        return
    issues = tool.violations(dialect)
    # Where the last key is a keyword: a parameter called ``type`` has no hint.
    keepers = {node.path for node in tool.nodes} if issues else set()
    for issue in issues:
        path = (*tool.schema_path, *issue.path)
        yield Finding(
            message=issue.message,
            path=path,
            fix=_fix(path) if path[:-1] in keepers else _CORRECT,
        )


def _fix(path: Path) -> str:
    """Say what usually belongs under a keyword."""
    return _FIXES.get(str(path[-1]), _CORRECT)


RULE = Rule(
    code="TG301",
    name="invalid-schema",
    since="0.1.0",
    check=check,
    limits={"dialect": "declared"},
    examples=(
        Example.of({"properties": []}, "TG301"),
        Example.of({"pattern": "("}, "TG301"),
        Example.of({"properties": {"items": {}, "type": {}}}),
        Example.of(
            {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "number"}]}
        ),
        Example.of(
            {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "number"}]},
            "TG301",
            limits={"dialect": "2020-12"},
        ),
    ),
)
