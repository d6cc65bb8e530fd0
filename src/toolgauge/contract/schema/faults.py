"""What is wrong with a schema, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs

from toolgauge.contract.extent import iter_values
from toolgauge.contract.issues import Issue
from toolgauge.contract.pointers import to_pointer

if TYPE_CHECKING:
    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.schema.dialects import Dialect

_MAX_WORDED_SUBSCHEMAS = 100
"""The reference library needs about 0.3 ms a subschema to word a fault."""

_MAX_WORDED_ITEMS = 64
"""It compares the items of a list with each other, unless all of them are text."""


def invalid_schema(reason: str, bounds: Bounds) -> Issue:
    """Give the issue that stands for a schema which nothing can be held against.

    Source: decision V8: ``path`` is the root and ``keyword`` is ``"schema"``.
    """
    return Issue(message=cut(f"Invalid schema: {reason}", bounds), keyword="schema")


def cut(message: str, bounds: Bounds) -> str:
    """Keep a message within its bound, and show where it was cut."""
    limit = bounds.max_message_chars
    return message if len(message) <= limit else f"{message[: limit - 1]}…"


def reason_of(
    error: jsonschema_rs.ValidationError | ValueError,
    schema: Any,
    dialect: Dialect,
    subschemas: int,
) -> str:
    """Say why the engine did not take a schema.

    The reference library's words where the schema breaks its meta-schema and
    is small enough for it, and ours where a reference or a pattern is at fault.
    """
    if not isinstance(error, jsonschema_rs.ValidationError):
        return str(error)
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Referencing):
        return _reference_reason(error.message)
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Format):
        # The one format that the engine asserts in a schema: patterns.
        return f"{error.instance!r} is not a regular expression{_at(error.instance_path)}"
    if subschemas <= _MAX_WORDED_SUBSCHEMAS and not _has_long_list(schema):
        worded = _worded(schema, dialect)
        if worded is not None:
            return worded
    return f"{error.message}{_at(error.instance_path)}"


def _has_long_list(schema: Any) -> bool:
    """Tell whether a schema holds a long list of other things than text."""
    return any(
        len(each) > _MAX_WORDED_ITEMS and not all(isinstance(item, str) for item in each)
        for each in iter_values(schema)
        if isinstance(each, list)
    )


def _at(path: Any) -> str:
    pointer = to_pointer(path)
    return f" at {pointer}" if pointer else ""


def _reference_reason(message: str) -> str:
    """Word a reference that leads nowhere, or out of the document."""
    if "Retrieval is disabled" in message or "not present in a registry" in message:
        uri = message.split("'")[1] if "'" in message else "?"
        return f"reference to {uri!r} leaves this schema, and none is ever fetched"
    return f"a reference leads nowhere: {message}"


def _worded(schema: Any, dialect: Dialect) -> str | None:
    """Let the reference library say what is wrong; it is loaded for this alone."""
    from jsonschema import SchemaError  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415

    try:
        validator_for({"$schema": dialect.uri}).check_schema(schema)
    except SchemaError as error:
        return f"{error.message}{_at(error.absolute_path)}"
    return None
