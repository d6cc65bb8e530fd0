"""From the arrival of a request to its log line: ids, time, span, what became of it.

Both dialects and all transports log through here, so that their lines are alike.
"""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.contract import SchemaCompiler
from toolgauge.contract.fingerprints import canonical_text
from toolgauge.envelope import (
    CanonicalError,
    LogError,
    LogRecord,
    RandomIds,
    discard_record,
    log_errors,
    read_traceparent,
    to_tool_id,
)
from toolgauge.gate.fingerprints import Fingerprints
from toolgauge.gate.walking import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from toolgauge.contract import Issue, Path, Tool
    from toolgauge.envelope import Ids, Parent, RequestIds, WriteRecord
    from toolgauge.gate.walking import Outcome

CANCELLED_STATUS = 499
"""No canonical code: the caller took the request back, or hung up, before its answer."""

StartSpan: TypeAlias = (
    "Callable[[Recording, RequestIds, Parent | None], AbstractContextManager[RequestIds]]"
)
"""Holds a span around a request, and gives the ids that it really has."""

VERDICT_CODES: dict[Verdict, str | None] = {
    Verdict.DONE: None,
    Verdict.UNKNOWN_TOOL: "NOT_FOUND",
    Verdict.INVALID_INPUT: "INVALID_INPUT",
    Verdict.INVALID_OUTPUT: "INVALID_OUTPUT",
    Verdict.CRASHED: "INTERNAL_ERROR",
    Verdict.TIMED_OUT: "INTERNAL_ERROR",
    Verdict.BUSY: "INTERNAL_ERROR",
    Verdict.STOPPED: "INTERNAL_ERROR",
}
"""What each end of a call is called. Canonical codes tell callers no more than this."""


class Recording:
    """One request while it is answered. Fill it in; the line is written at the end.

    Attributes:
        method: JSON-RPC's method, ``None`` where none could be read.
        tool: ``"mcp.tool:<name>"``, ``None`` where no tool was named.
        code: A canonical code, ``None`` while all is well.
        errors: What is wrong with the message or the answer.
        input_fingerprint: Of the tool's input schema.
        output_fingerprint: Of its output schema.
    """

    __slots__ = (
        "_fingerprints",
        "code",
        "errors",
        "input_fingerprint",
        "method",
        "output_fingerprint",
        "tool",
    )

    def __init__(self, fingerprints: Fingerprints, method: str | None, tool: str | None) -> None:
        self._fingerprints = fingerprints
        self.method: str | None = method
        self.tool: str | None = tool
        self.code: str | None = None
        self.errors: tuple[LogError, ...] = ()
        self.input_fingerprint: str | None = None
        self.output_fingerprint: str | None = None

    def fail(self, code: str, issues: Iterable[Issue] = (), prefix: Path = ()) -> None:
        """Say what went wrong.

        Args:
            code: A canonical code.
            issues: What is wrong with a value.
            prefix: Where in the message that value lies: ``("params", "arguments")``.

        Raises:
            KeyError: If there is no such code.
        """
        self.code = CanonicalError.of(code).code
        self.errors = log_errors(issues, prefix)

    def named(self, tool: Tool) -> None:
        """Say which tool was found."""
        self.tool = to_tool_id(tool.name)
        self.input_fingerprint, self.output_fingerprint = self._fingerprints.of(tool)

    def ended(self, outcome: Outcome, *, input_prefix: Path, output_prefix: Path) -> None:
        """Say how a call ended.

        Args:
            outcome: What the gate gave.
            input_prefix: Where the arguments lie in the message.
            output_prefix: Where the structured content lies in the answer.
        """
        if outcome.tool is not None:
            self.named(outcome.tool)
        code = VERDICT_CODES[outcome.verdict]
        if code is not None:
            is_input = outcome.verdict is Verdict.INVALID_INPUT
            self.fail(code, outcome.issues, input_prefix if is_input else output_prefix)


class Recorder:
    """Opens recordings, and writes them to a log.

    Args:
        ids: Names requests; at random by default.
        write: Takes each record: ``ContractLog.write``, or nothing at all.
        start_span: Holds a span of a tracing system around each request.

    Example:
        >>> lines = []
        >>> recorder = Recorder(write=lines.append)
        >>> with recorder.request(b"{}", transport="http", route="/rpc") as recording:
        ...     recording.fail("NOT_FOUND")
        >>> lines[0].status
        404
    """

    __slots__ = ("_fingerprints", "_ids", "_start_span", "_write", "is_on")

    def __init__(
        self,
        *,
        ids: Ids | None = None,
        write: WriteRecord = discard_record,
        start_span: StartSpan | None = None,
    ) -> None:
        self._ids: Ids = ids or RandomIds()
        self._write = write
        self._start_span = start_span
        self._fingerprints = Fingerprints(SchemaCompiler())
        self.is_on: bool = write is not discard_record or start_span is not None

    def identity(self, message: object) -> bytes:
        """Give what deterministic ids are made of; nothing where ids are random.

        Args:
            message: The message as parsed JSON, or the bytes that are none.
        """
        if not self._ids.is_deterministic:
            return b""
        return message.strip() if isinstance(message, bytes) else canonical_text(message)

    @contextmanager
    def request(  # noqa: PLR0913 - what a transport knows of a request
        self,
        request: bytes,
        *,
        transport: str,
        route: str,
        method: str | None = None,
        tool: str | None = None,
        traceparent: object = None,
    ) -> Iterator[Recording]:
        """Record one request, from here to the end of the block.

        A block that is cancelled is recorded with status 499, one that raises as
        an internal error.

        Args:
            request: What deterministic ids are made of: see ``identity``.
            transport: ``"http"`` or ``"stdio"``.
            route: ``"/rpc"``, ``"/mcp"`` or ``"stdio"``.
            method: As for ``Recording``.
            tool: As for ``Recording``.
            traceparent: What the caller says of its own span, unread.
        """
        recording = Recording(self._fingerprints, method, tool)
        received_s, begun_s = time.time(), time.perf_counter()
        parent = read_traceparent(traceparent)
        ids = self._ids.next(request, parent)
        is_cancelled = False
        span = self._start_span(recording, ids, parent) if self._start_span else nullcontext(ids)
        try:
            with span as real:
                if not self._ids.is_deterministic:
                    ids = real
                yield recording
        except Exception:
            recording.fail("INTERNAL_ERROR")
            raise
        except BaseException:
            is_cancelled = True
            raise
        finally:
            self._write(
                LogRecord(
                    ids=ids,
                    received_s=received_s,
                    duration_ms=(time.perf_counter() - begun_s) * 1000,
                    transport=transport,
                    route=route,
                    is_deterministic=self._ids.is_deterministic,
                    **_written(recording, is_cancelled=is_cancelled),
                )
            )


def _written(recording: Recording, *, is_cancelled: bool) -> dict[str, Any]:
    """Give what a recording has to say in its record."""
    status = 200 if recording.code is None else CanonicalError.of(recording.code).http_status
    return {
        "method": recording.method,
        "tool": recording.tool,
        "status": CANCELLED_STATUS if is_cancelled else status,
        "canonical_code": None if is_cancelled else recording.code,
        "errors": recording.errors,
        "input_fingerprint": recording.input_fingerprint,
        "output_fingerprint": recording.output_fingerprint,
    }
