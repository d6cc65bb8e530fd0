"""attrs classes, structured by cattrs; also any type that one of them is part of.

cattrs converts where it can: it makes ``7`` of ``"7"``, and ``True`` of ``"false"``. A
tool's contract is the type that is written, so a value is held against the JSON Schema
of the type first and structured then; the validators of the attributes run last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cattrs.errors import StructureHandlerNotFoundError

from toolgauge.contract import Failure, Success, compile_schema
from toolgauge.standard._protocol import Adapted, Props
from toolgauge.standard._targets import json_schemas
from toolgauge.standard.adapters.attrs.issues import is_about_value, issues_of
from toolgauge.standard.adapters.attrs.schemas import VENDOR, Schemas
from toolgauge.standard.adapters.attrs.structure import add_unions, make_converter
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from toolgauge.contract import CompiledSchema, Result


def adapt(obj: Any) -> Adapted[Any]:
    """Wrap a class made by attrs, or a type that mentions one."""
    converter = make_converter()
    schemas = Schemas(converter.unstructure)
    add_unions(converter, schemas)
    held: CompiledSchema | None
    try:
        held = compile_schema(schemas.document(obj))
    except Unconvertible:
        # Then a tool needs `parameters`; what can be structured still can.
        held = None
    try:
        structure = converter.get_structure_hook(obj)
    except (StructureHandlerNotFoundError, NameError, TypeError) as error:
        raise Unconvertible(VENDOR, (), str(error)) from error

    def validate(value: object) -> Result[Any]:
        issues = held.issues(value) if held is not None else ()
        if issues:
            return Failure(issues)
        try:
            return Success(structure(value, obj))
        except Exception as error:
            if not is_about_value(error):
                raise
            return Failure(issues_of(error))

    def give() -> dict[str, Any]:
        return schemas.document(obj)

    props = Props(vendor=VENDOR, validate=validate, json_schema=json_schemas(VENDOR, give, give))
    return Adapted(props, source=obj)
