"""The cattrs converter: JSON in, values of the types out.

As cattrs has it for JSON, and beyond that: bytes are base64 (RFC 4648 section 4, as
in the schema's ``contentEncoding``), a ``timedelta`` is a number of seconds, and
any union can be structured.
"""

from __future__ import annotations

import base64
import binascii
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from operator import is_
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints
from uuid import UUID

from cattrs.preconf.json import make_converter as make_json_converter

from toolgauge.contract import compile_schema
from toolgauge.standard._mentions import is_named_tuple
from toolgauge.standard.adapters.attrs.fields import fields_of
from toolgauge.standard.adapters.attrs.schemas import union_members

if TYPE_CHECKING:
    from collections.abc import Callable

    import cattrs

    from toolgauge.contract import CompiledSchema
    from toolgauge.standard.adapters.attrs.schemas import Schemas


def make_converter() -> cattrs.Converter:
    """Make a converter for everything but unions."""
    converter = make_json_converter()
    converter.register_structure_hook(bytes, lambda value, _: _bytes(value))
    converter.register_unstructure_hook(bytes, lambda value: base64.b64encode(value).decode())
    converter.register_structure_hook(Decimal, lambda value, _: _decimal(value))
    converter.register_unstructure_hook(Decimal, str)
    converter.register_structure_hook(UUID, lambda value, _: UUID(value))
    converter.register_unstructure_hook(UUID, str)
    converter.register_structure_hook(time, lambda value, _: time.fromisoformat(value.upper()))
    converter.register_unstructure_hook(time, lambda value: value.isoformat())
    converter.register_structure_hook(timedelta, lambda value, _: timedelta(seconds=value))
    converter.register_unstructure_hook(timedelta, lambda value: value.total_seconds())
    converter.register_structure_hook(datetime, lambda value, _: _date_time(value))
    converter.register_structure_hook(date, lambda value, _: date.fromisoformat(value))
    for plain in (object, NoneType):
        converter.register_structure_hook_func(partial(is_, plain), lambda value, _: value)
    converter.register_structure_hook_factory(is_named_tuple, _structure_named_tuple)
    # cattrs has its own for the `type` statement; not for the class of older Pythons.
    converter.register_structure_hook_factory(
        lambda each: type(each).__name__ == "TypeAliasType",
        lambda each, own: lambda value, _: own.structure(value, each.__value__),
    )
    # A mark that says nothing of the value; cattrs knows the others.
    converter.register_structure_hook_factory(
        lambda each: getattr(get_origin(each), "_name", "") == "ReadOnly",
        lambda each, own: lambda value, _: own.structure(value, get_args(each)[0]),
    )
    return converter


def add_unions(converter: cattrs.Converter, schemas: Schemas) -> None:
    """Let a converter tell unions apart by the schemas of their members."""
    converter.register_structure_hook_factory(
        lambda each: bool(union_members(each)),
        lambda each, own: _structure_union(each, own, schemas),
    )


def _bytes(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from error


def _date_time(value: str) -> datetime:
    # RFC 3339 section 5.6 has "t" and "z" too, Python the capitals alone.
    return datetime.fromisoformat(value.upper())


def _decimal(value: float | str) -> Decimal:
    try:
        return Decimal(str(value))
    except InvalidOperation as error:
        raise ValueError("not a decimal number") from error


def _structure_named_tuple(cls: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """Structure an array; cattrs itself does not resolve annotations that are texts."""
    hints = get_type_hints(cls, include_extras=True)
    kinds = [hints.get(name, Any) for name in cls._fields]

    def structure(value: Any, _: Any) -> Any:
        # What is left out at the end has a default.
        return cls(*map(converter.structure, value, kinds[: len(value)]))

    return structure


def _structure_union(
    union: Any, converter: cattrs.Converter, schemas: Schemas
) -> Callable[[Any, Any], Any]:
    """Try the members whose schema accepts a value, those that know most of its keys first."""
    members = union_members(union)
    known: list[tuple[Any, CompiledSchema, frozenset[str]]] = [
        (each, compile_schema(schemas.document(each)), fields_of(each)) for each in members
    ]

    def structure(value: Any, _: Any) -> Any:
        fitting = [(each, names) for each, held, names in known if held.is_valid(value)]
        if isinstance(value, dict):
            fitting.sort(key=lambda pair: -len(pair[1] & value.keys()))
        last: Exception = ValueError("none of the types of the union takes this value")
        for each, _names in fitting:
            try:
                return converter.structure(value, each)
            except (ValueError, TypeError, KeyError, ExceptionGroup) as error:
                last = error
        raise last

    return structure
