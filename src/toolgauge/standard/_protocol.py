"""The protocol: one reserved attribute by which any validator says what it accepts.

Source: Standard Schema 1.1 (``~standard``: version, vendor, validate, jsonSchema),
in Python terms (decisions S1, S2).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from toolgauge.contract import Result, Validate

T_co = TypeVar("T_co", covariant=True)

VERSION = 1
"""The version of the protocol that this package speaks."""

TARGET = "draft-2020-12"
"""The dialect of JSON Schema that is asked for when a tool is built."""

ToJsonSchema = Callable[[str], Mapping[str, Any]]
"""A dialect's name (``"draft-2020-12"``) to a JSON Schema. It raises where it cannot."""

Dump = Callable[[Any], Any]
"""A result to parsed JSON."""

Direction = Literal["input", "output"]
"""Which schema of a validator: of what it accepts, or of its values written as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonSchemas:
    """The JSON Schemas of what a validator accepts and of what it returns.

    Attributes:
        input: What may be passed to ``validate``.
        output: What ``Success.value`` looks like, written as JSON.
    """

    input: ToJsonSchema
    output: ToJsonSchema


# No slots: on Python 3.11 `Props[int](...)` fails for a frozen class that has them.
@dataclass(frozen=True, kw_only=True)
class Props(Generic[T_co]):
    """What a validator puts under ``__standard_schema__``.

    Attributes:
        vendor: The library's name: ``"pydantic"``.
        validate: A value to ``Success(value)`` or ``Failure(issues)``, or an
            awaitable of it. It raises only when it is broken.
        json_schema: How to write it as JSON Schema, ``None`` where it cannot.
        version: The version of the protocol.
    """

    vendor: str
    validate: Callable[[object], Result[T_co] | Awaitable[Result[T_co]]]
    json_schema: JsonSchemas | None = None
    version: int = VERSION


@runtime_checkable
class Standard(Protocol[T_co]):
    """Anything that has the reserved attribute."""

    @property
    def __standard_schema__(self) -> Props[T_co]:
        """What the validator says of itself."""


@dataclass(frozen=True)
class Adapted(Generic[T_co]):
    """A foreign validator behind the protocol.

    Attributes:
        source: What was wrapped.
        dump: Converts a result to JSON; ``None`` leaves that to the result's own class.
    """

    __standard_schema__: Props[T_co]
    source: Any = None
    dump: Dump | None = None


def _unchanged(obj: Any) -> Any:
    return obj


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """One validator library: how its objects validate, publish and dump.

    Attributes:
        vendor: The library's name.
        claims: Check whether an object of the library's package is one of its validators;
            by default each class is.
        prepare: Build what the next three functions take; by default the object itself.
            Work that they share belongs here, so that it is done once.
        validate: Return the function that validates a value.
        schema: Return the JSON Schema 2020-12 for one direction. Raises ``Unconvertible``
            if there is none.
        dump: Return the function that converts a result to JSON; ``None`` leaves that to
            the result's own class.

    Example:
        >>> Adapter(
        ...     vendor="wordlib",
        ...     claims=lambda obj: isinstance(obj, Word),
        ...     validate=lambda word: word.check,
        ...     schema=lambda word, direction: {"const": word.text},
        ...     dump=lambda word: str,
        ... )  # doctest: +SKIP
    """

    vendor: str
    validate: Callable[[Any], Validate]
    schema: Callable[[Any, Direction], Mapping[str, Any]]
    dump: Callable[[Any], Dump] | None = None
    claims: Callable[[Any], bool] = inspect.isclass
    prepare: Callable[[Any], Any] = _unchanged
