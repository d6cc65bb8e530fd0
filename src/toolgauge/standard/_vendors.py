"""Any validator behind the protocol: who knows which object.

A row tells how to recognise an object without importing its library, and which
adapter to import then. Third parties join through the entry point group
``toolgauge.vendors``.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, TypeVar, overload

from toolgauge.standard import _mentions as kinds
from toolgauge.standard._answers import checked
from toolgauge.standard._conforming import conforming
from toolgauge.standard._protocol import Adapted, Props, Standard
from toolgauge.standard.errors import InvalidStandard, MissingLibrary, UnknownValidator

T = TypeVar("T")

GROUP = "toolgauge.vendors"
"""The entry point group by which third-party packages join.

An entry point's name is the package whose objects it adapts, its value a function
that takes such an object and gives one that has ``__standard_schema__``.
"""

Adapt = Callable[[Any], Standard[Any]]

_ADAPTERS = "toolgauge.standard.adapters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One row: whose objects, and how to adapt them.

    Attributes:
        claims: Whether an object is for this adapter.
        adapter: The adapter's module.
        extra: The extra that brings its libraries, ``""`` where it needs none.
    """

    claims: Callable[[object], bool]
    adapter: str
    extra: str = ""


def _is_pydantic(obj: object) -> bool:
    is_own = isinstance(obj, type) and (
        "__pydantic_core_schema__" in vars(obj)
        or hasattr(obj, "__get_pydantic_core_schema__")
        or kinds.is_from(obj, "pydantic")
    )
    return is_own or kinds.is_from(type(obj), "pydantic.type_adapter")


def _is_pydantic_v1(obj: object) -> bool:
    return isinstance(obj, type) and kinds.is_from(obj, "pydantic.v1")


def _is_msgspec(obj: object) -> bool:
    return isinstance(obj, type) and kinds.is_from(obj, "msgspec")


def _is_marshmallow(obj: object) -> bool:
    return kinds.is_from(obj, "marshmallow.schema")


def _is_attrs(obj: object) -> bool:
    return kinds.is_attrs(obj)


def _is_type_of(*packages: str) -> Callable[[object], bool]:
    """Claim types that a package's own types or metadata are part of."""

    def claims(obj: object) -> bool:
        return _is_type(obj) and any(kinds.mentions(obj, each) for each in packages)

    return claims


def _is_function(obj: object) -> bool:
    """Tell whether an object is a function, whose signature says what it takes."""
    return inspect.isroutine(obj) or isinstance(obj, functools.partial)


def _is_type(obj: object) -> bool:
    """Tell whether an object is a type in the sense of ``typing``."""
    return (
        obj is Any
        or (isinstance(obj, type) and _is_data(obj))
        or typing.get_origin(obj) is not None
        or hasattr(obj, "__supertype__")
        or type(obj).__name__ == "TypeAliasType"
    )


def _is_data(cls: type) -> bool:
    """Tell whether a class is data by its own kind, and no library's schema class."""
    return (
        dataclasses.is_dataclass(cls)
        or kinds.is_typed_dict(cls)
        or kinds.is_named_tuple(cls)
        or any(kinds.module_is_in(cls.__module__, each) for each in _STANDARD_LIBRARY)
        or any(each.__module__ == "enum" for each in cls.__mro__)
    )


_STANDARD_LIBRARY = (
    *("builtins", "collections", "datetime", "decimal", "fractions", "ipaddress", "pathlib"),
    *("re", "types", "typing", "typing_extensions", "uuid"),
)


_PYDANTIC, _MSGSPEC, _ATTRS = (f"{_ADAPTERS}.{each}" for each in ("pydantic", "msgspec", "attrs"))

_FUNCTIONS = "toolgauge.standard.functions.adapting"

LIBRARIES = (
    Vendor(claims=_is_pydantic_v1, adapter=f"{_ADAPTERS}.pydantic_v1", extra="pydantic"),
    Vendor(claims=_is_pydantic, adapter=_PYDANTIC, extra="pydantic"),
    Vendor(claims=_is_msgspec, adapter=_MSGSPEC, extra="msgspec"),
    Vendor(claims=_is_attrs, adapter=_ATTRS, extra="attrs"),
    Vendor(claims=_is_marshmallow, adapter=f"{_ADAPTERS}.marshmallow", extra="marshmallow"),
    Vendor(claims=kinds.is_named_tuple, adapter=f"{_ADAPTERS}.named_tuple"),
)
"""Asked first: a model belongs to its library."""

