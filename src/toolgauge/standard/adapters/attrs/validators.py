"""What attrs' validators say, as keywords of JSON Schema.

What has no keyword is left to the validator itself, which runs on every value.
"""

from __future__ import annotations

import copy
import enum
from typing import TYPE_CHECKING, Any

import attrs

from toolgauge.standard import _keywords as keywords
from toolgauge.standard._patterns import published_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    Of = Callable[[Any], dict[str, Any]]

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
    write = _WRITERS.get(type(validator))
    if write is not None:
        write(schema, validator, of)


def _all_of(schema: dict[str, Any], validator: Any, of: Of) -> None:
    for each in validator._validators:  # noqa: SLF001 - attrs offers no other way
        restrict(schema, each, of)


def _optional(schema: dict[str, Any], validator: Any, of: Of) -> None:
    # The keywords leave null alone in any case.
    restrict(schema, validator.validator, of)


def _number(schema: dict[str, Any], validator: Any, of: Of) -> None:  # noqa: ARG001 - as for each
    keywords.bound(schema, _BOUNDS[validator.compare_op], validator.bound)


def _shortest(schema: dict[str, Any], validator: Any, of: Of) -> None:  # noqa: ARG001 - as for each
    keywords.size(schema, "min", validator.min_length)


def _longest(schema: dict[str, Any], validator: Any, of: Of) -> None:  # noqa: ARG001 - as for each
    keywords.size(schema, "max", validator.max_length)


def _matching(schema: dict[str, Any], validator: Any, of: Of) -> None:  # noqa: ARG001 - as for each
    keywords.matching(schema, published_pattern(validator.pattern, _anchor(validator)))


def _anchor(validator: Any) -> Any:
    name = getattr(validator.match_func, "__name__", "")
    return name if name in {"match", "fullmatch"} else "search"


def _listed(schema: dict[str, Any], validator: Any, of: Of) -> None:  # noqa: ARG001 - as for each
    values = _values(validator)
    if values is not None:
        keywords.options(schema, values)


def _excluded(schema: dict[str, Any], validator: Any, of: Of) -> None:  # noqa: ARG001 - as for each
    values = _values(validator.validator) if hasattr(validator.validator, "options") else None
    if values is not None:
        keywords.exclude(schema, values)


def _values(validator: Any) -> list[Any] | None:
    """Give what ``in_`` lists as JSON, in an order that does not change."""
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
    """Give the subschema to add to, a new one where there is none yet."""
    found = schema.get(keyword)
    if "$ref" in schema or "properties" in schema or "prefixItems" in schema:
        return [found] if isinstance(found, dict) else []
    if not isinstance(found, dict):
        found = schema[keyword] = {}
    return [found]


def _writers() -> dict[type[Any], Callable[[dict[str, Any], Any, Of], None]]:
    """Give what writes each kind of validator.

    attrs makes validators by functions, and keeps their classes to itself.
    """
    make = attrs.validators
    some = make.ge(0)
    made: list[tuple[Any, Callable[[dict[str, Any], Any, Of], None]]] = [
        (make.and_(some), _all_of),
        (make.optional(some), _optional),
        (some, _number),
        (make.min_len(0), _shortest),
        (make.max_len(0), _longest),
        (make.matches_re(""), _matching),
        (make.in_([0]), _listed),
        (make.not_(some), _excluded),
        (make.instance_of(int), _typed),
        (make.or_(some, some), _any_of),
        (make.deep_iterable(some), _items),
        (make.deep_mapping(some, some), _members),
    ]
    return {type(validator): write for validator, write in made}


_WRITERS = _writers()
