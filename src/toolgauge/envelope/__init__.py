"""JSON-RPC frames, canonical errors, log records. Pure: no input, no output.

Imports ``contract`` and no third party.
"""

from __future__ import annotations

from toolgauge.envelope.codes import CANONICAL_ERRORS, CanonicalCode, CanonicalError
from toolgauge.envelope.logs import (
    DEFAULT_SEED,
    DeterministicIds,
    Ids,
    LogError,
    LogRecord,
    Parent,
    RandomIds,
    Recorder,
    Recording,
    RequestIds,
    StartSpan,
    WriteRecord,
    discard_record,
    log_errors,
    placed,
    read_traceparent,
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
    meta_of,
    read_frame,
    result_message,
    to_tool_id,
    to_tool_name,
    too_long,
)

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
    "Recorder",
    "Recording",
    "Request",
    "RequestIds",
    "Response",
    "StartSpan",
    "WriteRecord",
    "discard_record",
    "error_message",
    "is_id",
    "log_errors",
    "meta_of",
    "placed",
    "read_frame",
    "read_traceparent",
    "result_message",
    "to_tool_id",
    "to_tool_name",
    "too_long",
]
