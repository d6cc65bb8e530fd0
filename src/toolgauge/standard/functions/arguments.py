"""A function's arguments as one object: its JSON Schema, and how to bind them.

The schema is closed (``additionalProperties: false``), has each default in its JSON
form, and no titles that only repeat a name. A call is validated against the schema
first and bound then, so nothing is accepted that the schema rejects: ``"7"`` is no integer.
Arguments are JSON, so pydantic binds them in its JSON mode: a date is a text and a
tuple an array, for strict models too.
"""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pydantic
import typing_extensions
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticSerializationError

from toolgauge.contract import Failure, Success, compile_schema, dump_json
from toolgauge.standard._answers import decode_json, make_issue
from toolgauge.standard._documents import hoist
from toolgauge.standard._protocol import Adapter
from toolgauge.standard.adapters.pydantic import UNBUILT, issues_of, reason_of
from toolgauge.standard.errors import UncallableSignature
from toolgauge.standard.functions.annotations import NO_DEFAULT
from toolgauge.standard.functions.shapes import PLACEHOLDER, Shaper
from toolgauge.standard.functions.signature import read_signature

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaWarningKind

    from toolgauge.contract import Result
    from toolgauge.standard._protocol import Direction
    from toolgauge.standard.adapters.pydantic import Unbuilt
    from toolgauge.standard.functions.signature import Parameter, Signature


class Arguments:
    """The arguments of one function.

    Args:
        signature: From ``read_signature``.

    Raises:
        UncallableSignature: A parameter's type has no JSON Schema.
        NoJsonSchema: The same, of a class of another library.

    Attributes:
        schema: What a caller may pass.
    """

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._shaper = Shaper(signature.name)
        self._adapter = self._build()
        self.schema: dict[str, Any] = self._schema("validation")
        _drop_refused_defaults(self.schema)
        self._compiled = compile_schema(self.schema)

    def check(self, value: object) -> Result[dict[str, Any]]:
        """Validate arguments against the schema, and bind those that conform to it."""
        issues = self._compiled.issues(value)
        return Failure(issues) if issues else self.bind(value)

    def bind(self, value: object) -> Result[dict[str, Any]]:
        """Convert arguments that conform to the schema, and fill in the defaults.

        Returns:
            Each parameter of the function with its value; or where and why not.
        """
        try:
            text = dump_json(value)
        except TypeError as error:
            return Failure((make_issue(f"not a JSON value: {error}"),))
        try:
            return Success(decode_json(self._adapter.validate_json, text, pydantic.ValidationError))
        except pydantic.ValidationError as error:
            return Failure(issues_of(error, value))

    def output_schema(self) -> dict[str, Any]:
        """Return what the bound arguments look like, written as JSON."""
        return self._schema("serialization")

    def _fields(self) -> dict[str, Any]:
        return {
            each.name: _field(self._shaper.shape(each.annotation), each)
            for each in self._signature.parameters
        }

    def _build(self) -> pydantic.TypeAdapter[Any]:
        fields = self._fields()
        try:
            return _adapter(self._signature.name, fields)
        except UNBUILT as error:
            raise self._blamed(fields, error) from error

    def _blamed(self, fields: dict[str, Any], error: Unbuilt) -> UncallableSignature:
        """Find the parameter that cannot be built."""
        for name, field in fields.items():
            try:
                _adapter(self._signature.name, {name: field}).json_schema()
            except UNBUILT as own:
                return UncallableSignature(self._signature.name, name, reason_of(own))
        return UncallableSignature(self._signature.name, "", reason_of(error))

    def _schema(self, mode: Literal["validation", "serialization"]) -> dict[str, Any]:
        try:
            schema = self._adapter.json_schema(mode=mode, schema_generator=_Untitled)
        except UNBUILT as error:
            raise self._blamed(self._fields(), error) from error
        return _without_class_titles(hoist(schema, PLACEHOLDER, self._shaper.foreign))


class _Untitled(GenerateJsonSchema):
    """Writes no title that only repeats a name, and no default that has no JSON form."""

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {  # noqa: RUF012 - pydantic's own
        "skipped-choice",
        "non-serializable-default",
    }

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's
        """Leave out the titles that pydantic makes of names."""
        return False

    def encode_default(self, dft: Any) -> Any:
        """Leave out what is secret: its JSON form is a mask, and no value that can be sent."""
        if _holds_secret(dft):
            raise PydanticSerializationError("it is secret")
        return super().encode_default(dft)


def _holds_secret(value: object) -> bool:
    """Check whether a default is or holds a value that pydantic masks."""
    if isinstance(value, pydantic.Secret | pydantic.SecretStr | pydantic.SecretBytes):
        return True
    if isinstance(value, pydantic.BaseModel):
        return any(_holds_secret(each) for _, each in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return any(_holds_secret(getattr(value, each.name)) for each in dataclasses.fields(value))
    if isinstance(value, Mapping):
        return any(map(_holds_secret, value.values()))
    return isinstance(value, list | tuple | set | frozenset) and any(map(_holds_secret, value))


def _adapter(name: str, fields: dict[str, Any]) -> pydantic.TypeAdapter[Any]:
    """Make one closed object of the parameters.

    A typed dictionary, because its keys may be called anything: ``schema``,
    ``model_config``, ``_x``, ``class``.
    """
    make: Any = typing_extensions.TypedDict  # its type wants names that are known beforehand
    shape = make(name, fields)
    shape.__pydantic_config__ = pydantic.ConfigDict(extra="forbid")
    with warnings.catch_warnings():
        # Metadata that does nothing is no fault of the function.
        warnings.simplefilter("ignore", category=UserWarning)
        return pydantic.TypeAdapter(shape)


def _field(shape: Any, parameter: Parameter) -> Any:
    """Annotate a type with the default and the docstring's description."""
    metadata: list[Any] = []
    if parameter.default is not NO_DEFAULT:
        is_field = isinstance(parameter.default, FieldInfo)
        found = parameter.default
        metadata.append(found if is_field else pydantic.Field(default=found))
    whole: Any = Annotated[(shape, *metadata)] if metadata else shape
    if parameter.description and not FieldInfo.from_annotation(whole).description:
        whole = Annotated[whole, pydantic.Field(description=parameter.description)]
    return whole


def _without_class_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out the titles that are the name of the function or of a definition."""
    fresh = {key: value for key, value in schema.items() if key != "title"}
    if "$defs" in fresh:
        fresh["$defs"] = {name: _untitled(name, each) for name, each in fresh["$defs"].items()}
    return fresh


def _untitled(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    # As pydantic makes a definition's name: `Box[int]` becomes `Box_int_`.
    title = re.sub(r"[^A-Za-z0-9._-]", "_", str(schema.get("title", "")))
    if title != name.partition("__")[0]:
        return schema
    return {key: value for key, value in schema.items() if key != "title"}


def _drop_refused_defaults(schema: dict[str, Any]) -> None:
    """Leave out a default that the caller may not send, such as ``None`` for an ``int``."""
    shared = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    for each in schema.get("properties", {}).values():
        if "default" in each and not compile_schema({**each, **shared}).is_valid(each["default"]):
            del each["default"]


def _schema(arguments: Arguments, direction: Direction) -> dict[str, Any]:
    return arguments.schema if direction == "input" else arguments.output_schema()


ADAPTER = Adapter(
    vendor="function",
    prepare=lambda function: Arguments(read_signature(function)),
    validate=lambda arguments: arguments.check,
    schema=_schema,
)
"""A function as a validator of its arguments, which are one object.

``Success.value`` holds each parameter with its value, defaults filled in; parameters
that get the context of a call are no part of it.
"""
