"""pydantic 1 models, as ``pydantic.v1`` brings them. Not on Python 3.14 and later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import v1

from toolgauge.contract import Failure, Success
from toolgauge.standard._answers import make_issue
from toolgauge.standard._documents import rewritten, with_root
from toolgauge.standard._protocol import Adapted, Props
from toolgauge.standard._targets import json_schemas
from toolgauge.standard.errors import Unconvertible

if TYPE_CHECKING:
    from toolgauge.contract import Result

VENDOR = "pydantic"


def adapt(model: type[v1.BaseModel]) -> Adapted[Any]:
    """Wrap a model class."""

    def validate(value: object) -> Result[Any]:
        try:
            return Success(model.parse_obj(value))
        except v1.ValidationError as error:
            return Failure(tuple(_issue(each) for each in error.errors()))

    def give() -> dict[str, Any]:
        try:
            schema = model.schema(ref_template="#/$defs/{model}")
        except ValueError as error:
            raise Unconvertible(VENDOR, (), str(error)) from error
        parts = schema.pop("definitions", {})
        return with_root(
            rewritten(schema, _modern),
            {name: rewritten(each, _modern) for name, each in parts.items()},
        )

    return Adapted(
        Props(vendor=VENDOR, validate=validate, json_schema=json_schemas(VENDOR, give, give)),
        source=model,
    )


def _issue(found: Any) -> Any:
    # "__root__" is the model's own validator, and no place.
    path = tuple(each for each in found["loc"] if each != "__root__")
    return make_issue(found["msg"], path)


def _modern(schema: dict[str, Any]) -> dict[str, Any]:
    """Write draft-07, which pydantic 1 speaks, as 2020-12: tuples are ``prefixItems``."""
    if not isinstance(schema.get("items"), list):
        return schema
    names = {"items": "prefixItems", "additionalItems": "items"}
    return {names.get(key, key): each for key, each in schema.items()}
