"""Turns lines of standard input into requests, and replies into lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from toolgauge.contract import dump_json
from toolgauge.envelope import (
    Malformed,
    Notification,
    Request,
    Response,
    error_message,
    is_id,
    read_frame,
    too_long,
)
from toolgauge.serve.mcp.relay import LISTEN
from toolgauge.serve.mcp.replies import STOPPING, Reply, answered_anyway, failed, malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract import Bounds
    from toolgauge.serve.mcp.client import StdioClient
    from toolgauge.serve.mcp.journal import Journal
    from toolgauge.serve.mcp.lane import Lane
    from toolgauge.serve.mcp.stdio_servers import Server


class Lines:
    """Turns lines into requests and replies into lines."""

    def __init__(
        self, server: Server, client: StdioClient, journal: Journal, bounds: Bounds
    ) -> None:
        self._server = server
        self._client = client
        self._journal = journal
        self._bounds = bounds
        self._running: dict[object, _Running] = {}
        self._at_once: dict[object, _AtOnce] = {}
        self._is_stopping = False
        self.lane: Lane | None = None

    @property
    def at_work(self) -> int:
        """How many lines were taken on at once and have no answer yet."""
        return len(self._at_once)

    def answer_at_once(self, line: bytes) -> bool:
        """Pass a call on without a task, where nothing has to be waited for."""
        relay = self._server.relay
        # Other lines are read when their task is: this look is cheap, and may be wrong.
        if relay is None or not (b'"tools/call"' in line or b'"notifications/cancelled"' in line):
            return False
        request = read_frame(line, bounds=self._bounds)
        if isinstance(request, Notification) and request.method == "notifications/cancelled":
            self._take_back(request)
            return True
        if not isinstance(request, Request) or request.method != "tools/call":
            return False
        if request.id in self._at_once or not isinstance(request.params, dict):
            return False

        def done(reply: Reply) -> None:
            del self._at_once[request.id]
            end(reply)
            assert self.lane is not None  # noqa: S101 - it is who asked
            self.lane.send(reply.to_bytes(request.id))
            self.lane.settled()

        take_back = relay.call_at_once(request.params, self._client, done)
        if take_back is None:
            return False
        end = self._journal.begin(request)
        self._at_once[request.id] = _AtOnce(take_back=take_back, end=end)
        return True

    async def answer(self, line: bytes) -> bytes | None:
        """Answer one line, if an answer is due."""
        frame = read_frame(line, bounds=self._bounds)
        if isinstance(frame, Request):
            return await self._request(frame)
        if isinstance(frame, Malformed):
            return self._refuse(frame, line)
        if isinstance(frame, Response):
            self._client.settle(frame)
        elif frame.method == "notifications/cancelled":
            self._take_back(frame)
        else:
            await self._server.notify(frame)
        return None

    def answer_too_long(self) -> bytes:
        """Answer a line past the bound."""
        frame = too_long(self._bounds)
        self._journal.refused(frame, b"too long")
        return dump_json(error_message(None, malformed(frame)))

    def end(self) -> None:
        """End what goes on for as long as the client listens: it has left."""
        for each in self._running.values():
            if each.is_stream:
                each.scope.cancel()
        self._client.leave()

    def cut_short(self) -> None:
        """Make what is still at work answer at once."""
        self._is_stopping = True
        self._server.stop()
        self._client.leave()
        for each in self._running.values():
            each.scope.cancel()
        for ident, call in list(self._at_once.items()):
            del self._at_once[ident]
            call.take_back()
            call.end(failed(STOPPING))
            if self.lane is not None and isinstance(ident, str | int):
                self.lane.send(failed(STOPPING).to_bytes(ident))
                self.lane.settled()

    async def _request(self, request: Request) -> bytes | None:
        reply: Reply | None = None
        with anyio.CancelScope() as scope:
            running = _Running(scope=scope, is_stream=request.method == LISTEN)
            self._running[request.id] = running
            try:
                answering = answered_anyway(self._server.reply(request, self._client))
                reply = await self._journal.answered(request, answering)
            finally:
                if self._running.get(request.id) is running:
                    del self._running[request.id]
        if reply is None:
            # "The receiver of a cancellation SHOULD NOT send a response."
            if not self._is_stopping:
                return None
            reply = failed(STOPPING)
        return reply.to_bytes(request.id)

    def _refuse(self, frame: Malformed, line: bytes) -> bytes | None:
        if not frame.is_answered:
            return None
        self._journal.refused(frame, line)
        return dump_json(error_message(frame.id, malformed(frame)))

    def _take_back(self, notification: Notification) -> None:
        """Cancel the request that a notification names, if it is still at work."""
        params: Mapping[str, Any] = notification.params or {}
        ident = params.get("requestId")
        if not is_id(ident):
            return
        if ident in self._running:
            self._running[ident].scope.cancel()
        if ident in self._at_once:
            call = self._at_once.pop(ident)
            call.take_back()
            call.end(None)
            if self.lane is not None:
                self.lane.settled()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """A request at work."""

    scope: anyio.CancelScope
    is_stream: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _AtOnce:
    """A call that was passed on and that no task waits for."""

    take_back: Callable[[], None]
    end: Callable[[Reply | None], None]
