"""JSON Schema of marshmallow's schemas, fields and validators.

Of the packages that write it, one is for OpenAPI and the other has not followed
marshmallow 4; neither writes every validator. A validator that no keyword stands for is left
to itself: it runs on every value.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from marshmallow import RAISE, Schema, fields, missing, validate

from toolgauge.contract import dump_json, parse_json
from toolgauge.standard import _keywords as keywords
from toolgauge.standard._documents import Parts
from toolgauge.standard._keywords import (
    DECIMAL,
    TEXT,
    is_scalar,
    nullable,
    published_pattern,
    summary_of,
    texts_in,
    tuple_of,
)
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.contract import Path
    from toolgauge.standard._protocol import Direction

VENDOR = "marshmallow"

_MAX_DEPTH = 60

# More particular classes first: the first that a field is one of decides.
_PLAIN: tuple[tuple[type[fields.Field[Any]], dict[str, Any]], ...] = (
    (fields.Url, {**TEXT, "format": "uri"}),
    (fields.Email, {**TEXT, "format": "email"}),
    (fields.UUID, {**TEXT, "format": "uuid"}),
    (fields.String, TEXT),
    (fields.Integer, {"type": "integer"}),
    (fields.Decimal, DECIMAL),
    (fields.Float, {"type": "number"}),
    (fields.Boolean, {"type": "boolean"}),
    (fields.Date, {**TEXT, "format": "date"}),
    (fields.Time, {**TEXT, "format": "time"}),
    (fields.TimeDelta, {"type": "number"}),
    (fields.IPv4, {**TEXT, "format": "ipv4"}),
    (fields.IPv6, {**TEXT, "format": "ipv6"}),
    (fields.IP, TEXT),
    (fields.IPInterface, TEXT),
)

_ANYTHING = (fields.Raw, fields.Function, fields.Method)
"""Whose own function, or nothing at all, decides what they take."""

_ISO = (None, "iso", "iso8601")
_STAMPS = ("timestamp", "timestamp_ms")


class Schemas:
    """Writes schemas as JSON Schema. A nested schema is written once and referred to.

    Args:
        direction: Whether to write what ``load`` accepts or what ``dump`` returns.
    """

    def __init__(self, direction: Direction) -> None:
        self._direction = direction
        self._parts = Parts()

    def document(self, schema: Schema) -> dict[str, Any]:
        """Write one schema as a whole document.

        Raises:
            Unconvertible: If a field of it has no JSON Schema.
        """
        one = self._of_schema(schema, (), None)
        return self._parts.document({"type": "array", "items": one} if schema.many else one)

    def _of_schema(self, schema: Schema, path: Path, unknown: str | None) -> dict[str, Any]:
        if len(path) > _MAX_DEPTH:
            raise Unconvertible(VENDOR, path, f"nested deeper than {_MAX_DEPTH} levels")
        unknown = unknown or schema.unknown
        own = schema.load_fields if self._direction == "input" else schema.dump_fields
        key = (type(schema), frozenset(own), _partial(schema), unknown)
        return self._parts.refer(
            key, type(schema).__name__, lambda: self._object(schema, own, path, unknown)
        )

    def _object(
        self, schema: Schema, own: dict[str, fields.Field[Any]], path: Path, unknown: str
    ) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        required: list[str] = []
        for attribute, field in own.items():
            name = field.data_key or attribute
            properties[name] = self._of(field, (*path, name))
            if self._is_required(schema, attribute, field):
                required.append(name)
        head = {
            "title": type(schema).__name__,
            **summary_of(vars(type(schema)).get("__doc__")),
            "type": "object",
        }
        found: dict[str, Any] = {**head, "properties": properties, "required": required}
        if self._direction == "input" and unknown == RAISE:
            found["additionalProperties"] = False
        return found

    def _is_required(self, schema: Schema, attribute: str, field: fields.Field[Any]) -> bool:
        if self._direction == "output":
            return field.required or field.load_default is not missing
        partial = _partial(schema)
        return field.required and not (partial is True or attribute in partial)

    def _of(self, field: fields.Field[Any], path: Path) -> dict[str, Any]:
        """Write one field: its type, its validators, null, its default, its texts."""
        found = self._typed(field, path)
        for each in field.validators:
            restrict(found, each)
        if field.allow_none:
            found = nullable(found)
        found = {**found, **texts_in(field.metadata)}
        default = field.load_default if self._direction == "input" else missing
        if default is not missing and not callable(default):
            text = _default_text(field, default)
            found |= {} if text is None else {"default": parse_json(text)}
        return found

    def _typed(  # noqa: PLR0911 - one for each kind of field
        self, field: fields.Field[Any], path: Path
    ) -> dict[str, Any]:
        if isinstance(field, fields.Nested):
            return self._nested(field, path)
        if isinstance(field, fields.List):
            return {"type": "array", "items": self._of(field.inner, path)}
        if isinstance(field, fields.Tuple):
            return tuple_of(
                [self._of(each, (*path, index)) for index, each in enumerate(field.tuple_fields)]
            )
        if isinstance(field, fields.Mapping):
            return self._mapping(field, path)
        if isinstance(field, fields.Enum):
            return _enum(field, path)
        if isinstance(field, fields.DateTime):
            return _date_time(field)
        if isinstance(field, fields.Constant):
            return {"const": field.constant} if is_scalar(field.constant) else {}
        return self._plain(field, path)

    def _plain(self, field: fields.Field[Any], path: Path) -> dict[str, Any]:
        if self._direction == "output" and getattr(field, "as_string", False):
            return dict(TEXT)
        if isinstance(field, fields.Date | fields.Time) and field.format not in _ISO:
            return dict(TEXT)
        for kind, schema in _PLAIN:
            if isinstance(field, kind):
                return copy.deepcopy(schema)
        if isinstance(field, _ANYTHING) or type(field) is fields.Field:
            return {}
        if type(field) is fields.Number:
            return {"type": "number"}
        name = f"{type(field).__module__}.{type(field).__qualname__}"
        raise Unconvertible(VENDOR, path, f"no JSON Schema for the field {name}")

    def _nested(self, field: fields.Nested, path: Path) -> dict[str, Any]:
        schema = field.schema
        if isinstance(field, fields.Pluck):
            one = self._of(schema.fields[field.field_name], path)
        else:
            one = self._of_schema(schema, path, field.unknown)
        return {"type": "array", "items": one} if schema.many else one

    def _mapping(self, field: fields.Mapping[Any], path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "object"}
        if field.value_field is not None:
            found["additionalProperties"] = self._of(field.value_field, path)
        if field.key_field is not None:
            names = self._of(field.key_field, path)
            if names.get("type") == "string" or "enum" in names:
                found["propertyNames"] = names
        return found


def _partial(schema: Schema) -> Any:
    partial = schema.partial
    return partial if isinstance(partial, bool) else frozenset(partial or ())


def _enum(field: fields.Enum[Any], path: Path) -> dict[str, Any]:
    if not field.by_value:
        return {"type": "string", "enum": [each.name for each in field.enum]}
    values = [field.field._serialize(each.value, "", None) for each in field.enum]  # noqa: SLF001 - the documented override point
    if not all(is_scalar(each) for each in values):
        raise Unconvertible(
            VENDOR, path, f"{field.enum.__qualname__} has values that JSON has no form for"
        )
    return {"enum": values}


def _date_time(field: fields.DateTime) -> dict[str, Any]:
    if field.format in _STAMPS:
        return {"type": "number"}
    return {**TEXT, "format": "date-time"} if field.format in _ISO else dict(TEXT)


def _default_text(field: fields.Field[Any], default: Any) -> bytes | None:
    """Return a default as JSON, ``None`` where JSON has no form for it."""
    try:
        written = None if default is None else field._serialize(default, "", None)  # noqa: SLF001 - as above
        return dump_json(written)
    except (AttributeError, TypeError, ValueError):
        return None


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
