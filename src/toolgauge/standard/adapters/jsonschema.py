"""Plain JSON Schema: mappings and booleans, held by the engine of ``contract``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgauge.contract import Failure, Result, Success, compile_schema
from toolgauge.standard._protocol import TARGET, Adapted, JsonSchemas, Props
from toolgauge.standard._targets import DRAFT_07, DRAFT_07_URI, as_draft_07
from toolgauge.standard.errors import InvalidStandard, UnsupportedTarget

VENDOR = "jsonschema"


def adapt(obj: Mapping[str, Any] | bool) -> Adapted[Any]:  # noqa: FBT001 - true and false are schemas
    """Wrap a JSON Schema. Its values are what it is asked about, unchanged.

    Raises:
        InvalidStandard: If it is no JSON Schema.
    """
    schema = dict(obj) if isinstance(obj, Mapping) else obj
    compiled = compile_schema(schema)
    if compiled.problem is not None:
        raise InvalidStandard(VENDOR, compiled.problem.message)

    def validate(value: object) -> Result[Any]:
        issues = compiled.issues(value)
        return Failure(issues) if issues else Success(value)

    def give(target: str) -> Mapping[str, Any]:
        # A boolean says the same as one of these two.
        written = schema if isinstance(schema, dict) else ({} if schema else {"not": {}})
        declared = written.get("$schema")
        if target == TARGET:
            # One that names another dialect is read in that by whoever reads it.
            return written
        if target != DRAFT_07:
            raise UnsupportedTarget(VENDOR, target)
        is_draft_07 = isinstance(declared, str) and declared.rstrip("#") == DRAFT_07_URI.rstrip("#")
        return written if is_draft_07 else as_draft_07(VENDOR, written)

    schemas = JsonSchemas(input=give, output=give)
    return Adapted(Props(vendor=VENDOR, validate=validate, json_schema=schemas), source=obj)
