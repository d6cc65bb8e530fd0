"""The protocol: one reserved attribute by which any validator says what it accepts.

Ours is ``__standard_schema__``; Standard Schema's own is ``~standard``, an attribute or a
mapping's key. Under it lies a ``Props``, an object with the same attributes, or a mapping
with the same keys.

Source: Standard Schema 1.1 (``~standard``: version, vendor, validate, jsonSchema),
in Python terms (decisions S1, S2).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from toolgauge.standard._answers import checked, member
from toolgauge.standard.errors import InvalidStandard

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


ATTRIBUTE = "__standard_schema__"
FOREIGN = "~standard"


def conforming(obj: Any) -> Standard[Any] | None:
    """Return an object that has the reserved attribute or key, ``None`` for any other.

    Returns:
        The object itself where a ``Props`` lies under ``__standard_schema__``;
        elsewhere a wrapper that has one.

    Raises:
        InvalidStandard: If what lies there is something else.
    """
    # An attribute of ours first; the key of a mapping last, for a mapping that
    # has it is nothing else.
    for name in (ATTRIBUTE, FOREIGN):
        try:
            held = getattr(obj, name, None)
        except Exception as error:
            raise InvalidStandard("", f"`{name}` raised {type(error).__name__}") from error
        if held is not None:
            break
    else:
        if not isinstance(obj, Mapping) or FOREIGN not in obj:
            return None
        held = obj[FOREIGN]
    props = read_props(held)
    if props is held and name == ATTRIBUTE:
        return obj  # type: ignore[no-any-return]  # it has the attribute
    return Adapted(props, source=obj)


def read_props(held: Any) -> Props[Any]:
    """Read what lies under the reserved attribute.

    Raises:
        InvalidStandard: If it is nothing of the kind.
    """
    vendor = member(held, "vendor")
    if not isinstance(vendor, str) or not vendor:
        found = f"{type(held).__name__} has no vendor"
        raise InvalidStandard("", found)
    version = member(held, "version")
    if version != VERSION or isinstance(version, bool):
        found = "has no version" if version is None else f"has version {version!r}"
        raise InvalidStandard(vendor, found)
    validate = member(held, "validate")
    if not callable(validate):
        raise InvalidStandard(vendor, "has no validate that can be called")
    schemas = _schemas(vendor, held)
    if isinstance(held, Props):
        return held
    return Props(vendor=vendor, validate=checked(vendor, validate), json_schema=schemas)


def _schemas(vendor: str, held: object) -> JsonSchemas | None:
    """Read how the validator is written as JSON Schema.

    ``json_schema`` is asked in our way, ``input("draft-2020-12")``; ``jsonSchema``
    in that of Standard Schema, ``input({"target": "draft-2020-12"})``.
    """
    ours, theirs = member(held, "json_schema"), member(held, "jsonSchema")
    found = theirs if ours is None else ours
    if found is None or isinstance(found, JsonSchemas):
        return found
    ways: list[Callable[[Any], Any]] = []
    for direction in ("input", "output"):
        way = member(found, direction)
        if not callable(way):
            raise InvalidStandard(vendor, f"its JSON Schema has no {direction} to call")
        ways.append(_with_options(way) if found is theirs else way)
    return JsonSchemas(input=ways[0], output=ways[1])


def _with_options(way: Callable[[Any], Any]) -> ToJsonSchema:
    def ask(target: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = way({"target": target})
        return found

    return ask
