"""pydantic 2: models, dataclasses, ``TypeAdapter``, and any type that it knows.

Standard dataclasses, ``TypedDict`` and ``NamedTuple`` come here too where pydantic
is installed. A model that is strict is asked in JSON mode: what comes is parsed
JSON, in which a date is a text and a tuple an array.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
import types
import typing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import pydantic
import typing_extensions
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import SchemaError

from toolgauge.contract import Failure, Success, dump_json
from toolgauge.standard._answers import decode_json, make_issue
from toolgauge.standard._mentions import is_typed_dict
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_core import ErrorDetails

    from toolgauge.contract import Issue, Result, Validate
    from toolgauge.standard._protocol import Direction, Dump

    Mode = Literal["validation", "serialization"]

VENDOR = "pydantic"

UNBUILT = (PydanticUserError, SchemaError)
"""Raised for a type that pydantic does not know, and for one that its core refuses, such
as a pattern that looks around."""

Unbuilt: TypeAlias = PydanticUserError | SchemaError

_FIELDS = ("model-field", "dataclass-field", "typed-dict-field")


@dataclass(frozen=True, slots=True)
class _Type:
    """A model class or any other type, and what pydantic makes of it."""

    obj: Any
    adapter: pydantic.TypeAdapter[Any]


def _claims(obj: object) -> bool:
    return isinstance(obj, type | pydantic.TypeAdapter)


def _prepare(obj: Any) -> _Type:
    if isinstance(obj, pydantic.TypeAdapter):
        return _Type(obj, obj)
    try:
        return _Type(obj, pydantic.TypeAdapter(with_typed_dicts(obj)))
    except UNBUILT as error:
        raise Unconvertible(VENDOR, _unbuilt_at(obj), reason_of(error)) from error
    except NameError as error:
        raise Unconvertible(VENDOR, (), str(error)) from error


def _unbuilt_at(obj: Any, depth: int = 8) -> tuple[str, ...]:
    """Name the fields on the way to the type that pydantic does not know."""
    try:
        fields = typing.get_type_hints(obj) if isinstance(obj, type) else {}
    except Exception:  # noqa: BLE001 - an annotation is the user's own code
        return ()
    inner = [*fields.items(), *(("", each) for each in typing.get_args(obj))]
    for name, each in inner if depth else ():
        try:
            pydantic.TypeAdapter(with_typed_dicts(each))
        except UNBUILT:
            way = (name,) if name else ()
            return (*way, *_unbuilt_at(each, depth - 1))
        except Exception:  # noqa: BLE001, S112 - it is not what stopped the whole
            continue
    return ()


def _validate(found: _Type) -> Validate:
    adapter = found.adapter
    parse = _json_mode(adapter) if _is_strict(adapter) else _python_mode(adapter)

    def validate(value: object) -> Result[Any]:
        try:
            return Success(parse(value))
        except pydantic.ValidationError as error:
            return Failure(issues_of(error, value))

    return validate


def _schema(found: _Type, direction: Direction) -> dict[str, Any]:
    obj = found.obj
    mode: Mode = "validation" if direction == "input" else "serialization"
    try:
        if isinstance(obj, type) and issubclass(obj, pydantic.BaseModel):
            # The class may override it.
            return obj.model_json_schema(mode=mode)
        return found.adapter.json_schema(mode=mode)
    except PydanticUserError as error:
        path = _place(found.adapter, mode)
        raise Unconvertible(VENDOR, path, str(error.message)) from error


def _dump(found: _Type) -> Dump:
    """Write results as the type says, in JSON mode and under its aliases.

    A value of another type is written as it is; the gate validates results.
    """
    return partial(found.adapter.dump_python, mode="json", by_alias=True, warnings=False)


ADAPTER = Adapter(
    vendor=VENDOR,
    claims=_claims,
    prepare=_prepare,
    validate=_validate,
    schema=_schema,
    dump=_dump,
)


def issues_of(error: pydantic.ValidationError, value: object) -> tuple[Issue, ...]:
    """Convert pydantic's errors to issues, each at its location in the value."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(_issue(each, value) for each in found)


def _issue(found: ErrorDetails, value: Any) -> Issue:
    """Convert one error.

    pydantic's location has more steps: the branch of a union, the tag that chose it, the
    validator's function. They are no names or indices of the value, and left out.
    """
    path: list[str | int] = []
    last = len(found["loc"]) - 1
    for index, step in enumerate(found["loc"]):
        is_there = isinstance(value, dict) and step in value
        if is_there or (isinstance(value, list) and isinstance(step, int) and step < len(value)):
            value = value[step]
            path.append(step)
        elif index == last and found["type"] == "missing":
            path.append(step)
    return make_issue(found["msg"], tuple(path))


