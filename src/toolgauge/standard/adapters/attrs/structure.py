"""The cattrs converter: JSON in, values of the types out, or issues.

As cattrs has it for JSON, and beyond that: bytes are base64 (RFC 4648 section 4, as
in the schema's ``contentEncoding``), a ``timedelta`` is a number of seconds, and
any union can be structured.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from operator import is_
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs
from cattrs.errors import AttributeValidationNote, IterableValidationNote
from cattrs.preconf.json import make_converter as make_json_converter

from toolgauge.contract import compile_schema
from toolgauge.standard._answers import make_issue
from toolgauge.standard._mentions import is_named_tuple
from toolgauge.standard.adapters.attrs.fields import fields_of
from toolgauge.standard.adapters.attrs.schemas import union_members

if TYPE_CHECKING:
    from collections.abc import Callable

    import cattrs

    from toolgauge.contract import CompiledSchema, Issue, Path
    from toolgauge.standard.adapters.attrs.schemas import Schemas

_NAMED = re.compile(r"'(\w+)' must ")


def make_converter() -> cattrs.Converter:
    """Make a converter for everything but unions."""
    converter = make_json_converter()
    for cls, parse in _PARSERS:
        converter.register_structure_hook(cls, partial(_parsed, parse))
    converter.register_unstructure_hook(bytes, lambda value: base64.b64encode(value).decode())
    converter.register_unstructure_hook(Decimal, str)
    converter.register_unstructure_hook(UUID, str)
    converter.register_unstructure_hook(time, lambda value: value.isoformat())
    converter.register_unstructure_hook(timedelta, lambda value: value.total_seconds())
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
    """Teach a converter to structure unions by the schemas of their members."""
    converter.register_structure_hook_factory(
        lambda each: bool(union_members(each)),
        lambda each, own: _structure_union(each, own, schemas),
    )


def _parsed(parse: Callable[[Any], object], value: Any, _: Any) -> object:
    """Parse a scalar; whatever the standard library has against it is a fault of the value."""
    try:
        return parse(value)
    except (ArithmeticError, AttributeError) as error:  # 1e300 seconds; a number for a text
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _bytes(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from error


def _decimal(value: float | str) -> Decimal:
    try:
        return Decimal(str(value))
    except InvalidOperation as error:
        raise ValueError("not a decimal number") from error


# RFC 3339 section 5.6 has "t" and "z" too, Python the capitals alone.
_PARSERS: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (bytes, _bytes),
    (Decimal, _decimal),
    (UUID, UUID),
    (time, lambda value: time.fromisoformat(value.upper())),
    (timedelta, lambda value: timedelta(seconds=value)),
    (datetime, lambda value: datetime.fromisoformat(value.upper())),
    (date, date.fromisoformat),
)


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
            except Exception as error:
                if not is_about_value(error):
                    raise
                last = error
        raise last

    return structure


def is_about_value(error: BaseException) -> bool:
    """Check whether an error is about the value, and not about the code that checks it.

    cattrs puts whatever is raised while it structures into one group: a ``ValueError``
    or ``TypeError``, which attrs' validators and those of their kind raise; what cattrs
    itself raises; and faults of the user's own validators, converters and
    ``__attrs_post_init__``, whose text is not for the caller.
    """
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_about_value, error.exceptions))
    return isinstance(error, ValueError | TypeError) or _is_from_cattrs(error)


def _is_from_cattrs(error: BaseException) -> bool:
    """Check whether it was raised by cattrs, or by code that cattrs has generated."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    module = str(last.tb_frame.f_globals.get("__name__", ""))
    is_generated = last.tb_frame.f_code.co_filename.startswith("<cattrs generated")
    return is_generated or module.partition(".")[0] == "cattrs"


def issues_of(error: BaseException, path: Path = ()) -> tuple[Issue, ...]:
    """Flatten the tree of exceptions that cattrs raises.

    A note on each says which attribute or item was structured; an attribute's
    validator runs later and names the attribute itself.
    """
    if isinstance(error, BaseExceptionGroup):
        return tuple(
            issue for each in error.exceptions for issue in issues_of(each, (*path, *_step(each)))
        )
    if isinstance(error, KeyError) and len(error.args) == 1:
        # cattrs takes a member that is not there; its note names the place already.
        return (make_issue(f"missing: {error.args[0]!r}", path),)
    words = str(error.args[0]) if error.args else type(error).__name__
    return (make_issue(words, (*path, *_attribute(error, words))),)


def _step(error: BaseException) -> Path:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return (note.name,)
        if isinstance(note, IterableValidationNote) and isinstance(note.index, str | int):
            return (note.index,)
    return ()


def _attribute(error: BaseException, words: str) -> Path:
    """Name the attribute whose validator raised, where it says so."""
    for each in error.args:
        if isinstance(each, attrs.Attribute):
            return (each.name,)
    # The validators of numbers and lengths pass their sentence alone.
    found = _NAMED.match(words)
    return (found[1],) if found else ()
