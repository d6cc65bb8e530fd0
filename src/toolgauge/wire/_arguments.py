"""The arguments of a call: JSON text or an object, whichever the provider sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgauge.contract import InvalidJson, Issue, parse_json
from toolgauge.wire._format import WireCall


def read_call(
    name: object,
    arguments: object,
    id: object = None,  # noqa: A002 - named as the field
    **echo: Any,
) -> WireCall:
    """Read one call, and keep what is wrong with it beside it.

    Args:
        name: The tool's name.
        arguments: An object or JSON text. ``None`` and blank text stand for no
            arguments: that is how models call a tool that has none.
        id: The provider's name for the call.
        echo: Members that go back on the result; those that are ``None`` do not.
    """
    value, issues = _read_arguments(arguments)
    if not isinstance(name, str) or not name:
        issues = (Issue(message="the call names no tool"), *issues)
    return WireCall(
        name=name if isinstance(name, str) else "",
        arguments=value,
        id=id if isinstance(id, str) else None,
        issues=issues,
        echo={key: each for key, each in echo.items() if each is not None},
    )


def _read_arguments(arguments: object) -> tuple[Any, tuple[Issue, ...]]:
    value: Any = arguments
    if isinstance(arguments, str):
        if not arguments.strip():
            return {}, ()
        try:
            value = parse_json(arguments)
        except InvalidJson as error:
            return arguments, (Issue(message=f"arguments are no JSON text: {error.reason}"),)
    if value is None:
        return {}, ()
    if not isinstance(value, Mapping):
        found = _KINDS.get(type(value), type(value).__name__)
        message = f"arguments are {found}, not an object"
        return value, (Issue(message=message, keyword="type"),)
    return dict(value), ()


_KINDS = {
    str: "a string",
    list: "an array",
    bool: "a boolean",
    int: "a number",
    float: "a number",
}
