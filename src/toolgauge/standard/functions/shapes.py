"""Rewrites a parameter's type so that pydantic reads it as it is meant.

- A bare text in ``Annotated``, ``Doc`` and ``msgspec.Meta`` become pydantic's ``Field``.
- ``typing.TypedDict`` becomes what pydantic takes below Python 3.12.
- A class of another validator library (msgspec, attrs, anything that has
  ``__standard_schema__``) stays that library's business, wherever it occurs.
"""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, Annotated, Any

import pydantic
from pydantic_core import PydanticCustomError, ValidationError, core_schema

from toolgauge.contract import Failure, Success
from toolgauge.standard import _mentions as kinds
from toolgauge.standard._resolve import resolve_json_schema
from toolgauge.standard._vendors import standardize
from toolgauge.standard.adapters.pydantic import with_arguments, with_typed_dicts
from toolgauge.standard.errors import InvalidAnswer

if TYPE_CHECKING:
    from toolgauge.standard._protocol import Standard

PLACEHOLDER = "x-toolgauge-type"
"""Stands for a schema that pydantic does not write, until ``hoist`` replaces it."""

_META = (
    *("title", "description", "examples", "pattern", "min_length", "max_length"),
    *("gt", "ge", "lt", "le", "multiple_of"),
)
"""What ``msgspec.Meta`` and pydantic's ``Field`` call by the same name."""


class Shaper:
    """Rewrites the types of one function, and collects the schemas of foreign classes.

    Args:
        tool: The function's name, for errors.

    Attributes:
        foreign: The JSON Schemas of foreign classes, by placeholder.
    """

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._known: dict[Any, Any] = {}
        self.foreign: dict[str, tuple[str, dict[str, Any]]] = {}

    def shape(self, annotation: Any) -> Any:
        """Return the type in pydantic's terms.

        Raises:
            NoJsonSchema: A foreign class has no schema.
        """
        return self._shape(with_typed_dicts(annotation))

    def _shape(self, annotation: Any) -> Any:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        cls = origin or annotation
        if isinstance(cls, type) and is_foreign(cls):
            return self._wrapped(annotation)
        if origin is typing.Literal:
            return annotation
        if origin is Annotated:
            metadata = tuple(as_field(each) for each in arguments[1:])
            return Annotated[(self._shape(arguments[0]), *metadata)]
        return with_arguments(annotation, self._shape)

    def _wrapped(self, foreign: Any) -> Any:
        if foreign not in self._known:
            key = f"{len(self.foreign)}"
            standard: Standard[Any] = standardize(foreign)
            schema = resolve_json_schema(standard, tool=self._tool)
            name = (typing.get_origin(foreign) or foreign).__name__
            self.foreign[key] = (name, schema)
            self._known[foreign] = Annotated[Any, _Foreign(standard, key)]
        return self._known[foreign]


def is_foreign(cls: type) -> bool:
    """Check whether a class belongs to a validator library other than pydantic."""
    if hasattr(cls, "__get_pydantic_core_schema__"):
        return False
    own = any(hasattr(cls, name) for name in ("__standard_schema__", "~standard"))
    return own or kinds.is_from(cls, "msgspec") or kinds.is_attrs(cls)


def as_field(metadata: Any) -> Any:
    """Return metadata of ``Annotated`` as pydantic knows it; what has no meaning stays."""
    if isinstance(metadata, str):
        return pydantic.Field(description=metadata)
    name, module = type(metadata).__name__, type(metadata).__module__
    if name == "Doc" and isinstance(getattr(metadata, "documentation", None), str):
        return pydantic.Field(description=metadata.documentation)
    if name != "Meta" or module.partition(".")[0] != "msgspec":
        return metadata
    said = {key: getattr(metadata, key, None) for key in _META}
    extra = metadata.extra_json_schema
    return pydantic.Field(
        **{key: value for key, value in said.items() if value is not None},
        json_schema_extra=dict(extra) if extra else None,
    )


class _Foreign:
    """Lets another library validate a part of the arguments."""

    def __init__(self, standard: Standard[Any], key: str) -> None:
        self._validate = standard.__standard_schema__.validate
        self._vendor = standard.__standard_schema__.vendor
        self._key = key

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> Any:
        return core_schema.no_info_plain_validator_function(self._check)

    def __get_pydantic_json_schema__(self, schema: object, handler: object) -> dict[str, Any]:
        return {PLACEHOLDER: self._key}

    def _check(self, value: object) -> Any:
        """Validate with the library; its issues become pydantic's, at their locations.

        Raises:
            InvalidAnswer: It answers later, which pydantic cannot wait for.
        """
        found = self._validate(value)
        if isinstance(found, Success):
            return found.value
        if not isinstance(found, Failure):
            if inspect.iscoroutine(found):
                found.close()
            raise InvalidAnswer(self._vendor, "is async, which a part of an argument cannot be")
        issues = found.issues or ()
        if not issues:
            raise PydanticCustomError("refused", "the validator refuses it")
        raise ValidationError.from_exception_data(
            self._vendor,
            [
                {
                    "type": PydanticCustomError("refused", "{words}", {"words": each.message}),
                    "loc": tuple(each.path),
                    "input": value,
                }
                for each in issues
            ],
        )
