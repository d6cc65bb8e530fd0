"""The one way that every call takes: lookup, input, handler, answer.

Knows nothing of sockets or pages; imports ``contract``.
"""

from __future__ import annotations

from toolgauge.gate.checks import ArgumentCheck
from toolgauge.gate.errors import CallTimedOut, InvalidResult, NoHandler, TooManyCalls
from toolgauge.gate.gate import Gate
from toolgauge.gate.running import Runner

__all__ = [
    "ArgumentCheck",
    "CallTimedOut",
    "Gate",
    "InvalidResult",
    "NoHandler",
    "Runner",
    "TooManyCalls",
]
