"""Any validator behind the protocol: which adapter an object is for.

A row recognizes an object without importing its library, and names the adapter to
import then. Third parties join through the entry point group ``toolgauge.vendors``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoints, entry_points
from importlib.util import find_spec
from typing import Any, TypeVar, overload

from toolgauge.standard import _mentions as kinds
from toolgauge.standard._answers import checked
from toolgauge.standard._documents import json_schemas
from toolgauge.standard._protocol import Adapted, Adapter, Dump, Props, Standard, conforming
from toolgauge.standard.errors import InvalidStandard, MissingLibrary, UnknownValidator

T = TypeVar("T")

GROUP = "toolgauge.vendors"
"""The entry point group by which third-party packages join.

An entry point's name is the package whose objects it adapts, its value an ``Adapter``,
or a function that takes such an object and returns one that has ``__standard_schema__``.
"""

Adapt = Callable[[Any], object]

_ADAPTERS = "toolgauge.standard.adapters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One row: whose objects, and which adapter they are for.

    Attributes:
        packages: Packages whose classes, objects and metadata are the library's.
        adapter: The module that holds the ``ADAPTER``.
        extra: The extra that installs its libraries, ``""`` if it needs none.
        is_marked: Recognizes classes that do not inherit from the library.
    """

    packages: tuple[str, ...] = ()
    adapter: str
    extra: str = ""
    is_marked: Callable[[object], bool] = lambda _: False

    def load(self, obj: object) -> Adapter:
        """Import the adapter.

        Raises:
            MissingLibrary: A library that it needs is not installed.
        """
        try:
            found: Adapter = importlib.import_module(self.adapter).ADAPTER
        except ImportError as error:
            raise MissingLibrary(_described(obj), self.extra) from error
        return found


def _is_pydantic(obj: object) -> bool:
    """Check for a class that pydantic has completed or that has its own core schema."""
    return isinstance(obj, type) and (
        "__pydantic_core_schema__" in vars(obj) or hasattr(obj, "__get_pydantic_core_schema__")
    )


_PYDANTIC = Vendor(
    packages=("pydantic", "annotated_types"),
    adapter=f"{_ADAPTERS}.pydantic",
    extra="pydantic",
    is_marked=_is_pydantic,
)
_MSGSPEC = Vendor(packages=("msgspec",), adapter=f"{_ADAPTERS}.msgspec", extra="msgspec")
_ATTRS = Vendor(
    packages=("attrs",), adapter=f"{_ADAPTERS}.attrs", extra="attrs", is_marked=kinds.is_attrs
)
LIBRARIES = (
    Vendor(packages=("pydantic.v1",), adapter=f"{_ADAPTERS}.pydantic_v1", extra="pydantic"),
    _PYDANTIC,
    _MSGSPEC,
    _ATTRS,
    Vendor(packages=("marshmallow",), adapter=f"{_ADAPTERS}.marshmallow", extra="marshmallow"),
)
"""Asked first: a model belongs to its library."""

_JSON_SCHEMA = Vendor(adapter=f"{_ADAPTERS}.jsonschema")
_FUNCTION = Vendor(adapter="toolgauge.standard.functions.arguments", extra="pydantic")

_TYPES = (_MSGSPEC, _ATTRS, _PYDANTIC)
"""A type belongs to the library whose types or metadata it mentions: ``list[Point]``,
``Annotated[int, Meta(ge=0)]``, a dataclass with such a field."""

_STANDARD_LIBRARY = (
    *("builtins", "collections", "datetime", "decimal", "fractions", "ipaddress", "pathlib"),
    *("re", "types", "typing", "typing_extensions", "uuid"),
)


@overload
def standardize(obj: type[T]) -> Standard[T]: ...
@overload
def standardize(obj: Standard[T]) -> Standard[T]: ...
@overload
def standardize(obj: object) -> Standard[Any]: ...
def standardize(obj: object) -> Standard[Any]:
    """Wrap any validator in the protocol.

    Args:
        obj: An object that has ``__standard_schema__`` or ``~standard``; a model,
            a type or a schema of a library that is known here or joined through
            the entry point group ``toolgauge.vendors``; or a JSON Schema.

    Returns:
        The object itself where it conforms already. Otherwise a wrapper whose
        ``validate`` returns ``Success`` or ``Failure`` and raises only
        ``InvalidAnswer``.

    Raises:
        InvalidStandard: If the object has the reserved attribute but not what
            it promises.
        UnknownValidator: If nothing here knows the object.
        MissingLibrary: If its adapter needs a library that is not installed.

    Example:
        >>> point = {"type": "object", "required": ["x"]}
        >>> standardize(point).__standard_schema__.validate({})
        Failure(issues=(Issue(path=('x',), message="'x' is a required property", \
keyword='required', hint=None, causes=()),))
    """
    own = conforming(obj)
    return own if own is not None else adapt(obj)


def adapt(obj: object) -> Adapted[Any]:
    """Wrap an object by the vendor table, whatever it says of itself.

    Raises:
        UnknownValidator: If nothing here knows the object.
        MissingLibrary: If its adapter needs a library that is not installed.
        InvalidStandard: If a third party's adapter returns something else.
    """
    found = _adapter_of(obj)
    return _wrapped(found, obj) if isinstance(found, Adapter) else _called(found, obj)


