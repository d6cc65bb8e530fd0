"""Which libraries a type is made of, without importing any of them."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

_MAX_TYPES = 2_000
"""Most types looked at; a type that needs more is taken for what was seen so far."""


def module_is_in(module: str, package: str) -> bool:
    """Check whether a module is a package or lies in it."""
    return module == package or module.startswith(f"{package}.")


def lineage(obj: object) -> tuple[type, ...]:
    """Return a class and what it inherits from; for any other object, its type's."""
    mro = getattr(obj if isinstance(obj, type) else type(obj), "__mro__", ())
    return tuple(mro)


def is_from(obj: object, package: str) -> bool:
    """Check whether a class, or an object's class, is or inherits from one of a package."""
    return any(module_is_in(getattr(each, "__module__", ""), package) for each in lineage(obj))


def is_named_tuple(obj: object) -> bool:
    """Check whether a class is one of ``NamedTuple``."""
    return isinstance(obj, type) and issubclass(obj, tuple) and hasattr(obj, "_fields")


def is_typed_dict(obj: object) -> bool:
    """Check whether a class is one of ``TypedDict``, typing's or typing_extensions'."""
    return isinstance(obj, type) and hasattr(obj, "__total__") and hasattr(obj, "__required_keys__")


def mentions(obj: object, package: str) -> bool:
    """Check whether a package's types or metadata occur anywhere in a type.

    Looks through ``Annotated``, generics and unions, and at the fields of standard
    dataclasses, ``TypedDict`` and ``NamedTuple``.
    """
    row, seen = [obj], set[int]()
    while row and len(seen) < _MAX_TYPES:
        here = row.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if is_from(here, package) or is_attrs(here, package):
            return True
        row += _parts(here)
    return False


def is_attrs(obj: object, package: str = "attrs") -> bool:
    """Check whether a class was made by attrs, which leaves no base class."""
    return package == "attrs" and isinstance(obj, type) and "__attrs_attrs__" in vars(obj)


def _parts(here: Any) -> list[object]:
    found = [*typing.get_args(here), *getattr(here, "__metadata__", ())]
    origin = typing.get_origin(here)
    if origin is not None:
        found.append(origin)
    if hasattr(here, "__supertype__"):  # NewType
        found.append(here.__supertype__)
    if type(here).__name__ == "TypeAliasType":
        found.append(here.__value__)
    if is_typed_dict(here) or is_named_tuple(here) or dataclasses.is_dataclass(here):
        found += _hints(here)
    return found


def _hints(owner: Any) -> list[object]:
    try:
        return [*typing.get_type_hints(owner, include_extras=True).values()]
    except (NameError, TypeError, AttributeError):
        # A name that is not known yet: the validator's library will say so.
        return [*getattr(owner, "__annotations__", {}).values()]
