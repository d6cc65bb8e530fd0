"""pydantic 1 models, as ``pydantic.v1`` provides them. Not on Python 3.14 and later."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import v1

from toolgauge.contract import Failure, Issue, Result, Success
from toolgauge.standard._answers import make_issue
from toolgauge.standard._documents import rewritten, with_root
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from toolgauge.contract import Validate
    from toolgauge.standard._protocol import Direction, Dump

VENDOR = "pydantic"

Model = type[v1.BaseModel]


def _validate(model: Model) -> Validate:
    def validate(value: object) -> Result[Any]:
        try:
            return Success(model.parse_obj(value))
        except v1.ValidationError as error:
            return Failure(tuple(_issue(each) for each in error.errors()))

    return validate


def _issue(found: Any) -> Issue:
    # "__root__" is the model's own validator, and no location.
    path = tuple(each for each in found["loc"] if each != "__root__")
    return make_issue(found["msg"], path)


def _schema(model: Model, _: Direction) -> dict[str, Any]:
    try:
        schema = model.schema(ref_template="#/$defs/{model}")
    except ValueError as error:
        raise Unconvertible(VENDOR, (), str(error)) from error
    parts = schema.pop("definitions", {})
    return with_root(
        rewritten(schema, _modern),
        {name: rewritten(each, _modern) for name, each in parts.items()},
    )


def _modern(schema: dict[str, Any]) -> dict[str, Any]:
    """Convert draft-07, which pydantic 1 writes, to 2020-12: tuples are ``prefixItems``."""
    if not isinstance(schema.get("items"), list):
        return schema
    names = {"items": "prefixItems", "additionalItems": "items"}
    return {names.get(key, key): each for key, each in schema.items()}


def _dump(_: Model) -> Dump:
    """Write a model under its aliases; leave anything else unchanged."""

    def dump(value: Any) -> Any:
        # Version 1 writes JSON only as text.
        return json.loads(value.json(by_alias=True)) if hasattr(value, "json") else value

    return dump


ADAPTER = Adapter(vendor=VENDOR, validate=_validate, schema=_schema, dump=_dump)
