"""A function behind the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.standard._protocol import Adapted, Props
from toolgauge.standard._targets import json_schemas
from toolgauge.standard.functions.arguments import Arguments
from toolgauge.standard.functions.signature import read_signature

if TYPE_CHECKING:
    from collections.abc import Callable

VENDOR = "function"


def adapt(function: Callable[..., Any]) -> Adapted[dict[str, Any]]:
    """Wrap a function: what it validates are its arguments, as one object.

    ``Success.value`` holds each parameter with its value, defaults filled in;
    parameters that get the context of a call are no part of it.

    Raises:
        UncallableSignature: A parameter cannot be filled by a named JSON value.
        UnresolvedAnnotation: An annotation names something that cannot be found.
        NoJsonSchema: A class of another library has no schema.
    """
    return from_arguments(Arguments(read_signature(function)), function)


def from_arguments(arguments: Arguments, source: object) -> Adapted[dict[str, Any]]:
    """Put the arguments of a function behind the protocol."""
    schemas = json_schemas(VENDOR, lambda: arguments.schema, arguments.output_schema)
    props = Props(vendor=VENDOR, validate=arguments.check, json_schema=schemas)
    return Adapted(props, source=source)
