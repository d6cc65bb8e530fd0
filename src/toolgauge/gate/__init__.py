"""The one way that every call takes: lookup, input, handler, output, answer.

Knows nothing of sockets or pages; imports ``contract`` and ``envelope``.
"""

from __future__ import annotations

from toolgauge.envelope import Recorder, Recording
from toolgauge.gate.canonical import Caller, CanonicalDialect, Reply
from toolgauge.gate.contract_check import ContractCheck
from toolgauge.gate.deadlines import Cut, Deadlines
from toolgauge.gate.errors import (
    CallStopped,
    CallTimedOut,
    InvalidBundle,
    InvalidOutput,
    InvalidResult,
    NoHandler,
    TooManyCalls,
)
from toolgauge.gate.gate import Gate, Outcome, Verdict
from toolgauge.gate.running import Runner
from toolgauge.gate.schemas import SchemaRegistry, ToolIO

__all__ = [
    "CallStopped",
    "CallTimedOut",
    "Caller",
    "CanonicalDialect",
    "ContractCheck",
    "Cut",
    "Deadlines",
    "Gate",
    "InvalidBundle",
    "InvalidOutput",
    "InvalidResult",
    "NoHandler",
    "Outcome",
    "Recorder",
    "Recording",
    "Reply",
    "Runner",
    "SchemaRegistry",
    "TooManyCalls",
    "ToolIO",
    "Verdict",
]
