"""The JSON Schema that a tool publishes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from toolgauge.contract import compile_schema
from toolgauge.standard._answers import member
from toolgauge.standard._protocol import TARGET
from toolgauge.standard._vendors import adapt, standardize
from toolgauge.standard.errors import (
    InvalidStandard,
    MissingLibrary,
    NoJsonSchema,
    Unconvertible,
    UnknownValidator,
)

if TYPE_CHECKING:
    from toolgauge.standard._protocol import JsonSchemas, Standard


def resolve_json_schema(
    standard: Standard[Any],
    *,
    tool: str,
    parameters: Mapping[str, Any] | None = None,
    direction: Literal["input", "output"] = "input",
) -> dict[str, Any]:
    """Find the JSON Schema of a tool's input or output, when the tool is built.

    In this order: ``parameters``, verbatim; the validator's own ``json_schema``;
    the converter of its vendor; an error. There is no schema that stands for
    "unknown": ``{"type": "object"}`` would lie to the model.

    Args:
        standard: The validator, as ``standardize`` returns it.
        tool: The tool's name, for the error.
        parameters: A JSON Schema that wins over everything.
        direction: Of what: the arguments, or the result.

    Raises:
        NoJsonSchema: If there is none. Its cause is what stopped the conversion.

    Source: the specification's "Resolution order"; decision S2.
    """
    if parameters is not None:
        return dict(parameters)
    vendor = standard.__standard_schema__.vendor
    remedy = "parameters" if direction == "input" else direction
    try:
        schemas = standard.__standard_schema__.json_schema or _of_vendor(standard)
        found = getattr(schemas, direction)(TARGET) if schemas is not None else None
    except Unconvertible as error:
        raise NoJsonSchema(tool, vendor, str(error), remedy) from error
    except Exception as error:
        reason = f"its {direction} schema raised {type(error).__name__}: {error}"
        raise NoJsonSchema(tool, vendor, reason, remedy) from error
    if schemas is None:
        raise NoJsonSchema(tool, vendor, "", remedy)
    if not isinstance(found, Mapping):
        reason = f"its {direction} schema is of type {type(found).__name__}"
        raise NoJsonSchema(tool, vendor, reason, remedy)
    schema = dict(found)
    problem = compile_schema(schema).problem
    if problem is not None:
        reason = f"what it gives is no schema: {problem.message}"
        raise NoJsonSchema(tool, vendor, reason, remedy)
    return schema


def standardize_for(
    validator: object, tool: str, argument: Literal["input", "output"]
) -> Standard[Any]:
    """Standardize what an argument of a tool's definition declares.

    Raises:
        NoJsonSchema: Its library does not know the type of a field, and so can neither
            validate it nor write its schema.
    """
    try:
        return standardize(validator)
    except Unconvertible as error:
        raise NoJsonSchema(tool, error.vendor, str(error), argument) from error


def _of_vendor(standard: Standard[Any]) -> JsonSchemas | None:
    """Look up the vendor of an object that has no JSON Schema of its own.

    The converter must be that of the vendor whose name the object bears: another
    one's may not say what this validator checks.
    """
    for each in (standard, member(standard, "source")):
        try:
            props = adapt(each).__standard_schema__
        except (UnknownValidator, MissingLibrary, InvalidStandard):
            continue
        if props.vendor == standard.__standard_schema__.vendor:
            return props.json_schema
    return None
