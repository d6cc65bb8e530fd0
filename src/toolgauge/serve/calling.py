"""Calls over HTTP: ``POST /tools/{name}/call``, and ``POST /rpc`` in the canonical dialect.

In this order: is execution on, is there such a tool, may the caller, is it JSON, do the
arguments conform to the contract (decision D18), and does the result.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from toolgauge.contract import InvalidJson, UnknownTool, parse_json
from toolgauge.envelope import to_tool_id
from toolgauge.gate import (
    Caller,
    CallStopped,
    CallTimedOut,
    Recorder,
    Reply,
    TooManyCalls,
    Verdict,
)
from toolgauge.serve.access import HookRaised, Unauthorized, inside_auth
from toolgauge.serve.discovery import invalid_json
from toolgauge.serve.messages import (
    DISABLED,
    NOT_JSON,
    TOO_LARGE,
    UNAUTHORIZED,
    Answer,
    BodyTooLarge,
    answer,
    error_answer,
    header,
    is_declared_too_large,
    is_json,
    issues_body,
    json_answer,
    read_body,
    written_answer,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from starlette.types import Receive, Scope

    from toolgauge.contract import CallResult, Issue, Tool
    from toolgauge.gate import CanonicalDialect, Gate, Outcome, Recording
    from toolgauge.serve.messages import Header
    from toolgauge.serve.settings import Settings

_LOG = logging.getLogger(__name__)

_BUSY = error_answer(503, "Too many calls in flight", (b"retry-after", b"1"))
_STOPPING = error_answer(503, "The server is stopping")
_CRASHED = json_answer(
    500, {"content": [{"type": "text", "text": "Internal error"}], "isError": True}
)
_METHOD = "tools/call"
# A line of the log is that of the same call over MCP.
_INPUT = ("params", "arguments")
_OUTPUT = ("result", "structuredContent")
_KEPT = (b"toolgauge-output-schema", b"kept")
_MAX_BREACHES = 100


class Calling:
    """Answers call requests.

    Args:
        gate: The tools, and where their calls go.
        settings: Whether anything may be run at all and by whom, the bounds on bodies
            and values, and the log.
    """

    def __init__(self, gate: Gate, settings: Settings) -> None:
        self._gate = gate
        self._settings = settings
        self._recorder = settings.recorder or Recorder()

    async def answer(self, name: str, scope: Scope, receive: Receive) -> Answer:
        """Answer a call.

        Raises:
            UnknownTool: If there is no tool of this name.
        """
        if not self._settings.allow_execute:
            return DISABLED
        request = Request(scope, receive)
        try:
            tool = await self._gate.catalog.find(name, request)
        except UnknownTool:
            self._reject("NOT_FOUND", name, scope)
            raise
        try:
            found = await inside_auth(
                self._settings.auth_hook, request, lambda: self._call(tool, request), _error_of
            )
        except Unauthorized:
            self._reject("UNAUTHORIZED", name, scope)
            return UNAUTHORIZED
        except HookRaised as raised:
            text = "the auth hook raised while tool %r was called"
            _LOG.error(text, tool.name, exc_info=raised.__cause__)
            return _failed(raised.__cause__)
        return _failed(found) if isinstance(found, Exception) else found

    async def _call(self, tool: Tool, request: Request) -> Answer | Exception:
        """Read the body and run the call; return what the tool's own code raised."""
        if not is_json(request.scope):
            return NOT_JSON
        bounds = self._settings.bounds
        try:
            body = await _read(request, bounds.max_body_bytes)
            arguments = parse_json(body, max_depth=bounds.max_instance_depth)
        except BodyTooLarge:
            return TOO_LARGE
        except InvalidJson as error:
            self._reject("INVALID_INPUT", tool.name, request.scope)
            return invalid_json(error)
        with self._recorded(tool.name, arguments, request.scope) as recording:
            outcome = await self._gate.walk_tool(tool, arguments, request)
            outcome.record(recording, input_prefix=_INPUT, output_prefix=_OUTPUT)
        return _outcome_answer(outcome)

    def _recorded(
        self, name: str, arguments: object, scope: Scope
    ) -> AbstractContextManager[Recording]:
        """Record a call under what the same call over MCP would be."""
        message = {"method": _METHOD, "params": {"name": name, "arguments": arguments}}
        return self._recorder.request(
            self._recorder.identity(message),
            transport="http",
            route="/call",
            method=_METHOD,
            tool=to_tool_id(name),
            traceparent=_traceparent(scope),
        )

    def _reject(self, code: str, name: str, scope: Scope) -> None:
        """Record a call that never came as far as its arguments."""
        with self._recorded(name, None, scope) as recording:
            recording.fail(code)


