"""marshmallow schemas, classes or instances. Every issue, in the order of the fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow

from toolgauge.contract import Failure, Success
from toolgauge.standard._protocol import Adapted, Props
from toolgauge.standard._targets import json_schemas
from toolgauge.standard._whole_numbers import with_whole_numbers
from toolgauge.standard.adapters.marshmallow.issues import issues_of
from toolgauge.standard.adapters.marshmallow.schemas import VENDOR, Schemas

if TYPE_CHECKING:
    from toolgauge.contract import Result


def adapt(obj: type[marshmallow.Schema] | marshmallow.Schema) -> Adapted[Any]:
    """Wrap a schema. A class stands for its instance without arguments."""
    schema = obj() if isinstance(obj, type) else obj

    def validate(value: Any) -> Result[Any]:
        try:
            # A strict integer field takes no 7.0, which its JSON Schema does.
            return Success(schema.load(with_whole_numbers(value)))
        except marshmallow.ValidationError as error:
            return Failure(issues_of(error.messages, schema))

    schemas = json_schemas(
        VENDOR,
        lambda: Schemas("load").document(schema),
        lambda: Schemas("dump").document(schema),
    )
    return Adapted(Props(vendor=VENDOR, validate=validate, json_schema=schemas), source=obj)
