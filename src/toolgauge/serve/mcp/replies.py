"""What becomes of one MCP request: its answer on the wire, and what a log may say of it.

One place gives every finding its code (decisions E3 to E6), so that each transport
and each kind of source behind it says the same.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue, Tool, dump_json
from toolgauge.envelope import (
    CanonicalCode,
    CanonicalError,
    error_message,
    meta_of,
    result_message,
    to_tool_id,
)
from toolgauge.envelope.mcp import HANDSHAKE_VERSIONS
from toolgauge.envelope.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
)
from toolgauge.gate import Outcome, Recorder, Verdict
from toolgauge.gate.running import refused
from toolgauge.serve.mcp.outputs import structured_content

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from toolgauge.contract import CallResult
    from toolgauge.envelope import Id, Malformed, Request
    from toolgauge.gate import Recording
    from toolgauge.upstream import RequestRefused


_LOG = logging.getLogger(__name__)

BUSY = "Too many calls in flight; try again"
BUSY_STATUS = 503
STOPPING = "The server is stopping"
EXECUTION_OFF = "Tool execution is disabled."

_NOT_FOUND = frozenset({METHOD_NOT_FOUND, -32002})
_INPUT_CODES = frozenset({PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS})

ARGUMENTS = ("params", "arguments")
STRUCTURED = ("result", "structuredContent")

_ERRORS_FOR_ARGUMENTS = HANDSHAKE_VERSIONS[: HANDSHAKE_VERSIONS.index("2025-11-25")]
"""Versions in which bad arguments are an error of the protocol, and no result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to one request.

    Attributes:
        result: What the method gives back, ``None`` where it is refused.
        error: JSON-RPC's ``error`` member, ``None`` where it is not.
        code: The canonical code, for logs; ``None`` where all went well.
        status: The HTTP status where it is not the one of the error's code.
        name: The tool that was asked for, ``None`` for other methods.
        tool: The tool where there is one of that name.
        issues: What was wrong.
        place: Where in the message, or in the answer, the issues count from.
    """

    result: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    code: CanonicalCode | None = None
    status: int | None = None
    name: str | None = None
    tool: Tool | None = None
    issues: Sequence[Issue] = ()
    place: tuple[str, ...] = ()

    def to_message(self, ident: Id) -> dict[str, Any]:
        """Give the whole JSON-RPC answer."""
        if self.error is not None:
            return error_message(ident, dict(self.error))
        return result_message(ident, self.result)

    def to_bytes(self, ident: Id) -> bytes:
        """Give the answer as it is sent; what JSON has no form for never leaves."""
        try:
            return dump_json(self.to_message(ident))
        except TypeError:
            _LOG.exception("an answer of tool %r is not JSON", self.name)
            return dump_json(failed("Internal error").to_message(ident))


def refusal(
    code: CanonicalCode,
    *,
    jsonrpc_code: int | None = None,
    message: str | None = None,
    data: Mapping[str, Any] | None = None,
    **more: Any,
) -> Reply:
    """Refuse a request with an error of the protocol."""
    error = CanonicalError.to_mcp_error(code, jsonrpc_code=jsonrpc_code, message=message)
    if data:
        error["data"] = {**error["data"], **data}
    return Reply(error=error, code=code, **more)


def malformed(frame: Malformed) -> dict[str, Any]:
    """Give the ``error`` member for bytes that are no request."""
    error = CanonicalError.to_mcp_error(CanonicalCode.INVALID_INPUT, jsonrpc_code=frame.code)
    error["message"] = f"{frame.message}: {frame.reason}"
    return error


def unknown_method(method: str) -> Reply:
    """Refuse a method that is not served here."""
    return refusal(
        CanonicalCode.NOT_FOUND,
        jsonrpc_code=METHOD_NOT_FOUND,
        message=f"Method not found: {method[:100]}",
    )


def invalid_params(message: str, **more: Any) -> Reply:
    """Refuse parameters of a method."""
    return refusal(CanonicalCode.INVALID_INPUT, message=message, **more)


def id_in_use() -> Reply:
    """Reject a request whose id belongs to one that has no answer yet.

    Source: MCP 2025-11-25, basic, "Requests": "The request ID MUST NOT have been
    previously used by the requestor within the same session."
    """
    return refusal(
        CanonicalCode.INVALID_INPUT,
        jsonrpc_code=INVALID_REQUEST,
        message="A request with this id is still in progress",
        status=400,
    )


def unknown_tool(name: str) -> Reply:
    """Refuse the call of a tool that there is not.

    Source: MCP, server/tools, "Error Handling": an unknown tool is a protocol
    error, -32602.
    """
    return refusal(CanonicalCode.NOT_FOUND, message=f"Unknown tool: {name[:256]}", name=name)


def invalid_input(name: str, tool: Tool, issues: Sequence[Issue], version: str) -> Reply:
    """Say what is wrong with the arguments of a call.

    From 2025-11-25 on they are a result that says it is an error, which models get
    to read; before, an error of the protocol.
    """
    found = refused(tuple(issues))
    more: dict[str, Any] = {
        "name": name,
        "tool": tool,
        "issues": issues,
        "place": ARGUMENTS,
    }
    if version not in _ERRORS_FOR_ARGUMENTS:
        result = call_result(found)
        result["_meta"] = {"canonical_code": CanonicalCode.INVALID_INPUT.value}
        return Reply(result=result, code=CanonicalCode.INVALID_INPUT, **more)
    text = str(found.content[0]["text"])
    data = {"errors": [issue.to_json() for issue in issues]}
    return refusal(CanonicalCode.INVALID_INPUT, message=text, data=data, **more)


def invalid_output(name: str, tool: Tool, issues: Sequence[Issue]) -> Reply:
    """Hold back an answer that breaks the contract; the issues name places, not values."""
    places = [{"path": each.pointer, "keyword": each.keyword} for each in issues]
    return refusal(
        CanonicalCode.INVALID_OUTPUT,
        message="Invalid tool output",
        data={"errors": places},
        name=name,
        tool=tool,
        issues=issues,
        place=STRUCTURED,
    )


def failed(message: str, **more: Any) -> Reply:
    """Say that something broke on this side of the wire."""
    return refusal(CanonicalCode.INTERNAL_ERROR, message=message, **more)


async def answered_anyway(reply: Awaitable[Reply]) -> Reply:
    """Wait for a reply. What fails on the way to it is logged, and told as no more than that."""
    try:
        return await reply
    except Exception:  # noqa: BLE001 - the outermost edge: whoever asked waits for an answer
        _LOG.exception("a request failed")
        return failed("Internal error")


def relayed(refused: RequestRefused, **more: Any) -> Reply:
    """Give an error of the server as it came; only the log says it in our words."""
    code = CanonicalCode.INTERNAL_ERROR
    if refused.code in _NOT_FOUND:
        code = CanonicalCode.NOT_FOUND
    elif refused.code in _INPUT_CODES:
        code = CanonicalCode.INVALID_INPUT
    return Reply(error=refused.to_json(), code=code, **more)


def of_outcome(  # noqa: PLR0911 - one answer per verdict
    name: str, outcome: Outcome, version: str
) -> Reply:
    """Say how a call through the gate ended."""
    tool = outcome.tool
    found = outcome.result
    if found is not None:
        structured = structured_content(tool, found.structured, version)
        result = call_result(replace(found, structured=structured))
        return Reply(result=result, name=name, tool=tool)
    if tool is None:
        if outcome.verdict is Verdict.UNKNOWN_TOOL:
            return unknown_tool(name)
        return failed("Internal error", name=name)
    if outcome.verdict is Verdict.INVALID_INPUT:
        return invalid_input(name, tool, outcome.issues, version)
    if outcome.verdict is Verdict.INVALID_OUTPUT:
        return invalid_output(name, tool, outcome.issues)
    if outcome.verdict is Verdict.BUSY:
        return failed(_WORDS[outcome.verdict], name=name, tool=tool, status=BUSY_STATUS)
    return failed(_WORDS.get(outcome.verdict, "Internal error"), name=name, tool=tool)


_WORDS = {
    Verdict.BUSY: BUSY,
    Verdict.TIMED_OUT: "The tool gave no answer in time",
    Verdict.STOPPED: STOPPING,
}


def call_result(found: CallResult) -> dict[str, Any]:
    """Write a result as MCP does."""
    result: dict[str, Any] = {"content": list(found.content)}
    if found.structured is not None:
        result["structuredContent"] = found.structured
    if found.is_error:
        result["isError"] = True
    return result


def is_json(value: object) -> bool:
    """Tell whether an answer can be written."""
    try:
        dump_json(value)
    except TypeError:
        return False
    return True


class Journal:
    """Writes what became of requests.

    Args:
        recorder: Writes the log; ``None`` for none.
        transport: ``"http"`` or ``"stdio"``.
        route: ``"/mcp"`` or ``"stdio"``.
    """

    def __init__(self, recorder: Recorder | None, *, transport: str, route: str) -> None:
        self._recorder = recorder or Recorder()
        self._where: dict[str, Any] = {"transport": transport, "route": route}

    async def answered(
        self, request: Request, reply: Awaitable[Reply], traceparent: str | None = None
    ) -> Reply:
        """Wait for the answer to a request, and write its line."""
        if not self._recorder.is_on:
            return await reply
        with self._line(request, traceparent) as recording:
            found = await reply
            _fill(recording, found)
            return found

    def begin(self, request: Request) -> Callable[[Reply | None], None]:
        """Begin the line of a request that no task waits for.

        Returns:
            What ends it, with the reply or with ``None`` for a request that was taken
            back.
        """
        if not self._recorder.is_on:
            return _nothing
        # Spans of a tracing system must end in the context that they began in.
        context = contextvars.copy_context()
        line = self._line(request)
        recording = context.run(line.__enter__)

        def end(reply: Reply | None) -> None:
            if reply is None:
                context.run(line.__exit__, asyncio.CancelledError, asyncio.CancelledError(), None)
                return
            _fill(recording, reply)
            context.run(line.__exit__, None, None, None)

        return end

    def _line(
        self, request: Request, traceparent: str | None = None
    ) -> AbstractContextManager[Recording]:
        """Make the line of a request."""
        return self._recorder.request(
            self._recorder.identity(request.message),
            method=request.method,
            tool=_tool_of(request.method, request.params),
            traceparent=traceparent or meta_of(request.params).get("traceparent"),
            **self._where,
        )

    def unread(self, code: str) -> None:
        """Write the line of a request that nobody read, since its sender may not send any."""
        if not self._recorder.is_on:
            return
        with self._recorder.request(self._recorder.identity(code.encode()), **self._where) as line:
            line.fail(code)

    def refused(self, frame: Malformed, raw: bytes) -> None:
        """Write the line of a message that is rejected before it is a request."""
        if not self._recorder.is_on:
            return
        with self._recorder.request(
            self._recorder.identity(raw if frame.found is None else frame.found),
            method=frame.method,
            tool=_tool_of(frame.method, (frame.found or {}).get("params")),
            **self._where,
        ) as recording:
            keyword = "format" if frame.code == PARSE_ERROR else "type"
            recording.fail("INVALID_INPUT", (Issue(message=frame.reason, keyword=keyword),))


def _nothing(reply: Reply | None) -> None:
    """Write nothing."""


def _fill(recording: Recording, reply: Reply) -> None:
    """Say what became of a request."""
    if reply.tool is not None:
        recording.named(reply.tool)
    elif reply.name is not None:
        recording.tool = to_tool_id(reply.name)
    if reply.code is not None:
        recording.fail(reply.code, reply.issues, reply.place)


def _tool_of(method: str | None, params: object) -> str | None:
    """Name the tool of a call as logs do, while it runs."""
    if method != "tools/call" or not isinstance(params, dict):
        return None
    name = params.get("name")
    return to_tool_id(name) if isinstance(name, str) else None
