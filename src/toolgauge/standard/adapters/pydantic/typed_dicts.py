"""``typing.TypedDict`` for pydantic, which below Python 3.12 wants ``typing_extensions``'.

Source: pydantic refuses the standard library's class there, for it does not tell
inherited keys that are required from those that are not (``typed-dict-version``).
``__required_keys__`` has been right since Python 3.11, the oldest that we support.
"""

from __future__ import annotations

import sys
import types
import typing
from typing import TYPE_CHECKING, Any

import typing_extensions

from toolgauge.standard._mentions import is_typed_dict

if TYPE_CHECKING:
    from collections.abc import Callable

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
