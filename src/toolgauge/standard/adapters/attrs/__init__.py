"""attrs classes, structured by cattrs; also any type that one of them is part of.

cattrs converts where it can: it makes ``7`` of ``"7"``, and ``True`` of ``"false"``. A
tool's contract is the type that is written, so a value is validated against the JSON
Schema of the type first and structured then; the attributes' validators run last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cattrs.errors import StructureHandlerNotFoundError

from toolgauge.contract import Failure, Success, compile_schema
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.adapters.attrs.schemas import VENDOR, Schemas
from toolgauge.standard.adapters.attrs.structure import (
    add_unions,
    is_about_value,
    issues_of,
    make_converter,
)
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    import cattrs

    from toolgauge.contract import CompiledSchema, Path, Result, Validate
    from toolgauge.standard._protocol import Direction, Dump


@dataclass(frozen=True, slots=True)
class _Type:
    """A class made by attrs or a type that mentions one, and what converts its values."""

    obj: Any
    converter: cattrs.Converter
    schemas: Schemas


def _prepare(obj: Any) -> _Type:
    converter = make_converter()
    schemas = Schemas(converter.unstructure)
    add_unions(converter, schemas)
    return _Type(obj, converter, schemas)


def _validate(found: _Type) -> Validate:
    obj = found.obj
    compiled: CompiledSchema | None = None
    unknown: Path = ()
    try:
        compiled = compile_schema(found.schemas.document(obj))
    except Unconvertible as error:
        # Then a tool needs `parameters`; what can be structured still can.
        unknown = error.path
    try:
        structure = found.converter.get_structure_hook(obj)
    except (StructureHandlerNotFoundError, NameError, TypeError) as error:
        raise Unconvertible(VENDOR, unknown, str(error)) from error

    def validate(value: object) -> Result[Any]:
        issues = compiled.issues(value) if compiled is not None else ()
        if issues:
            return Failure(issues)
        try:
            return Success(structure(value, obj))
        except Exception as error:
            if not is_about_value(error):
                raise
            return Failure(issues_of(error))

    return validate


def _schema(found: _Type, _: Direction) -> dict[str, Any]:
    return found.schemas.document(found.obj)


def _dump(found: _Type) -> Dump:
    return partial(found.converter.unstructure, unstructure_as=found.obj)


ADAPTER = Adapter(vendor=VENDOR, prepare=_prepare, validate=_validate, schema=_schema, dump=_dump)
