"""The canonical dialect: one message in, its answer and its log line out.

The envelope is the one of ``envelope.schema.json``::

    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"tool": "mcp.tool:search", "input": {"query": "tea"}},
    }

The answer to it is either of::

    {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "tool": "mcp.tool:search",
            "output": {"hits": []},
            "content": [...],
            "isError": false,
        },
    }
    {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {
            "code": -32602,
            "message": "Invalid params",
            "data": {"canonical_code": "INVALID_INPUT", "errors": [...]},
        },
    }

``output`` is the tool's structured content, ``null`` where it gives none. ``path`` in
``errors`` is a pointer into the message, or into the answer for INVALID_OUTPUT.

What is no JSON object never was an envelope: it is answered with JSON-RPC's own codes,
-32700 and -32600, and id null (decision E8). Every other deviation is -32602 (E3).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue, dump_json
from toolgauge.envelope import (
    CanonicalError,
    Malformed,
    Notification,
    Recorder,
    Response,
    error_message,
    meta_of,
    placed,
    read_frame,
    result_message,
    to_tool_name,
    too_long,
)
from toolgauge.envelope.messages import PARSE_ERROR
from toolgauge.gate.gate import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from toolgauge.contract import CallResult
    from toolgauge.envelope import Id, Recording, Request
    from toolgauge.gate.gate import Gate, Outcome

_LOG = logging.getLogger(__name__)

METHOD = "tools/call"
_INPUT = ("params", "input")
_OUTPUT = ("result", "output")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes back for one message.

    Attributes:
        status: The canonical HTTP status: 202 for a notification, 400 for a response,
            neither of which has a body.
        body: The answer as JSON, ``None`` where none is due.
        is_busy: Whether trying again later may help.
        error: What was raised on the way of a call, for a host that wraps one.
    """

    status: int
    body: bytes | None = None
    is_busy: bool = False
    error: Exception | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Where a message came from.

    Attributes:
        transport: ``"http"`` or ``"stdio"``.
        route: ``"/rpc"`` or ``"stdio"``.
        request: What the transport knows of the caller, for handlers that ask.
        traceparent: The header of that name, ``None`` to look into ``_meta``.
    """

    transport: str
    route: str
    request: object = None
    traceparent: str | None = None


class CanonicalDialect:
    """Answers messages of the canonical dialect. Safe for concurrent messages.

    Args:
        gate: Where calls go.
        recorder: Writes the log.
    """

    __slots__ = ("_bounds", "_envelope", "_gate", "_recorder")

    def __init__(self, gate: Gate, recorder: Recorder | None = None) -> None:
        self._gate = gate
        self._bounds = gate.bounds
        self._recorder = recorder or Recorder()
        self._envelope = gate.schemas.load_envelope()

    async def answer(self, raw: bytes, caller: Caller) -> Reply:
        """Answer one message. Never raises for what is in it.

        Args:
            raw: One line without its end, or one body.
            caller: Where it came from.
        """
        frame = read_frame(raw, bounds=self._bounds)
        if isinstance(frame, Notification):
            return Reply(status=202)
        if isinstance(frame, Response):
            return Reply(status=400)
        if isinstance(frame, Malformed):
            return self._refuse_frame(frame, raw, caller)
        return await self._answer_request(frame, caller)

    def refuse_too_long(self, caller: Caller) -> Reply:
        """Answer a message that the transport stopped reading."""
        return self._refuse_frame(too_long(self._bounds), b"too long", caller)

    def refuse_unread(self, code: str, caller: Caller) -> Reply:
        """Answer a message that nobody read, since its sender may not send any.

        Raises:
            KeyError: If there is no such canonical code.
        """
        with self._line(code.encode(), caller) as recording:
            recording.fail(code)
            return _failure(None, code)

    def _refuse_frame(self, frame: Malformed, raw: bytes, caller: Caller) -> Reply:
        """Answer what is no request, if it is to be answered."""
        if not frame.is_logged:
            return Reply(status=400)
        found = frame.found
        issues = self._frame_issues(frame)
        params = found.get("params") if found is not None else None
        with self._line(raw if found is None else found, caller, frame.method, params) as recording:
            recording.fail("INVALID_INPUT", issues)
            if not frame.is_answered:
                # What looks like a notification gets 202 though it is none: its sender
                # does not read answers.
                return Reply(status=202)
            if found is not None:
                return _failure(frame.id, "INVALID_INPUT", issues)
            own = (frame.code, frame.message)
            return _failure(frame.id, "INVALID_INPUT", issues, instead=own)

    def _frame_issues(self, frame: Malformed) -> tuple[Issue, ...]:
        """Say what is wrong with a frame in the words of the envelope's schema."""
        if frame.found is not None:
            issues = self._envelope.issues(frame.found)
            if issues:
                return issues
            # An integer to JSON Schema, and no id: 1.0.
            return (Issue(path=("id",), message=frame.reason, keyword="type"),)
        if frame.code == PARSE_ERROR:
            return (Issue(message=f"Invalid JSON: {frame.reason}", keyword="format"),)
        return (Issue(message=frame.reason, keyword="type"),)

    def _line(
        self, message: object, caller: Caller, method: str | None = None, params: object = None
    ) -> AbstractContextManager[Recording]:
        """Make the log line of a message: parsed JSON, or the bytes that are none."""
        named = params.get("tool") if isinstance(params, dict) else None
        sent = caller.traceparent
        return self._recorder.request(
            self._recorder.identity(message),
            transport=caller.transport,
            route=caller.route,
            method=method,
            tool=named if isinstance(named, str) else None,
            traceparent=meta_of(params).get("traceparent") if sent is None else sent,
        )

    async def _answer_request(self, frame: Request, caller: Caller) -> Reply:
        params = frame.params or {}
        with self._line(frame.message, caller, frame.method, params) as recording:
            issues = self._envelope.issues(frame.message)
            if issues:
                recording.fail("INVALID_INPUT", issues)
                return _failure(frame.id, "INVALID_INPUT", issues)
            if frame.method != METHOD:
                recording.fail("NOT_FOUND")
                words = f"there is one method: {METHOD}"
                return _failure(frame.id, "NOT_FOUND", [Issue(path=("method",), message=words)])
            name = to_tool_name(params["tool"])
            outcome = await self._gate.walk(name, params["input"], caller.request)
            outcome.record(recording, input_prefix=_INPUT, output_prefix=_OUTPUT)
            return _reply(frame.id, params["tool"], outcome, recording)


