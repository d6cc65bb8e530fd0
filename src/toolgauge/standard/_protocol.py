"""The protocol: one reserved attribute by which any validator says what it accepts.

Source: Standard Schema 1.1 (``~standard``: version, vendor, validate, jsonSchema),
in Python terms (decisions S1, S2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from toolgauge.contract import Result

T_co = TypeVar("T_co", covariant=True)

VERSION = 1
"""The version of the protocol that this package speaks."""

TARGET = "draft-2020-12"
"""The dialect of JSON Schema that is asked for when a tool is built."""

ToJsonSchema = Callable[[str], Mapping[str, Any]]
"""A dialect's name (``"draft-2020-12"``) to a JSON Schema. It raises where it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonSchemas:
    """How a validator says in JSON Schema what it accepts and what it gives.

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
    """

    __standard_schema__: Props[T_co]
    source: Any = None
