"""A log line for each MCP request, the same on every transport and in front of any source."""

from __future__ import annotations

import asyncio
import contextvars
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue
from toolgauge.envelope import to_tool_id
from toolgauge.envelope.messages import PARSE_ERROR
from toolgauge.gate import Recorder
from toolgauge.serve.mcp.eras import meta_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolgauge.envelope import Malformed, Request
    from toolgauge.gate import Recording
    from toolgauge.serve.mcp.replies import Reply


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
        meta = meta_of(request.params)
        with self._recorder.request(
            self._recorder.identity(request.message),
            method=request.method,
            tool=_tool_of(request.method, request.params),
            traceparent=traceparent or meta.get("traceparent"),
            **self._where,
        ) as recording:
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
        line = self._recorder.request(
            self._recorder.identity(request.message),
            method=request.method,
            tool=_tool_of(request.method, request.params),
            traceparent=meta_of(request.params).get("traceparent"),
            **self._where,
        )
        recording = context.run(line.__enter__)

        def end(reply: Reply | None) -> None:
            if reply is None:
                context.run(line.__exit__, asyncio.CancelledError, asyncio.CancelledError(), None)
                return
            _fill(recording, reply)
            context.run(line.__exit__, None, None, None)

        return end

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
