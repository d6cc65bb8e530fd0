"""Turns lines of standard input into requests, and replies into lines."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
from toolgauge.serve.mcp.replies import (
    STOPPING,
    Reply,
    answered_anyway,
    failed,
    id_in_use,
    malformed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Bounds
    from toolgauge.envelope import Id
    from toolgauge.serve.mcp.client import StdioClient
    from toolgauge.serve.mcp.journal import Journal
    from toolgauge.serve.mcp.lane import Lane
    from toolgauge.serve.mcp.relay import Relay
    from toolgauge.serve.mcp.stdio_servers import Server

_LOG = logging.getLogger(__name__)


def _nothing(*arguments: object) -> None:
    """Do nothing, for a call that was not forwarded yet."""


class Lines:
    """Turns lines into requests and replies into lines."""

    def __init__(
        self, server: Server, client: StdioClient, journal: Journal, bounds: Bounds
    ) -> None:
        self._server = server
        self._client = client
        self._journal = journal
        self._bounds = bounds
        self._running: dict[Id, _Running] = {}
        self._at_once: dict[Id, _AtOnce] = {}
        self._is_stopping = False
        self.lane: Lane | None = None

    def use(self, lane: Lane) -> None:
        """Answer what was handled synchronously through this lane."""
        self.lane = lane
        self._client.on_ask = lane.settled

    @property
    def at_work(self) -> int:
        """How many lines were handled synchronously and have no answer yet."""
        return len(self._at_once)

    @property
    def is_asking(self) -> bool:
        """Whether a call waits for an answer of the client."""
        return self._client.is_asked

    def answer_at_once(self, line: bytes) -> bool:
        """Forward a call, or take one back, without a task if nothing has to be awaited."""
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
        return not self._is_in_use(request.id) and self._forward(relay, request)

    def _forward(self, relay: Relay, request: Request) -> bool:
        """Forward a call synchronously; ``False`` if something has to be awaited first."""
        call = self._at_once[request.id] = _AtOnce()

        def done(reply: Reply) -> None:
            if self._at_once.get(request.id) is call:
                del self._at_once[request.id]
                self._end(request.id, call, reply)

        try:
            taken = relay.call_at_once(request.params, self._client, done)
            if taken is not None:
                call.end = self._journal.begin(request)
        except Exception:  # noqa: BLE001 - whoever called waits for an answer
            _LOG.exception("a call failed")
            taken = failed("Internal error")
        if taken is None:
            del self._at_once[request.id]
            return False
        if isinstance(taken, Reply):
            done(taken)
        else:
            call.take_back = taken
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
        while self._at_once:
            ident, call = self._at_once.popitem()
            call.take_back()
            self._end(ident, call, failed(STOPPING))

    async def _request(self, request: Request) -> bytes | None:
        reply: Reply | None = None
        if self._is_in_use(request.id):
            reply = await self._journal.answered(request, _id_in_use())
            return reply.to_bytes(request.id)
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

    def _is_in_use(self, ident: Id) -> bool:
        """Whether a request of this id has no answer yet: MCP wants each id used once."""
        return ident in self._running or ident in self._at_once

    def _end(self, ident: Id, call: _AtOnce, reply: Reply) -> None:
        """Write the answer to a call that no task waits for."""
        call.end(reply)
        assert self.lane is not None  # noqa: S101 - it is what called
        self.lane.send(reply.to_bytes(ident))
        self.lane.settled()

    def _refuse(self, frame: Malformed, line: bytes) -> bytes | None:
        if frame.is_logged:
            self._journal.refused(frame, line)
        return dump_json(error_message(frame.id, malformed(frame))) if frame.is_answered else None

    def _take_back(self, notification: Notification) -> None:
        """Cancel the request that a notification names, if it is still at work."""
        ident = (notification.params or {}).get("requestId")
        if not is_id(ident):
            return
        if ident in self._running:
            self._running[ident].scope.cancel()
        elif ident in self._at_once:
            call = self._at_once.pop(ident)
            call.take_back()
            call.end(None)
            if self.lane is not None:
                self.lane.settled()


async def _id_in_use() -> Reply:
    return id_in_use()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """A request at work."""

    scope: anyio.CancelScope
    is_stream: bool


@dataclass(slots=True, eq=False)
class _AtOnce:
    """A call that was forwarded and that no task waits for.

    Attributes:
        take_back: Cancels it.
        end: Writes its log line.
    """

    take_back: Callable[[], None] = _nothing
    end: Callable[[Reply | None], None] = _nothing
