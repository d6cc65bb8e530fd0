"""What marshmallow's validators say, as keywords of JSON Schema.

What has no keyword is left to the validator itself, which runs on every value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import validate

from toolgauge.standard import _keywords as keywords
from toolgauge.standard._patterns import published_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable


def restrict(schema: dict[str, Any], validator: object) -> None:
    """Add what a validator checks to the schema of its field; the schema is changed."""
    if isinstance(validator, validate.And):
        for each in validator.validators:
            restrict(schema, each)
    elif isinstance(validator, validate.Range):
        low = "minimum" if validator.min_inclusive else "exclusiveMinimum"
        high = "maximum" if validator.max_inclusive else "exclusiveMaximum"
        keywords.bound(schema, low, validator.min)
        keywords.bound(schema, high, validator.max)
    elif isinstance(validator, validate.Length):
        is_exact = validator.equal is not None
        keywords.size(schema, "min", validator.equal if is_exact else validator.min)
        keywords.size(schema, "max", validator.equal if is_exact else validator.max)
    elif isinstance(validator, validate.Email):
        _formatted(schema, "email")
    elif isinstance(validator, validate.URL):
        # Of a relative one the rest of the address is not known.
        _formatted(schema, "uri-reference" if validator.relative else "uri")
    elif isinstance(validator, validate.Regexp):
        keywords.matching(schema, published_pattern(validator.regex, "match"))
    else:
        _listed(schema, validator)


def _listed(schema: dict[str, Any], validator: object) -> None:
    # ContainsOnly is a OneOf and ContainsNoneOf a NoneOf, of each item.
    if isinstance(validator, validate.ContainsOnly):
        for items in _items(schema):
            keywords.options(items, _values(validator.choices))
    elif isinstance(validator, validate.ContainsNoneOf):
        for items in _items(schema):
            keywords.exclude(items, _values(validator.iterable))
    elif isinstance(validator, validate.OneOf):
        keywords.options(schema, _values(validator.choices))
    elif isinstance(validator, validate.NoneOf):
        keywords.exclude(schema, _values(validator.iterable))
    elif isinstance(validator, validate.Equal):
        keywords.options(schema, [validator.comparable])


def _values(found: Iterable[Any]) -> list[Any]:
    values = list(found)
    return sorted(values, key=repr) if isinstance(found, set | frozenset) else values


def _items(schema: dict[str, Any]) -> list[dict[str, Any]]:
    arrays = [each for each in keywords.branches(schema) if each.get("type") == "array"]
    return [each["items"] for each in arrays if isinstance(each.get("items"), dict)]


def _formatted(schema: dict[str, Any], name: str) -> None:
    for each in keywords.branches(schema):
        if each.get("type") == "string":
            each["format"] = name
