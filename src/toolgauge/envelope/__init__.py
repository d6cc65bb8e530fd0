"""JSON-RPC frames, canonical errors, ids and log records. Pure: no input, no output.

Imports ``contract`` and no third party.
"""

from __future__ import annotations

from toolgauge.envelope.codes import CANONICAL_ERRORS, CanonicalCode, CanonicalError
from toolgauge.envelope.ids import (
    DEFAULT_SEED,
    DeterministicIds,
    Ids,
    Parent,
    RandomIds,
    RequestIds,
    read_traceparent,
)
from toolgauge.envelope.logs import (
    LogError,
    LogRecord,
    WriteRecord,
    discard_record,
    log_errors,
    placed,
)
from toolgauge.envelope.messages import (
    Frame,
    Id,
    Malformed,
    Notification,
    Request,
    Response,
    error_message,
    is_id,
    read_frame,
    result_message,
    too_long,
)
from toolgauge.envelope.tool_ids import to_tool_id, to_tool_name

__all__ = [
    "CANONICAL_ERRORS",
    "DEFAULT_SEED",
    "CanonicalCode",
    "CanonicalError",
    "DeterministicIds",
    "Frame",
    "Id",
    "Ids",
    "LogError",
    "LogRecord",
    "Malformed",
    "Notification",
    "Parent",
    "RandomIds",
    "Request",
    "RequestIds",
    "Response",
    "WriteRecord",
    "discard_record",
    "error_message",
    "is_id",
    "log_errors",
    "placed",
    "read_frame",
    "read_traceparent",
    "result_message",
    "to_tool_id",
    "to_tool_name",
    "too_long",
]
