"""The log: how requests are named, and the record of each, without a word of what it said.

A record is the same on every transport, apart from the ids, the times and the route
(decision E7). It carries neither argument values nor messages, which quote them (V15,
E16): only where something was wrong, and by which keyword.

Source: W3C Trace Context, level 1: a trace id has 16 bytes, a span id 8, both in
lowercase hex and never all zero. UUID version 5: RFC 9562, section 5.5.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
import uuid
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolgauge.contract import Issue, SchemaCompiler, dump_json, fingerprint
from toolgauge.contract.fingerprints import canonical_text
from toolgauge.envelope.codes import CanonicalError
from toolgauge.envelope.messages import to_tool_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from toolgauge.contract import CompiledSchema, Path, Tool


DEFAULT_SEED: Final = "0"
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "urn:toolgauge:deterministic-ids")
_MAX_REMEMBERED: Final = 65_536

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """The span that a request was made in, as ``traceparent`` says it.

    Attributes:
        trace_id: 32 hex digits.
        span_id: 16 hex digits.
        flags: 8 bits; the lowest says that the trace is sampled.
    """

    trace_id: str
    span_id: str
    flags: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIds:
    """What one request is called.

    Attributes:
        trace_id: 32 hex digits, the caller's where it sent a ``traceparent``.
        span_id: 16 hex digits.
        request_id: A UUID.
    """

    trace_id: str
    span_id: str
    request_id: str


def read_traceparent(text: object) -> Parent | None:
    """Read a ``traceparent``; ``None`` for anything that is not a valid one.

    Example:
        >>> read_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").flags
        1
    """
    match = _TRACEPARENT.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        return None
    version, trace_id, span_id, flags, more = match.groups()
    # "Version ff is invalid"; version 00 has exactly four fields, later ones may have more.
    is_broken = version == "ff" or (version == "00" and more is not None)
    if is_broken or not int(trace_id, 16) or not int(span_id, 16):
        return None
    return Parent(trace_id=trace_id, span_id=span_id, flags=int(flags, 16))


class RandomIds:
    """Makes ids that nobody can foresee."""

    is_deterministic: Final = False

    def next(self, request: bytes, parent: Parent | None = None) -> RequestIds:  # noqa: ARG002 - alike
        """Name a request; its bytes do not matter."""
        drawn = os.urandom(40)
        return RequestIds(
            trace_id=parent.trace_id if parent else drawn[:16].hex(),
            span_id=drawn[16:24].hex(),
            request_id=str(uuid.UUID(bytes=drawn[24:], version=4)),
        )


class DeterministicIds:
    """Makes the same ids for the same requests, in whatever order they arrive.

    A request is named by its content and by how many equal ones came before it,
    so that transports which deliver in another order give the same ids (decision
    E11). The last 65,536 different requests are remembered; one that comes again
    after that counts as new.

    Args:
        seed: Another seed gives other ids.
    """

    is_deterministic: Final = True

    def __init__(self, seed: str = DEFAULT_SEED) -> None:
        self._namespace = uuid.uuid5(_NAMESPACE, seed)
        self._seen: dict[str, int] = {}

    def next(self, request: bytes, parent: Parent | None = None) -> RequestIds:
        """Name a request.

        Args:
            request: Bytes that are equal for equal requests: the canonical JSON of
                the message, or what came where it is none.
            parent: The caller's span, if it told.
        """
        digest = hashlib.sha256(request).hexdigest()
        occurrence = self._seen.pop(digest, 0)
        self._seen[digest] = occurrence + 1
        if len(self._seen) > _MAX_REMEMBERED:
            del self._seen[next(iter(self._seen))]

        def named(kind: str) -> uuid.UUID:
            return uuid.uuid5(self._namespace, f"{kind}:{digest}:{occurrence}")

        return RequestIds(
            trace_id=parent.trace_id if parent else named("trace").hex,
            span_id=named("span").hex[16:],
            request_id=str(named("request")),
        )


Ids = RandomIds | DeterministicIds
"""Either way of naming requests."""


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


CANCELLED_STATUS = 499
"""No canonical code: the caller took the request back, or hung up, before its answer."""

StartSpan: TypeAlias = (
    "Callable[[Recording, RequestIds, Parent | None], AbstractContextManager[RequestIds]]"
)
"""Holds a span around a request, and gives the ids that it really has."""


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


_MAX_KNOWN = 4_096


class Fingerprints:
    """Remembers fingerprints by compiled schema, which there is one of for each content.

    Args:
        compiler: Finds the compiled schema of a content.
    """

    __slots__ = ("_compiler", "_known")

    def __init__(self, compiler: SchemaCompiler) -> None:
        self._compiler = compiler
        self._known: dict[int, tuple[CompiledSchema, str | None]] = {}

    def of(self, tool: Tool) -> tuple[str | None, str | None]:
        """Give the fingerprints of a tool's input and output schema.

        ``None`` stands for no output schema, and for what JSON has no form for.
        """
        output = tool.output_schema
        return self.of_schema(tool.input_schema), None if output is None else self.of_schema(output)

    def of_schema(self, schema: object) -> str | None:
        """Give the fingerprint of one schema; ``None`` if JSON has no form for it."""
        compiled = self._compiler.compile(schema)
        known = self._known.get(id(compiled))
        if known is not None and known[0] is compiled:
            return known[1]
        found = _fingerprint(schema)
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        self._known[id(compiled)] = (compiled, found)
        return found


def _fingerprint(schema: object) -> str | None:
    try:
        return fingerprint({} if schema is None else schema)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError):
        return None
