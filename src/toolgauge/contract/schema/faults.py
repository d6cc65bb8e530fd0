"""What is wrong with a schema, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs
from jsonschema.exceptions import SchemaError

from toolgauge.contract.issues import Issue
from toolgauge.contract.pointers import to_pointer

if TYPE_CHECKING:
    from toolgauge.contract.bounds import Bounds
    from toolgauge.contract.schema.dialects import Dialect

_MAX_WORDED_SUBSCHEMAS = 100
"""The reference library needs about 0.3 ms a subschema to word a fault."""


def invalid_schema(reason: str, bounds: Bounds) -> Issue:
    """Give the issue that stands for a schema which nothing can be held against.

    Source: decision V8: ``path`` is the root and ``keyword`` is ``"schema"``.
    """
    message = f"Invalid schema: {reason}"
    if len(message) > bounds.max_message_chars:
        message = message[: bounds.max_message_chars - 1] + "…"
    return Issue(message=message, keyword="schema")


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
    if subschemas <= _MAX_WORDED_SUBSCHEMAS:
        try:
            dialect.reference.check_schema(schema)
        except SchemaError as worded:
            return f"{worded.message}{_at(worded.absolute_path)}"
    return f"{error.message}{_at(error.instance_path)}"


def _at(path: Any) -> str:
    pointer = to_pointer(path)
    return f" at {pointer}" if pointer else ""


def _reference_reason(message: str) -> str:
    """Word a reference that leads nowhere, or out of the document."""
    if "Retrieval is disabled" in message or "not present in a registry" in message:
        uri = message.split("'")[1] if "'" in message else "?"
        return f"reference to {uri!r} leaves this schema, and none is ever fetched"
    return f"a reference leads nowhere: {message}"