def adapt_type(obj: object) -> Adapted[Any]:
    """Wrap a type by the library that checks it, even one that has a row of its own.

    Raises:
        MissingLibrary: If that library is not installed.
    """
    return _wrapped(_adapter_of_type(obj), obj)


def dump_of(obj: object) -> Dump | None:
    """Return the function that converts results of a type to JSON, ``None`` for none.

    Raises:
        MissingLibrary: If its adapter needs a library that is not installed.
        Unconvertible: If its library does not know the type.
    """
    found: Adapter | Adapt | None = None
    with contextlib.suppress(UnknownValidator):
        found = _adapter_of(obj)
    if not isinstance(found, Adapter):
        # A function adapts validators; nobody said that this type is one.
        found = _adapter_of_type(obj)
    return found.dump(found.prepare(obj)) if found.dump is not None else None


def _wrapped(adapter: Adapter, obj: object) -> Adapted[Any]:
    prepared = adapter.prepare(obj)
    schema = functools.partial(adapter.schema, prepared)
    props = Props(
        vendor=adapter.vendor,
        validate=checked(adapter.vendor, adapter.validate(prepared)),
        json_schema=json_schemas(adapter.vendor, schema),
    )
    dump = adapter.dump(prepared) if adapter.dump is not None else None
    return Adapted(props, source=obj, dump=dump)


def _called(function: Adapt, obj: object) -> Adapted[Any]:
    """Wrap what a third party's function returns."""
    made = function(obj)
    standard = conforming(made)
    if standard is None:
        found = f"its adapter gave an object of {type(made).__qualname__}"
        raise InvalidStandard(type(obj).__qualname__, found)
    props = standard.__standard_schema__
    guarded = dataclasses.replace(props, validate=checked(props.vendor, props.validate))
    dump = standard.dump if isinstance(standard, Adapted) else None
    return Adapted(guarded, source=obj, dump=dump)


def _adapter_of(obj: object) -> Adapter | Adapt:
    for row in LIBRARIES:
        if row.is_marked(obj) or any(kinds.is_from(obj, each) for each in row.packages):
            found = row.load(obj)
            if found.claims(obj):
                return found
    if kinds.is_named_tuple(obj):
        from toolgauge.standard.adapters import named_tuple  # noqa: PLC0415 - it imports this

        return named_tuple.adapt
    joined = _joined(obj)
    if joined is not None:
        return joined
    if _is_type(obj):
        return _adapter_of_type(obj)
    if isinstance(obj, Mapping | bool):
        return _JSON_SCHEMA.load(obj)
    if inspect.isroutine(obj) or isinstance(obj, functools.partial):
        return _FUNCTION.load(obj)
    raise UnknownValidator(_described(obj))


def _adapter_of_type(obj: object) -> Adapter:
    for row in _TYPES:
        if any(kinds.mentions(obj, each) for each in row.packages):
            return row.load(obj)
    # Nobody's type: either of these knows it, pydantic more of them.
    is_msgspec = find_spec("msgspec") and not find_spec("pydantic")
    return (_MSGSPEC if is_msgspec else _PYDANTIC).load(obj)


def _joined(obj: object) -> Adapter | Adapt | None:
    """Load the adapter of the package that an object's classes come from, if one joined."""
    for each in _entry_points(tuple(sys.path)):
        if kinds.is_from(obj, each.name):
            try:
                found: Adapter | Adapt = each.load()
            except (ImportError, AttributeError) as error:
                raise InvalidStandard(
                    each.name, f"its adapter {each.value} is not there"
                ) from error
            if not isinstance(found, Adapter) or found.claims(obj):
                return found
    return None


@functools.lru_cache(maxsize=1)
def _entry_points(path: tuple[str, ...]) -> EntryPoints:  # noqa: ARG001 - what they are read from
    # Reads the metadata of every distribution, which takes milliseconds.
    return entry_points(group=GROUP)


def _is_type(obj: object) -> bool:
    """Check whether an object is a type in the sense of ``typing``."""
    return (
        obj is Any
        or (isinstance(obj, type) and _is_data(obj))
        or typing.get_origin(obj) is not None
        or hasattr(obj, "__supertype__")
        or type(obj).__name__ == "TypeAliasType"
    )


def _is_data(cls: type) -> bool:
    """Check whether a class is data by its own kind, and no library's schema class."""
    return (
        dataclasses.is_dataclass(cls)
        or kinds.is_typed_dict(cls)
        or kinds.is_named_tuple(cls)
        or any(kinds.module_is_in(cls.__module__, each) for each in _STANDARD_LIBRARY)
        or any(each.__module__ == "enum" for each in cls.__mro__)
    )


def _described(obj: object) -> str:
    cls = obj if isinstance(obj, type) else type(obj)
    name = f"{cls.__module__}.{cls.__qualname__}"
    return f"class {name}" if isinstance(obj, type) else f"an object of {name}"
