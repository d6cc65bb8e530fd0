"""The fields of attrs classes and dataclasses, as cattrs fills them."""

from __future__ import annotations

import dataclasses
import typing
from typing import TYPE_CHECKING, Any

import attrs

from toolgauge.standard._mentions import is_typed_dict

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of an attrs class or a dataclass."""

    name: str
    default: Any
    has_default: bool
    validator: Any
    metadata: Mapping[Any, Any]


def own_fields(cls: Any) -> list[Field]:
    """Return the fields of a class that its ``__init__`` takes."""
    is_attrs = attrs.has(cls)
    missing = attrs.NOTHING if is_attrs else dataclasses.MISSING
    return [
        Field(
            name=each.name,
            default=each.default,
            has_default=each.default is not missing
            or getattr(each, "default_factory", missing) is not missing,
            validator=getattr(each, "validator", None),
            metadata=each.metadata,
        )
        for each in (attrs.fields(cls) if is_attrs else dataclasses.fields(cls))
        if each.init
    ]


def fields_of(obj: Any) -> frozenset[str]:
    """Name the fields of a class, none for any other type."""
    cls = typing.get_origin(obj) or obj
    if isinstance(cls, type) and (attrs.has(cls) or dataclasses.is_dataclass(cls)):
        return frozenset(each.name for each in own_fields(cls))
    return frozenset(cls.__annotations__) if is_typed_dict(cls) else frozenset()


def is_required(cls: Any, name: str, hint: Any) -> bool:
    """Check whether a key of a ``TypedDict`` must be there.

    Source: its ``__required_keys__`` knows nothing of marks in annotations that are
    texts (Python's documentation of ``typing.TypedDict``); the resolved ones do.
    """
    while hint is not None:
        mark = getattr(typing.get_origin(hint), "_name", None)
        if mark in {"Required", "NotRequired"}:
            return bool(mark == "Required")
        is_wrapped = mark == "ReadOnly" or typing.get_origin(hint) is typing.Annotated
        hint = typing.get_args(hint)[0] if is_wrapped else None
    return name in cls.__required_keys__
