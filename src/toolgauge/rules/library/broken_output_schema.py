"""The schema of a tool's results is none, or not one for an object.

Why is this bad?
    A client that parses the list strictly drops it whole for one bad output schema,
    and results cannot be checked against it.

Instead
    Repair the schema. Put a result that is no object into one: `{"result": …}`.

Sources
    Model Context Protocol specification, server/tools: `outputSchema` with a root
    of type object; later revisions take any JSON Schema. Each target that applies
    this cites the page or the report, and the date read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.contract.reading import parse_schema, why_no_schema
from toolgauge.rules._messages import kind_of, shown
from toolgauge.rules._rule import MISSING, Definition, Example, Finding, Findings, Limits, Rule

if TYPE_CHECKING:
    from toolgauge.contract import Path


def check(tool: Definition, limits: Limits) -> Findings:
    """Report an ``outputSchema`` or ``output_schema`` that is no schema, or of no object."""
    body, way = tool.body, tool.body_path
    key = "output_schema" if "output_schema" in body else "outputSchema"
    schema = parse_schema(body.get(key, MISSING))
    path = (*way, key)
    is_any = limits["any_type"]
    if schema is MISSING or (is_any and isinstance(schema, bool)):
        return
    if not isinstance(schema, dict):
        yield Finding(
            message=f"{key} is {_found(schema)}; it must be a JSON Schema object",
            path=path,
            fix="write the schema of the result, or remove the key",
        )
        return
    if not is_any and schema.get("type") != "object":
        found = shown(schema["type"]) if "type" in schema else "missing"
        yield Finding(
            message=f"the root type of {key} is {found}, not 'object'",
            path=(*path, "type"),
            fix="wrap the result in an object",
        )
    yield from _violations(schema, path)


def _found(schema: object) -> str:
    return why_no_schema(schema) if isinstance(schema, str) else kind_of(schema)


def _violations(schema: dict[str, Any], path: Path) -> Findings:
    """Hold the schema against its meta-schema."""
    from toolgauge.contract import schema_issues  # noqa: PLC0415 - the engines load late

    for issue in schema_issues(schema):
        yield Finding(
            message=f"{path[-1]} is invalid: {issue.message}",
            path=path + issue.path,
            fix="correct the schema",
        )


RULE = Rule(
    code="TG501",
    name="broken-output-schema",
    since="0.1.0",
    check=check,
    limits={"any_type": False},
    examples=(
        Example(tool={"name": "a", "outputSchema": {"type": "array"}}, reports=("TG501",)),
        Example(
            tool={"name": "a", "outputSchema": {"type": "object", "properties": []}},
            reports=("TG501",),
        ),
        Example(tool={"name": "a", "output_schema": {"type": 5}}, reports=("TG501", "TG501")),
        Example(tool={"name": "a", "outputSchema": {"type": "object"}}),
        Example(tool={"name": "a"}),
        Example(tool={"name": "a", "outputSchema": {"type": "array"}}, limits={"any_type": True}),
    ),
)
