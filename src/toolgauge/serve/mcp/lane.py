"""A line loop that answers at once what needs no waiting.

``serve_lines`` gives every line a task, and its reader and writer wait for the event
loop between any two steps: right for handlers, and as long as the whole rest of a
call that is only passed on. Here a line is read, checked and sent on in one step.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

import anyio

from toolgauge.envelope.lines import TOO_LONG, LineSplitter
from toolgauge.serve.stopping import ANSWER_S

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from toolgauge.envelope.lines import Line
    from toolgauge.serve.lines import LineWriter

_LOG = logging.getLogger(__name__)

_CHUNK_BYTES: Final = 65_536


class Lines(Protocol):
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


class Lane:
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
        lines: Lines,
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
