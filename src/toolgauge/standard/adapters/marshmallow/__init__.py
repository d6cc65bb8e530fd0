"""marshmallow schemas, classes or instances. Every issue, in the order of the fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow
from marshmallow import fields
from marshmallow.exceptions import SCHEMA

from toolgauge.contract import Failure, Success
from toolgauge.standard._answers import make_issue, with_whole_numbers
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.adapters.marshmallow.schemas import VENDOR, Schemas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marshmallow import Schema

    from toolgauge.contract import Issue, Path, Result, Validate
    from toolgauge.standard._protocol import Direction, Dump


def _claims(obj: object) -> bool:
    is_class = isinstance(obj, type) and issubclass(obj, marshmallow.Schema)
    return is_class or isinstance(obj, marshmallow.Schema)


def _prepare(obj: type[Schema] | Schema) -> Schema:
    """Return the schema; a class stands for its instance without arguments."""
    return obj() if isinstance(obj, type) else obj


def _validate(schema: Schema) -> Validate:
    def validate(value: Any) -> Result[Any]:
        try:
            # A strict integer field rejects 7.0, which its JSON Schema accepts.
            return Success(schema.load(with_whole_numbers(value)))
        except marshmallow.ValidationError as error:
            return Failure(issues_of(error.messages, schema))

    return validate


def _schema(schema: Schema, direction: Direction) -> dict[str, Any]:
    return Schemas(direction).document(schema)


def _dump(schema: Schema) -> Dump:
    dump: Dump = schema.dump
    return dump


ADAPTER = Adapter(
    vendor=VENDOR,
    claims=_claims,
    prepare=_prepare,
    validate=_validate,
    schema=_schema,
    dump=_dump,
)


def issues_of(messages: Any, schema: Schema) -> tuple[Issue, ...]:
    """Flatten messages.

    The tree has keys that are no places: ``_schema`` for the object itself, ``key``
    and ``value`` below each name of a ``Dict``. So it is walked beside the fields.
    """
    return tuple(_of_schema(messages, schema, (), is_many=bool(schema.many)))


def _of_schema(messages: Any, schema: Schema, path: Path, *, is_many: bool) -> Iterator[Issue]:
    if not isinstance(messages, dict):
        yield from _words(messages, path)
        return
    named = {each.data_key or name: each for name, each in schema.load_fields.items()}
    for step, found in messages.items():
        if step == SCHEMA:
            yield from _of_schema(found, schema, path, is_many=False)
        elif is_many and isinstance(step, int):
            yield from _of_schema(found, schema, (*path, step), is_many=False)
        else:
            yield from _of_field(found, named.get(step), (*path, step))


def _of_field(messages: Any, field: Any, path: Path) -> Iterator[Issue]:
    if not isinstance(messages, dict):
        yield from _words(messages, path)
    elif isinstance(field, fields.Nested):
        is_many = bool(field.schema.many)
        yield from _of_schema(messages, field.schema, path, is_many=is_many)
    elif isinstance(field, fields.Mapping):
        for name, found in messages.items():
            for part, inner in (("key", field.key_field), ("value", field.value_field)):
                if isinstance(found, dict) and part in found:
                    yield from _of_field(found[part], inner, (*path, name))
    else:
        inner = getattr(field, "inner", None)
        for step, found in messages.items():
            of_item = inner or _item(field, step)
            yield from _of_field(found, of_item, (*path, step))


def _item(field: Any, step: object) -> Any:
    items = getattr(field, "tuple_fields", ())
    return items[step] if isinstance(step, int) and step < len(items) else None


def _words(messages: Any, path: Path) -> Iterator[Issue]:
    for each in messages if isinstance(messages, list) else [messages]:
        yield make_issue(str(each), path)
