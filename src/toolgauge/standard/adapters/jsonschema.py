"""Plain JSON Schema: mappings and booleans, validated by the engine of ``contract``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Failure, Result, Success, compile_schema
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.errors import InvalidStandard

if TYPE_CHECKING:
    from toolgauge.contract import Validate
    from toolgauge.standard._protocol import Direction

VENDOR = "jsonschema"

Schema = Mapping[str, Any] | bool


def _validate(schema: Schema) -> Validate:
    """Validate against a schema; values stay unchanged.

    Raises:
        InvalidStandard: If it is no JSON Schema.
    """
    compiled = compile_schema(dict(schema) if isinstance(schema, Mapping) else schema)
    if compiled.problem is not None:
        raise InvalidStandard(VENDOR, compiled.problem.message)

    def validate(value: object) -> Result[Any]:
        issues = compiled.issues(value)
        return Failure(issues) if issues else Success(value)

    return validate


def _schema(schema: Schema, _: Direction) -> dict[str, Any]:
    if isinstance(schema, Mapping):
        return dict(schema)
    return {} if schema else {"not": {}}


ADAPTER = Adapter(vendor=VENDOR, validate=_validate, schema=_schema)