class Rpc:
    """Answers messages of the canonical dialect over HTTP.

    Args:
        dialect: Answers them.
        settings: Whether anything may be run at all and by whom, and the largest body.
    """

    def __init__(self, dialect: CanonicalDialect, settings: Settings) -> None:
        self._dialect = dialect
        self._settings = settings

    async def answer(self, scope: Scope, receive: Receive) -> Answer:
        """Answer one message."""
        if not self._settings.allow_execute:
            return DISABLED
        request = Request(scope, receive)
        caller = Caller(
            transport="http", route="/rpc", request=request, traceparent=_traceparent(scope)
        )
        try:
            found = await inside_auth(
                self._settings.auth_hook,
                request,
                lambda: self._answer(request, caller),
                lambda found: found.error if isinstance(found, Reply) else None,
            )
        except Unauthorized:
            rejected = self._dialect.refuse_unread("UNAUTHORIZED", caller)
            return _reply_answer(rejected, (b"www-authenticate", b"Bearer"))
        except HookRaised as raised:
            _LOG.error("the auth hook raised on its way out", exc_info=raised.__cause__)
            found = self._dialect.refuse_unread("INTERNAL_ERROR", caller)
        return _reply_answer(found) if isinstance(found, Reply) else found

    async def _answer(self, request: Request, caller: Caller) -> Reply | Answer:
        """Read the body, and answer it."""
        if not is_json(request.scope):
            return NOT_JSON
        max_bytes = self._settings.bounds.max_body_bytes
        try:
            if is_declared_too_large(request.scope, max_bytes):
                raise BodyTooLarge  # noqa: TRY301 - told as one that was read
            body = await _read(request, max_bytes)
        except BodyTooLarge:
            return _reply_answer(self._dialect.refuse_too_long(caller))._replace(status=413)
        return await self._dialect.answer(body, caller)


async def _read(request: Request, max_bytes: int) -> bytes:
    """Read the body; a handler that asks for the request may read it again.

    Raises:
        BodyTooLarge: If it is larger than ``max_bytes``.
        ClientGone: If the client hangs up first.
    """
    body = await read_body(request.receive, max_bytes)
    request._body = body  # noqa: SLF001 - Starlette's own cache of it
    return body


def _traceparent(scope: Scope) -> str | None:
    sent = header(scope, b"traceparent")
    return None if sent is None else sent.decode("latin-1")


def _error_of(found: Answer | Exception) -> Exception | None:
    return found if isinstance(found, Exception) else None


def _failed(error: BaseException | None) -> Answer:
    """Answer a call that raised, and tell nothing of what."""
    if isinstance(error, TooManyCalls):
        return _BUSY
    if isinstance(error, CallTimedOut):
        return error_answer(504, f"No answer within {error.timeout_s:g} s")
    return _STOPPING if isinstance(error, CallStopped) else _CRASHED


def _outcome_answer(outcome: Outcome) -> Answer | Exception:
    """Say how a call ended; give what the tool's own code raised."""
    if outcome.result is not None:
        has_schema = outcome.tool is not None and outcome.tool.output_schema is not None
        return _result_answer(outcome.result, has_schema=has_schema)
    if outcome.verdict is Verdict.INVALID_INPUT:
        return json_answer(400, issues_body(outcome.issues))
    return outcome.error or _broken_answer(outcome.issues)


def _broken_answer(issues: Sequence[Issue]) -> Answer:
    """Say where an answer breaks the output schema, and nothing of what stood there."""
    body = {
        "content": [{"type": "text", "text": "Invalid tool output"}],
        "isError": True,
        "errors": [
            {"path": each.pointer, "message": "breaks the output schema"}
            | ({} if each.keyword is None else {"keyword": each.keyword})
            for each in issues[:_MAX_BREACHES]
        ],
    }
    return json_answer(502, body)


def _result_answer(result: CallResult, *, has_schema: bool) -> Answer:
    """Write a result in the shape that ``mcp-embedded-ui`` gives it."""
    body: dict[str, Any] = {"content": list(result.content), "isError": result.is_error}
    if result.structured is not None:
        body["structuredContent"] = result.structured
    if result.trace_id:
        body["_meta"] = {"_trace_id": result.trace_id}
    # What the gate lets out has kept its schema; what a tool says of a failure is not held
    # against it (decision E14).
    headers = (_KEPT,) if has_schema and not result.is_error else ()
    return json_answer(500 if result.is_error else 200, body, *headers)


def _reply_answer(reply: Reply, *headers: Header) -> Answer:
    """Say a reply over HTTP."""
    if reply.body is None:
        return answer(reply.status, b"", *headers)
    if reply.is_busy:
        return written_answer(503, reply.body, (b"retry-after", b"1"))
    return written_answer(reply.status, reply.body, *headers)
