"""The fields of attrs classes and dataclasses, as cattrs fills them, and their validators.

A validator is written as keywords of JSON Schema; one that has none is left to itself: it runs
on every value.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import typing
from typing import TYPE_CHECKING, Any

import attrs

from toolgauge.standard import _keywords as keywords
from toolgauge.standard._keywords import published_pattern
from toolgauge.standard._mentions import is_typed_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Of = Callable[[Any], dict[str, Any]]


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


_BOUNDS = {
    ">=": "minimum",
    "<=": "maximum",
    ">": "exclusiveMinimum",
    "<": "exclusiveMaximum",
}


def restrict(schema: dict[str, Any], validator: Any, of: Of) -> None:
    """Add what a validator checks to the schema of its attribute.

    Args:
        schema: The schema of the attribute's type; it is changed.
        validator: The attribute's validator, ``None`` for none.
        of: Writes a type as JSON Schema, for ``instance_of``.
    """
    kind = _KINDS.get(type(validator))
    if kind in _NESTED:
        _NESTED[kind](schema, validator, of)
    elif kind == "ge":
        keywords.bound(schema, _BOUNDS[validator.compare_op], validator.bound)
    elif kind == "min_len":
        keywords.size(schema, "min", validator.min_length)
    elif kind == "max_len":
        keywords.size(schema, "max", validator.max_length)
    elif kind == "matches_re":
        keywords.matching(schema, published_pattern(validator.pattern, _anchor(validator)))
    elif kind == "in_":
        keywords.options(schema, _values(validator))
    elif kind == "not_" and hasattr(validator.validator, "options"):
        keywords.exclude(schema, _values(validator.validator))


def _all_of(schema: dict[str, Any], validator: Any, of: Of) -> None:
    for each in validator._validators:  # noqa: SLF001 - attrs offers no other way
        restrict(schema, each, of)


def _optional(schema: dict[str, Any], validator: Any, of: Of) -> None:
    # The keywords leave null alone in any case.
    restrict(schema, validator.validator, of)


def _anchor(validator: Any) -> Any:
    name = getattr(validator.match_func, "__name__", "")
    return name if name in {"match", "fullmatch"} else "search"


def _values(validator: Any) -> list[Any] | None:
    """Return what ``in_`` lists as JSON, in an order that does not change."""
    found = validator.options
    if isinstance(found, str | bytes) or not hasattr(found, "__iter__"):
        return None  # `in` on a text finds parts of it
    values = [each.value if isinstance(each, enum.Enum) else each for each in found]
    # attrs keeps what was given, and a copy of it that can be hashed.
    given = getattr(validator, "_original_options", found)
    return sorted(values, key=repr) if isinstance(given, set | frozenset) else values


def _typed(schema: dict[str, Any], validator: Any, of: Of) -> None:
    """Write the type that is checked where the annotation says nothing."""
    if schema:
        return
    kinds = validator.type if isinstance(validator.type, tuple) else (validator.type,)
    parts = [of(each) for each in kinds]
    if all(parts):
        schema.update(copy.deepcopy(keywords.one_of_types(parts)))


def _any_of(schema: dict[str, Any], validator: Any, of: Of) -> None:
    parts: list[dict[str, Any]] = []
    for each in validator.validators:
        part = copy.deepcopy(schema)
        restrict(part, each, of)
        parts.append(part)
    if schema not in parts:
        schema.clear()
        schema.update(keywords.one_of_types(parts))


def _items(schema: dict[str, Any], validator: Any, of: Of) -> None:
    for each in keywords.branches(schema):
        if each.get("type") == "array":
            for items in [*each.get("prefixItems", ()), *_held(each, "items")]:
                restrict(items, validator.member_validator, of)
            restrict(each, validator.iterable_validator, of)


def _members(schema: dict[str, Any], validator: Any, of: Of) -> None:
    for each in keywords.branches(schema):
        if each.get("type") == "object":
            for values in _held(each, "additionalProperties"):
                restrict(values, validator.value_validator, of)
            names = each.get("propertyNames", {"type": "string"})
            restrict(names, validator.key_validator, of)
            if names != {"type": "string"}:
                each["propertyNames"] = names
            restrict(each, validator.mapping_validator, of)


def _held(schema: dict[str, Any], keyword: str) -> list[dict[str, Any]]:
    """Return the subschema to add to, a new one where there is none yet."""
    found = schema.get(keyword)
    if "$ref" in schema or "properties" in schema or "prefixItems" in schema:
        return [found] if isinstance(found, dict) else []
    if not isinstance(found, dict):
        found = schema[keyword] = {}
    return [found]


_NESTED: dict[str | None, Callable[[dict[str, Any], Any, Of], None]] = {
    "and_": _all_of,
    "optional": _optional,
    "instance_of": _typed,
    "or_": _any_of,
    "deep_iterable": _items,
    "deep_mapping": _members,
}


_SOME = attrs.validators.ge(0)
_MADE: dict[str, Any] = {
    "and_": attrs.validators.and_(_SOME),
    "optional": attrs.validators.optional(_SOME),
    "ge": _SOME,
    "min_len": attrs.validators.min_len(0),
    "max_len": attrs.validators.max_len(0),
    "matches_re": attrs.validators.matches_re(""),
    "in_": attrs.validators.in_([0]),
    "not_": attrs.validators.not_(_SOME),
    "instance_of": attrs.validators.instance_of(int),
    "or_": attrs.validators.or_(_SOME, _SOME),
    "deep_iterable": attrs.validators.deep_iterable(_SOME),
    "deep_mapping": attrs.validators.deep_mapping(_SOME, _SOME),
}
_KINDS = {type(validator): name for name, validator in _MADE.items()}
"""Which function makes validators of a class; attrs has no public names for the classes.

``ge`` stands for every comparison of numbers.
"""
