"""The log record: one request, without a word of what it said.

The same on every transport, apart from the ids, the times and the route (decision
E7). It carries neither argument values nor messages, which quote them (V15, E16):
only where something was wrong, and by which keyword.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolgauge.contract import Issue, dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolgauge.contract import Path
    from toolgauge.envelope.ids import RequestIds

SCHEMA_VERSION: Final = "1"
"""Of the record: raised when a member changes its meaning or goes away."""

VOLATILE: Final = ("ts", "traceId", "spanId", "requestId", "durationMs")
ROUTING: Final = ("transport", "route")

_MAX_ERRORS: Final = 50
_MAX_TEXT_CHARS: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class LogError:
    """Where a message was wrong.

    Attributes:
        path: RFC 6901 pointer into the message (``/params/input/city``) or into
            the answer (``/result/structuredContent/hits``).
        keyword: The JSON Schema keyword that failed, ``None`` where there is none.
    """

    path: str
    keyword: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """One request and what became of it.

    Attributes:
        ids: What the request is called in traces.
        received_s: When it came, in seconds since 1970.
        duration_ms: From the last byte of the request to its answer.
        transport: ``"http"`` or ``"stdio"``.
        route: ``"/rpc"``, ``"/mcp"``, ``"/call"`` or ``"stdio"``.
        method: JSON-RPC's method, ``None`` where none could be read.
        tool: ``"mcp.tool:<name>"``, ``None`` where no tool was named.
        status: The canonical HTTP status, also where there is no HTTP.
        canonical_code: ``None`` where all went well.
        errors: What was wrong; at most 50 are written.
        input_fingerprint: Of the tool's input schema, ``None`` where it is not known.
        output_fingerprint: Of its output schema, ``None`` where it has none.
        is_deterministic: Whether the ids can be reproduced.
    """

    ids: RequestIds
    received_s: float
    duration_ms: float
    transport: str
    route: str
    method: str | None = None
    tool: str | None = None
    status: int = 200
    canonical_code: str | None = None
    errors: tuple[LogError, ...] = ()
    input_fingerprint: str | None = None
    output_fingerprint: str | None = None
    is_deterministic: bool = False

    def to_json(self) -> dict[str, Any]:
        """Give the record as it is written: every member always there, in this order."""
        moment = datetime.fromtimestamp(self.received_s, UTC)
        return {
            "ts": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "traceId": self.ids.trace_id,
            "spanId": self.ids.span_id,
            "requestId": self.ids.request_id,
            "durationMs": round(self.duration_ms, 3),
            "transport": self.transport,
            "route": self.route,
            "method": _cut(self.method),
            "tool": _cut(self.tool),
            "status": self.status,
            "canonicalCode": self.canonical_code,
            "errors": [
                {"path": _cut(each.path), "keyword": each.keyword}
                for each in self.errors[:_MAX_ERRORS]
            ],
            "inputFingerprint": self.input_fingerprint,
            "outputFingerprint": self.output_fingerprint,
            "schemaVersion": SCHEMA_VERSION,
            "deterministic": self.is_deterministic,
        }

    def to_line(self) -> bytes:
        """Give the record as one line of JSON, with its end."""
        return dump_json(self.to_json()) + b"\n"


WriteRecord: TypeAlias = "Callable[[LogRecord], None]"
"""Takes each record when its request is answered. It never raises and never waits."""


def discard_record(record: LogRecord) -> None:
    """Take a record where there is no log."""


def log_errors(issues: Iterable[Issue], prefix: Path = ()) -> tuple[LogError, ...]:
    """Give what a log may say of issues.

    Args:
        issues: What was found.
        prefix: Where in the message their value lies: ``("params", "arguments")``.
    """
    return tuple(
        LogError(path=placed(each, prefix).pointer, keyword=each.keyword) for each in issues
    )


def placed(issue: Issue, prefix: Path) -> Issue:
    """Give an issue with its path counted from the root of the message."""
    return Issue(
        path=(*prefix, *issue.path),
        message=issue.message,
        keyword=issue.keyword,
        hint=issue.hint,
        causes=tuple(placed(each, prefix) for each in issue.causes),
    )


def _cut(text: str | None) -> str | None:
    """Keep a peer's own text short; a lone surrogate, which JSON cannot carry, is shown."""
    if text is None:
        return None
    shown = text if len(text) <= _MAX_TEXT_CHARS else f"{text[:_MAX_TEXT_CHARS]}…"
    return shown.encode("utf-8", "backslashreplace").decode()