def reason_of(error: Unbuilt) -> str:
    """Return in one line why a type cannot be built, without what pydantic puts around it."""
    if isinstance(error, SchemaError):
        # From the outermost type to the innermost, one below the other.
        return " ".join(str(error).rpartition("SchemaError: ")[2].split())
    return str(error.message).partition("\n")[0]


def _python_mode(adapter: pydantic.TypeAdapter[Any]) -> Callable[[object], Any]:
    # The adapter's own method costs half as much again; but it knows how to wait
    # for a type that is not complete yet.
    return (
        adapter.validator.validate_python if adapter.pydantic_complete else adapter.validate_python
    )


def _json_mode(adapter: pydantic.TypeAdapter[Any]) -> Callable[[object], Any]:
    def parse(value: object) -> Any:
        try:
            text = dump_json(value)
        except TypeError:
            # No JSON, so it was not parsed from any.
            return adapter.validate_python(value)
        return decode_json(adapter.validate_json, text, pydantic.ValidationError)

    return parse


def _is_strict(adapter: pydantic.TypeAdapter[Any]) -> bool:
    """Check whether strictness is asked for anywhere in what is checked."""
    row: list[Any] = [adapter.core_schema]
    seen: set[int] = set()
    while row:
        here = row.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here, dict):
            if here.get("strict") is True:
                return True
            row += [each for key, each in here.items() if key != "metadata"]
        elif isinstance(here, list | tuple):
            row += here
    return False


def _place(adapter: pydantic.TypeAdapter[Any], mode: Mode) -> tuple[str, ...]:
    """Name the fields on the way to the part that has no JSON Schema."""
    way: list[Any] = []

    class Tracing(GenerateJsonSchema):
        def generate_inner(self, schema: Any) -> dict[str, Any]:
            way.append(schema)
            found = super().generate_inner(schema)
            way.pop()
            return found

    # What it says is known; the way to it is what is asked for.
    with contextlib.suppress(PydanticUserError):
        adapter.json_schema(schema_generator=Tracing, mode=mode)
    names: list[str] = []
    for outer, inner in itertools.pairwise(way):
        names += _name_of(outer, inner)
    return tuple(names)


def _name_of(outer: Any, inner: Any) -> list[str]:
    if inner.get("type") not in _FIELDS:
        return []
    fields = outer.get("fields")
    if isinstance(fields, dict):
        return [name for name, each in fields.items() if each is inner]
    return [inner["name"]] if "name" in inner else []


IS_NEEDED = sys.version_info < (3, 12)


def with_typed_dicts(obj: Any, known: dict[int, Any] | None = None) -> Any:
    """Return a type with each of its ``typing.TypedDict`` in the other form.

    Looks through generics, unions and ``Annotated``, and through the keys of
    the typed dictionaries themselves, not into other classes.
    """
    if not IS_NEEDED:
        return obj
    known = {} if known is None else known
    if id(obj) in known:
        return known[id(obj)]
    if is_typed_dict(obj):
        return _converted(obj, known)
    if typing.get_origin(obj) is typing.Literal:
        return obj
    return with_arguments(obj, lambda each: with_typed_dicts(each, known))


def with_arguments(obj: Any, change: Callable[[Any], Any]) -> Any:
    """Return a generic, a union or an ``Annotated`` with each of its arguments changed.

    The object itself is returned if nothing changes, or if it has no arguments.
    """
    origin: Any = typing.get_origin(obj)
    arguments = typing.get_args(obj)
    fresh = tuple(each if isinstance(each, list) else change(each) for each in arguments)
    if all(one is other for one, other in zip(fresh, arguments, strict=True)):
        return obj
    if origin in {typing.Union, types.UnionType}:
        return typing.Union[fresh]  # noqa: UP007 - of a tuple that is known when it runs
    if origin is typing.Annotated:
        return typing.Annotated[fresh]
    return obj.copy_with(fresh) if hasattr(obj, "copy_with") else origin[fresh]


def _converted(obj: Any, known: dict[int, Any]) -> Any:
    make: Any = typing_extensions.TypedDict  # its type wants names that are known beforehand
    made = make(obj.__name__, {}, total=obj.__total__)
    known[id(obj)] = made
    hints = typing.get_type_hints(obj, include_extras=True)
    fresh = {name: with_typed_dicts(each, known) for name, each in hints.items()}
    for mark in ("__module__", "__qualname__", "__doc__"):
        setattr(made, mark, getattr(obj, mark))
    made.__annotations__ = fresh
    made.__required_keys__ = obj.__required_keys__
    made.__optional_keys__ = obj.__optional_keys__
    if hasattr(obj, "__pydantic_config__"):
        made.__pydantic_config__ = obj.__pydantic_config__
    return made