def _reply(ident: Id, tool_id: str, outcome: Outcome, recording: Recording) -> Reply:
    """Say an outcome in the canonical dialect."""
    if outcome.result is not None:
        try:
            return Reply(
                status=200,
                body=dump_json(result_message(ident, _result(tool_id, outcome.result))),
            )
        except (TypeError, ValueError) as error:
            _LOG.warning("the answer of %s is no JSON: %s", tool_id, error)
            recording.fail("INVALID_OUTPUT", [Issue(message="not JSON")], ("result",))
            return _failure(ident, "INVALID_OUTPUT")
    code = outcome.code or "INTERNAL_ERROR"
    reply = _failure(ident, code, _told(outcome))
    is_busy = outcome.verdict is Verdict.BUSY
    return replace(reply, is_busy=is_busy, error=outcome.error)


def _told(outcome: Outcome) -> list[Issue]:
    """Give what the caller may know of a call that did not come off."""
    if outcome.verdict is Verdict.INVALID_INPUT:
        return [placed(issue, _INPUT) for issue in outcome.issues]
    if outcome.verdict is Verdict.INVALID_OUTPUT:
        # The messages would quote the very answer that must not leave.
        return [
            Issue(path=(*_OUTPUT, *issue.path), message="breaks the schema", keyword=issue.keyword)
            for issue in outcome.issues
        ]
    if outcome.verdict is Verdict.UNKNOWN_TOOL:
        return [Issue(path=("params", "tool"), message=str(outcome.error))]
    if outcome.verdict in {Verdict.TIMED_OUT, Verdict.BUSY, Verdict.STOPPED}:
        return [Issue(message=str(outcome.error))]
    return []


def _result(tool_id: str, result: CallResult) -> dict[str, Any]:
    """Write a tool's answer."""
    wire: dict[str, Any] = {
        "tool": tool_id,
        "output": result.structured,
        "content": list(result.content),
        "isError": result.is_error,
    }
    if result.trace_id:
        wire["_meta"] = {"_trace_id": result.trace_id}
    return wire


def _failure(
    ident: Id | None,
    code: str,
    issues: Sequence[Issue] = (),
    instead: tuple[int, str] | None = None,
) -> Reply:
    """Write an error, with JSON-RPC's own code and words ``instead`` of ours where given."""
    error = CanonicalError.to_jsonrpc_error(code)
    if instead is not None:
        error["code"], error["message"] = instead
    if issues:
        error["data"]["errors"] = [issue.to_json() for issue in issues]
    status = CanonicalError.of(code).http_status
    return Reply(status=status, body=dump_json(error_message(ident, error)))
