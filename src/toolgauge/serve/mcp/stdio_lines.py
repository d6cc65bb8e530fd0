"""Requests and replies as lines of standard input and output, answered at once where possible.

``serve_lines`` gives every line a task, and its reader and writer wait for the event
loop between any two steps: right for handlers, and as long as the whole rest of a
call that is only passed on. Here a line is read, checked and sent on in one step:
bench/gateway.py measures what that saves.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

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
from toolgauge.envelope.messages import TOO_LONG, LineSplitter
from toolgauge.serve.mcp.relay import LISTEN
from toolgauge.serve.mcp.replies import (
    STOPPING,
    Reply,
    answered_anyway,
    failed,
    id_in_use,
    malformed,
)
from toolgauge.serve.stopping import ANSWER_S

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from toolgauge.contract import Bounds
    from toolgauge.envelope import Id
    from toolgauge.envelope.messages import Line
    from toolgauge.serve.lines import LineWriter
    from toolgauge.serve.mcp.relay import Relay
    from toolgauge.serve.mcp.replies import Journal
    from toolgauge.serve.mcp.stdio import Server, StdioClient


_LOG = logging.getLogger(__name__)

_CHUNK_BYTES: Final = 65_536


class LineHandler(Protocol):
    """Handles lines."""

    def answer_at_once(self, line: bytes) -> bool:
        """Handle a line synchronously if possible; return whether it was."""

    async def answer(self, line: bytes) -> bytes | None:
        """Return the answer to a line, ``None`` if no answer is due."""

    def answer_too_long(self) -> bytes:
        """Give the answer to a line past the bound."""

    def end(self) -> None:
        """Hear that there are no more."""

    def cut_short(self) -> None:
        """Make what is still at work answer at once."""

    @property
    def at_work(self) -> int:
        """How many lines were handled synchronously and have no answer yet."""

    @property
    def is_asking(self) -> bool:
        """Whether a call waits for an answer of the client, which is a line not read yet."""


class LineLoop:
    """Reads lines from a descriptor and handles each of them once.

    A line leaves the queue before it is handled, so nothing that happens while it is
    handled can bring it back. At ``max_in_flight`` unanswered lines the rest waits, here
    and in the pipe, unless a call waits for the client's answer to a question.

    Args:
        descriptor: Where from. The event loop must be able to wait for it.
        writer: Where answers go.
        lines: Handles them.
        max_bytes: Longest line.
        max_in_flight: Most unanswered lines; no more are read then.
    """

    def __init__(
        self,
        descriptor: int,
        writer: LineWriter,
        lines: LineHandler,
        *,
        max_bytes: int,
        max_in_flight: int,
    ) -> None:
        self._descriptor = descriptor
        self._writer = writer
        self._lines = lines
        self._splitter = LineSplitter(max_bytes)
        self._max_in_flight = max_in_flight
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Line] = deque()
        self._is_reading = False
        self._is_taking = False
        self._is_at_end = False
        self._has_ended = asyncio.Event()
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_left = asyncio.Event()

    def start(self) -> bool:
        """Begin to read; ``False`` where the event loop cannot wait for this descriptor."""
        try:
            self._loop.add_reader(self._descriptor, self._readable)
        except (NotImplementedError, OSError):
            return False
        self._is_reading = True
        return True

    async def run(self, stop: asyncio.Event, drain_s: float) -> None:
        """Answer lines until there are no more, or until ``stop`` is set.

        As ``serve_lines``, which see.
        """
        try:
            await _first_of(stop.wait(), self._has_ended.wait(), self._is_left.wait())
            self._stop_reading()
            await _first_of(stop.wait(), self._emptied(), self._is_left.wait())
            if not self._is_left.is_set():
                await self._drain(drain_s)
        finally:
            self._stop_reading()
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks)

    def settled(self) -> None:
        """Note that a line has its answer, or that the client is being asked something."""
        self._changed.set()
        self._take()

    def send(self, message: bytes) -> None:
        """Write an answer from outside of any task."""
        try:
            if self._writer.write_now(message):
                return
        except OSError:
            self._leave()
            return
        self._spawn(self._written(message))

    @property
    def _at_work(self) -> int:
        return len(self._tasks) + self._lines.at_work

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._left_task)

    def _readable(self) -> None:
        """Read what has arrived."""
        try:
            chunk = os.read(self._descriptor, _CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if chunk:
            self._waiting += self._splitter.feed(chunk)
        else:
            self._is_at_end = True
            last = self._splitter.end()
            self._waiting += [] if last is None else [last]
        self._take()

    def _take(self) -> None:
        """Handle waiting lines while there is room; read on only when none is left."""
        if self._is_taking:
            return
        self._is_taking = True
        try:
            while self._waiting and self._has_room:
                self._handle(self._waiting.popleft())
        finally:
            self._is_taking = False
        if self._waiting:
            self._pause()
        elif not self._is_at_end:
            self._is_reading = self._is_reading or self.start()
        elif not self._has_ended.is_set():
            self._pause()
            self._has_ended.set()
            self._lines.end()

    @property
    def _has_room(self) -> bool:
        return self._at_work < self._max_in_flight or self._lines.is_asking

    def _handle(self, line: Line) -> None:
        """Handle one line, here or in a task of its own."""
        if line is TOO_LONG:
            self.send(self._lines.answer_too_long())
        elif line.strip() and not self._handled_now(line):
            self._spawn(self._answered(line))

    def _handled_now(self, line: bytes) -> bool:
        """Let a line be handled synchronously; one that fails there is not tried again."""
        try:
            return self._lines.answer_at_once(line)
        except Exception:  # noqa: BLE001 - the outermost edge
            _LOG.exception("a message failed")
            return True

    async def _answered(self, line: bytes) -> None:
        """Answer one line in a task of its own."""
        try:
            found = await self._lines.answer(line)
        except Exception:  # noqa: BLE001 - the outermost edge
            _LOG.exception("a message failed")
            found = None
        if found is not None:
            await self._written(found)

    async def _written(self, message: bytes) -> None:
        try:
            await self._writer.write(message)
        except OSError:
            self._leave()

    def _left_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.settled()

    def _leave(self) -> None:
        """End quietly: the client is gone."""
        _LOG.info("the client is gone")
        self._is_left.set()

    def _stop_reading(self) -> None:
        """Read no more. Lines that were read already are still handled."""
        self._is_at_end = True
        self._has_ended.set()
        self._pause()

    def _pause(self) -> None:
        if self._is_reading:
            self._is_reading = False
            with suppress(OSError):
                self._loop.remove_reader(self._descriptor)

    async def _emptied(self) -> None:
        while self._at_work or self._waiting:
            self._changed.clear()
            await self._changed.wait()

    async def _drain(self, drain_s: float) -> None:
        """Let what is at work end; then make it."""
        with anyio.move_on_after(drain_s):
            await self._emptied()
            return
        self._waiting.clear()
        self._lines.cut_short()
        with anyio.move_on_after(ANSWER_S):
            await self._emptied()


async def _first_of(*events: Coroutine[Any, Any, object]) -> None:
    """Wait for one of several things."""
    waits = [asyncio.ensure_future(each) for each in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()
            with suppress(asyncio.CancelledError):
                await each


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
        self.loop: LineLoop | None = None

    def use(self, loop: LineLoop) -> None:
        """Answer what was handled synchronously through this loop."""
        self.loop = loop
        self._client.on_ask = loop.settled

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
        assert self.loop is not None  # noqa: S101 - it is what called
        self.loop.send(reply.to_bytes(ident))
        self.loop.settled()

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
            if self.loop is not None:
                self.loop.settled()


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
