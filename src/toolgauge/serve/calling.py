"""``POST /tools/{name}/call``: run a tool, if everything about the call is right.

In this order: is execution on, is there such a tool, may the caller, is it JSON,
does it keep the contract (decision D18), and does the answer.
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from toolgauge.contract import InvalidJson, UnknownTool, parse_json
from toolgauge.envelope import to_tool_id
from toolgauge.gate import CallStopped, CallTimedOut, Recorder, TooManyCalls, Verdict
from toolgauge.serve.answers import (
    DISABLED,
    NOT_JSON,
    TOO_LARGE,
    UNAUTHORIZED,
    Answer,
    error_answer,
    issues_body,
    json_answer,
)
from toolgauge.serve.auth import Unauthorized, enter
from toolgauge.serve.bodies import BodyTooLarge, ClientGone, header, is_json, read_body
from toolgauge.serve.validation import invalid_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from starlette.types import Receive, Scope

    from toolgauge.contract import CallResult, Catalog, Issue, Tool
    from toolgauge.gate import Outcome, Recording, Walker
    from toolgauge.serve.settings import Settings

_LOG = logging.getLogger(__name__)

_BUSY = error_answer(503, "Too many calls in flight", (b"retry-after", b"1"))
_STOPPING = error_answer(503, "The server is stopping")
_CRASHED = json_answer(
    500, {"content": [{"type": "text", "text": "Internal error"}], "isError": True}
)
_ROUTE = "/call"
_METHOD = "tools/call"
# A line of the log is that of the same call over MCP.
_INPUT = ("params", "arguments")
_OUTPUT = ("result", "structuredContent")
_KEPT = (b"toolgauge-output-schema", b"kept")
_MAX_BREACHES = 100


class Calling:
    """Answers call requests.

    Args:
        catalog: The tools.
        walker: Takes calls from their arguments to their answer.
        settings: Whether anything may be run at all and by whom, the bounds on bodies
            and values, and the log.
    """

    def __init__(self, catalog: Catalog, walker: Walker, settings: Settings) -> None:
        self._catalog = catalog
        self._walker = walker
        self._allow_execute = settings.allow_execute
        self._auth_hook = settings.auth_hook
        self._bounds = settings.bounds
        self._recorder = settings.recorder or Recorder()

    async def answer(self, name: str, scope: Scope, receive: Receive) -> Answer:
        """Answer a call.

        Raises:
            UnknownTool: If there is no tool of this name.
        """
        if not self._allow_execute:
            return DISABLED
        request = Request(scope, receive)
        try:
            tool = await self._catalog.find(name, request)
        except UnknownTool:
            self._refused("NOT_FOUND", name, scope)
            raise
        found: Answer | Exception = _CRASHED
        is_entered = False
        try:
            async with AsyncExitStack() as stack:
                if self._auth_hook is not None:
                    await enter(self._auth_hook, request, stack)
                is_entered = True
                found = await self._checked(tool, request)
                if isinstance(found, Exception):
                    # The hook sees it too, on its way out, so that it can roll back.
                    raise found  # noqa: TRY301 - it is to pass through the hook
        except ClientGone:
            raise
        except Exception as error:  # noqa: BLE001 - the user's own code
            if isinstance(error, Unauthorized) and not is_entered:
                self._refused("UNAUTHORIZED", name, scope)
                return UNAUTHORIZED
            if error is not found:
                _LOG.exception("the auth hook raised while tool %r was called", tool.name)
            found = error
        return _failed(found) if isinstance(found, Exception) else found

    async def _checked(self, tool: Tool, request: Request) -> Answer | Exception:
        """Read the body and take the call; give what the tool's own code raised."""
        if not is_json(request.scope):
            return NOT_JSON
        try:
            body = await read_body(request.receive, self._bounds.max_body_bytes)
            arguments = parse_json(body, max_depth=self._bounds.max_instance_depth)
        except BodyTooLarge:
            return TOO_LARGE
        except InvalidJson as error:
            self._refused("INVALID_INPUT", tool.name, request.scope)
            return invalid_json(error)
        # A handler that asks for the request may read the body again.
        request._body = body  # noqa: SLF001 - Starlette's own cache of it
        with self._recorded(tool.name, arguments, request.scope) as recording:
            outcome = await self._walker.walk_tool(tool, arguments, request)
            recording.ended(outcome, input_prefix=_INPUT, output_prefix=_OUTPUT)
        return _outcome_answer(outcome)

    def _recorded(
        self, name: str, arguments: object, scope: Scope
    ) -> AbstractContextManager[Recording]:
        """Record a call under what the same call over MCP would be."""
        sent = header(scope, b"traceparent")
        message = {"method": _METHOD, "params": {"name": name, "arguments": arguments}}
        return self._recorder.request(
            self._recorder.identity(message),
            transport="http",
            route=_ROUTE,
            method=_METHOD,
            tool=to_tool_id(name),
            traceparent=None if sent is None else sent.decode("latin-1"),
        )

    def _refused(self, code: str, name: str, scope: Scope) -> None:
        """Record a call that never came as far as its arguments."""
        with self._recorded(name, None, scope) as recording:
            recording.fail(code)


def _failed(error: Exception) -> Answer:
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