TYPES = (
    Vendor(claims=_is_type_of("msgspec"), adapter=_MSGSPEC, extra="msgspec"),
    Vendor(claims=_is_type_of("attrs"), adapter=_ATTRS, extra="attrs"),
    Vendor(claims=_is_type_of("pydantic", "annotated_types"), adapter=_PYDANTIC, extra="pydantic"),
)
"""A type alone belongs to the library whose types or metadata it names: `list[Point]`,
`Annotated[int, Meta(ge=0)]`, a dataclass with such a field."""


@overload
def standardize(obj: type[T]) -> Standard[T]: ...
@overload
def standardize(obj: Standard[T]) -> Standard[T]: ...
@overload
def standardize(obj: object) -> Standard[Any]: ...
def standardize(obj: object) -> Standard[Any]:
    """Put any validator behind the protocol.

    Args:
        obj: An object that has ``__standard_schema__`` or ``~standard``; a model,
            a type or a schema of a library that is known here or joined through
            the entry point group ``toolgauge.vendors``; or a JSON Schema.

    Returns:
        The object itself where it conforms already. Otherwise a wrapper whose
        ``validate`` gives ``Success`` or ``Failure`` and raises only
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


def adapt(obj: object) -> Standard[Any]:
    """Wrap an object by the vendor table, whatever it says of itself.

    Raises:
        UnknownValidator: If nothing here knows the object.
        MissingLibrary: If its adapter needs a library that is not installed.
        InvalidStandard: If a third party's adapter gives something else.
    """
    return _guarded(obj, _adapter_of(obj))


def adapt_type(obj: object) -> Standard[Any]:
    """Wrap a type by the library that checks it, even one that has a row of its own.

    Raises:
        MissingLibrary: If that library is not installed.
    """
    return _guarded(obj, _adapter_of_type(obj))


def _guarded(obj: object, adapter: Adapt) -> Standard[Any]:
    made = adapter(obj)
    standard = conforming(made)
    if standard is None:
        found = f"its adapter gave an object of {type(made).__qualname__}"
        raise InvalidStandard(type(obj).__qualname__, found)
    props = standard.__standard_schema__
    guarded = Props(
        vendor=props.vendor,
        validate=checked(props.vendor, props.validate),
        json_schema=props.json_schema,
    )
    return Adapted(guarded, source=obj)


def _adapter_of(obj: object) -> Adapt:
    for row in LIBRARIES:
        if row.claims(obj):
            return _load(obj, row.adapter, row.extra)
    joined = _joined(obj)
    if joined is not None:
        return joined
    if _is_type(obj):
        return _adapter_of_type(obj)
    if isinstance(obj, Mapping | bool):
        return _load(obj, f"{_ADAPTERS}.jsonschema", "")
    if _is_function(obj):
        return _load(obj, _FUNCTIONS, "pydantic")
    raise UnknownValidator(_described(obj))


def _adapter_of_type(obj: object) -> Adapt:
    for row in TYPES:
        if row.claims(obj):
            return _load(obj, row.adapter, row.extra)
    # Nobody's type: either of these knows it, pydantic more of them.
    adapter = _PYDANTIC if find_spec("pydantic") or not find_spec("msgspec") else _MSGSPEC
    return _load(obj, adapter, "pydantic")


def _joined(obj: object) -> Adapt | None:
    """Load the adapter of the package that an object's classes come from, if one joined."""
    for each in entry_points(group=GROUP):
        if kinds.is_from(obj, each.name):
            try:
                found: Adapt = each.load()
            except (ImportError, AttributeError) as error:
                raise InvalidStandard(
                    each.name, f"its adapter {each.value} is not there"
                ) from error
            return found
    return None


def _load(obj: object, adapter: str, extra: str) -> Adapt:
    try:
        found: Adapt = importlib.import_module(adapter).adapt
    except ImportError as error:
        raise MissingLibrary(_described(obj), extra) from error
    return found


def _described(obj: object) -> str:
    cls = obj if isinstance(obj, type) else type(obj)
    name = f"{cls.__module__}.{cls.__qualname__}"
    return f"class {name}" if isinstance(obj, type) else f"an object of {name}"
