"""JSON Schema of the types that cattrs structures, as cattrs sees them.

cattrs has no JSON Schema, and no package that is kept up makes one from attrs'
validators.
"""

from __future__ import annotations

import collections
import collections.abc
import copy
import dataclasses
import enum
import types
import typing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path as FilePath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from uuid import UUID

import attrs

from toolgauge.contract import dump_json, parse_json
from toolgauge.standard._documents import Parts
from toolgauge.standard._keywords import (
    DECIMAL,
    has_type,
    is_scalar,
    nullable,
    one_of_types,
    summary_of,
    texts_in,
    tuple_of,
)
from toolgauge.standard._mentions import is_named_tuple, is_typed_dict
from toolgauge.standard.adapters.attrs.fields import is_required, own_fields, restrict
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolgauge.contract import Path

VENDOR = "attrs"

_SCALARS: dict[Any, dict[str, Any]] = {
    Any: {},
    object: {},
    types.NoneType: {"type": "null"},
    None: {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    time: {"type": "string", "format": "time"},
    timedelta: {"type": "number", "description": "seconds"},
    UUID: {"type": "string", "format": "uuid"},
    FilePath: {"type": "string", "format": "path"},
    PurePath: {"type": "string", "format": "path"},
    Decimal: DECIMAL,
}

_LISTS: tuple[Any, ...] = (
    *(list, collections.deque, collections.abc.Sequence, collections.abc.MutableSequence),
    *(collections.abc.Iterable, collections.abc.Collection),
)
_SETS: tuple[Any, ...] = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
_MAPS: tuple[Any, ...] = (
    *(dict, collections.abc.Mapping, collections.abc.MutableMapping),
    *(collections.OrderedDict, collections.defaultdict),
)
_UNIONS: tuple[Any, ...] = (typing.Union, types.UnionType)
_WRAPPERS = {"Required", "NotRequired", "ReadOnly", "Final", "ClassVar"}

_FACTORY: Any = type(attrs.Factory(list))


class Schemas:
    """Writes types as JSON Schema. A class is written once and referred to.

    Args:
        unstructure: Gives the JSON form of a default.
    """

    def __init__(self, unstructure: Callable[[Any], Any]) -> None:
        self._unstructure = unstructure
        self._parts = Parts()

    def document(self, obj: Any) -> dict[str, Any]:
        """Write one type as a whole document.

        Raises:
            Unconvertible: If a part of it has no JSON Schema.
        """
        return self._parts.document(self.of(obj, (), {}))

    def of(  # noqa: PLR0911 - one for each form that a type has
        self, obj: Any, path: Path, known: Mapping[Any, Any]
    ) -> dict[str, Any]:
        """Write a type.

        Args:
            obj: The type.
            path: The names that lead to it, for errors.
            known: What its type variables stand for.
        """
        if isinstance(obj, typing.TypeVar) and obj in known:
            return self.of(known[obj], path, known)
        if _is_hashable(obj) and obj in _SCALARS:
            return copy.deepcopy(_SCALARS[obj])
        origin = typing.get_origin(obj)
        if origin in _UNIONS:
            return self._union(typing.get_args(obj), path, known)
        if origin is typing.Annotated:
            return self._annotated(obj, path, known)
        if origin is typing.Literal:
            return _enum([_value(each, path) for each in typing.get_args(obj)])
        if hasattr(obj, "__supertype__"):
            return self.of(obj.__supertype__, path, known)
        if type(obj).__name__ == "TypeAliasType":
            return self._parts.refer(obj, obj.__name__, lambda: self.of(obj.__value__, path, known))
        if getattr(origin, "_name", None) in _WRAPPERS:
            return self.of(typing.get_args(obj)[0], path, known)
        cls = origin if origin is not None else obj
        if isinstance(cls, type):
            return self._class(obj, cls, path, known)
        raise Unconvertible(VENDOR, path, f"no JSON Schema for {obj!r}")

    def _union(self, parts: Iterable[Any], path: Path, known: Mapping[Any, Any]) -> dict[str, Any]:
        found = [self.of(each, path, known) for each in parts]
        plain = [each for each in found if each != {"type": "null"}]
        one = one_of_types(plain) if plain else {"type": "null"}
        return nullable(one) if len(plain) < len(found) else one

    def _annotated(self, obj: Any, path: Path, known: Mapping[Any, Any]) -> dict[str, Any]:
        """Take the text of a ``Doc``; cattrs enforces no other metadata."""
        found = self.of(obj.__origin__, path, known)
        for each in obj.__metadata__:
            text = getattr(each, "documentation", None)
            if isinstance(text, str):
                found = {**found, "description": text}
        return found

    def _class(  # noqa: PLR0911 - one for each kind of class
        self, obj: Any, cls: type[Any], path: Path, known: Mapping[Any, Any]
    ) -> dict[str, Any]:
        arguments = typing.get_args(obj)
        if issubclass(cls, enum.Enum):
            found = {"title": cls.__name__, **_enum([_value(each, path) for each in cls])}
            return self._parts.refer(cls, cls.__name__, lambda: found)
        if attrs.has(cls) or dataclasses.is_dataclass(cls):
            pairs = zip(getattr(cls, "__parameters__", ()), arguments, strict=False)
            own = {key: known.get(each, each) for key, each in pairs}
            key = (cls, *own.items())
            return self._parts.refer(key, _name(cls, own), lambda: self._fields(cls, path, own))
        if is_typed_dict(cls):
            return self._parts.refer(cls, cls.__name__, lambda: self._typed_dict(cls, path))
        if is_named_tuple(cls):
            return self._named_tuple(cls, path)
        if issubclass(cls, tuple):
            # `tuple[()]` has an origin and no arguments, `tuple` neither.
            bare = typing.get_origin(obj) is None
            return {"type": "array"} if bare else self._tuple(arguments, path, known)
        if cls in _LISTS or cls in _SETS:
            items = self.of(arguments[0], path, known) if arguments else {}
            unique: dict[str, Any] = {"uniqueItems": True} if cls in _SETS else {}
            return {"type": "array", **({"items": items} if items else {}), **unique}
        if cls in _MAPS:
            return self._map(arguments, path, known)
        raise Unconvertible(VENDOR, path, f"no JSON Schema for {cls.__module__}.{cls.__qualname__}")

    def _fields(self, cls: Any, path: Path, known: Mapping[Any, Any]) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        required: list[str] = []
        hints = _hints(cls, path)
        for field in own_fields(cls):
            here = (*path, field.name)
            found = self.of(hints.get(field.name, Any), here, known)
            restrict(found, field.validator, partial(self._or_nothing, here))
            found.update(texts_in(field.metadata))
            if not field.has_default:
                required.append(field.name)
            elif (default := self._default(field.default)) is not None:
                found["default"] = parse_json(default)
            properties[field.name] = found
        head = {"title": cls.__name__, **_description(cls), "type": "object"}
        return {**head, "properties": properties, "required": required}

    def _default(self, default: object) -> bytes | None:
        """Return a default as JSON, ``None`` where it is made anew or JSON has no form for it."""
        if isinstance(default, _FACTORY) or default is dataclasses.MISSING:
            return None
        try:
            return dump_json(self._unstructure(default))
        except TypeError:
            return None

    def _or_nothing(self, path: Path, obj: Any) -> dict[str, Any]:
        try:
            return self.of(obj, path, {})
        except Unconvertible:
            # A validator of a type that JSON has no form for narrows nothing.
            return {}

    def _typed_dict(self, cls: Any, path: Path) -> dict[str, Any]:
        hints = _hints(cls, path)
        properties = {name: self.of(each, (*path, name), {}) for name, each in hints.items()}
        required = [name for name, each in hints.items() if is_required(cls, name, each)]
        return {
            "title": cls.__name__,
            "type": "object",
            "properties": properties,
            "required": required,
        }

    def _named_tuple(self, cls: Any, path: Path) -> dict[str, Any]:
        hints = _hints(cls, path)
        items = [self.of(hints.get(name, Any), (*path, name), {}) for name in cls._fields]
        return {**tuple_of(items), "minItems": len(items) - len(cls._field_defaults)}

    def _tuple(
        self, arguments: tuple[Any, ...], path: Path, known: Mapping[Any, Any]
    ) -> dict[str, Any]:
        if len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
            return {"type": "array", "items": self.of(arguments[0], path, known)}
        return tuple_of([self.of(each, path, known) for each in arguments])

    def _map(
        self, arguments: tuple[Any, ...], path: Path, known: Mapping[Any, Any]
    ) -> dict[str, Any]:
        if not arguments:
            return {"type": "object"}
        names, values = (self.of(each, path, known) for each in arguments)
        found: dict[str, Any] = {"type": "object", "additionalProperties": values or True}
        if names == {"type": "integer"}:
            return {**found, "propertyNames": {"pattern": "^-?[0-9]+$"}}
        if names in ({}, {"type": "string"}):
            return found
        target = self._parts.resolved(names)
        texts = target.get("enum", [None if target.get("type") != "string" else ""])
        if not all(isinstance(each, str) for each in texts):
            raise Unconvertible(VENDOR, path, f"keys of an object are texts, not {arguments[0]!r}")
        return {**found, "propertyNames": names}


def union_members(obj: Any) -> tuple[Any, ...]:
    """Return the members of a union of two types and more, null not counted; else none."""
    if typing.get_origin(obj) not in _UNIONS:
        return ()
    members = typing.get_args(obj)
    plain = [each for each in members if each is not types.NoneType]
    return members if len(plain) > 1 else ()


def _is_hashable(obj: object) -> bool:
    try:
        hash(obj)
    except TypeError:
        return False
    return True


def _hints(cls: Any, path: Path) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except (NameError, TypeError) as error:
        raise Unconvertible(VENDOR, path, f"{cls.__qualname__}: {error}") from error


def _value(member: object, path: Path) -> Any:
    value = member.value if isinstance(member, enum.Enum) else member
    if not is_scalar(value):
        raise Unconvertible(VENDOR, path, f"{member!r} is no JSON value")
    return value


def _enum(values: list[Any]) -> dict[str, Any]:
    kinds = [each for each in _TYPES if all(has_type(value, each) for value in values)]
    return {**({"type": kinds[0]} if kinds else {}), "enum": values}


_TYPES = ("string", "boolean", "number")


def _name(cls: type, arguments: Mapping[Any, Any]) -> str:
    parts = [getattr(each, "__name__", str(each)) for each in arguments.values()]
    plain = "_".join([cls.__name__, *parts])
    return "".join(each if each.isalnum() or each in "_-." else "_" for each in plain)


def _description(cls: Any) -> dict[str, str]:
    doc = vars(cls).get("__doc__")
    # Both libraries make a docstring of the signature where there is none.
    is_made = doc and doc.startswith((f"{cls.__name__}(", "Method generated by attrs"))
    return {} if is_made else summary_of(doc)
