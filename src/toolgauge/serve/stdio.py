"""Messages over standard input and output: one per line, many at work, each answered once."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

import anyio

from toolgauge.envelope.messages import TOO_LONG
from toolgauge.gate import Caller, CanonicalDialect
from toolgauge.serve.lines import LineReader, LineWriter
from toolgauge.serve.stopping import ANSWER_S, DRAIN_S, stop_on_signals

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from anyio.abc import TaskGroup

    from toolgauge.envelope.messages import Line
    from toolgauge.gate import Gate, Recorder

_LOG = logging.getLogger(__name__)

AnswerLine: TypeAlias = "Callable[[bytes], Awaitable[bytes | None]]"
"""One line to its answer on one line, ``None`` where none is due. Never raises for what
is in it; where it does all the same, that is logged and the line goes unanswered."""


@contextmanager
def private_streams() -> Iterator[tuple[int, int]]:
    """Take standard input and output away from everybody else in this process.

    What a handler, a library or a child process prints goes to standard error from
    here on, and what it reads is empty: on the protocol's own streams either would
    break the protocol (case C23). Enter before any of the user's code is imported.

    Yields:
        Descriptors for reading and writing messages, closed at the end.
    """
    sys.stdout.flush()
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield ours
    finally:
        sys.stdout.flush()
        for number, descriptor in enumerate(ours):
            os.dup2(descriptor, number)
            os.close(descriptor)


async def serve_lines(  # noqa: PLR0913 - what two dialects and their tests need to set
    reader: LineReader,
    writer: LineWriter,
    answer: AnswerLine,
    *,
    answer_too_long: Callable[[], bytes],
    max_in_flight: int,
    stop: asyncio.Event,
    cut_short: Callable[[], None],
    drain_s: float = DRAIN_S,
) -> None:
    """Answer lines until there are no more, or until ``stop`` is set.

    Lines are answered concurrently, so a slow one holds nobody up; each answer is
    written whole. While ``max_in_flight`` lines are at work, or their answers not yet
    taken by the reader, no further line is read. Ends early, and quietly, when the
    other side closes its end of our output.

    Both dialects use this loop: ``answer`` is theirs.

    Args:
        reader: Where lines come from.
        writer: Where answers go. Messages of one's own may be written to it too.
        answer: Answers one line.
        answer_too_long: Gives the answer to a line past the reader's bound.
        max_in_flight: Most lines at work.
        stop: Set to stop reading. What is at work then has ``drain_s`` to end.
        cut_short: Called after that; makes what is still at work answer at once.
        drain_s: Seconds.
    """
    loop = _Loop(reader, writer, answer, answer_too_long, max_in_flight)
    async with anyio.create_task_group() as group:
        await _until(stop, loop.read(group))
        await _until(stop, loop.idle.wait())
        if not loop.idle.is_set():
            with anyio.move_on_after(drain_s):
                await loop.idle.wait()
        if not loop.idle.is_set():
            cut_short()
            with anyio.move_on_after(ANSWER_S):
                await loop.idle.wait()
        group.cancel_scope.cancel()


class _Loop:
    """The lines at work, and when there are none."""

    def __init__(
        self,
        reader: LineReader,
        writer: LineWriter,
        answer: AnswerLine,
        answer_too_long: Callable[[], bytes],
        max_in_flight: int,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._answer = answer
        self._answer_too_long = answer_too_long
        self._slots = asyncio.Semaphore(max_in_flight)
        self._at_work = 0
        self.idle = asyncio.Event()
        self.idle.set()

    async def read(self, group: TaskGroup) -> None:
        """Start the work on each line, up to the last one."""
        while True:
            await self._slots.acquire()
            line = await self._reader.next()
            if line is None:
                return
            self._at_work += 1
            self.idle.clear()
            group.start_soon(self._work, line, group)

    async def _work(self, line: Line, group: TaskGroup) -> None:
        try:
            found = await self._answered(line, group)
            if found is not None:
                await self._writer.write(found)
        except OSError as error:
            # Nobody can be told anything any more.
            _LOG.info("the client is gone: %s", error)
            group.cancel_scope.cancel()
        finally:
            self._slots.release()
            self._at_work -= 1
            if not self._at_work:
                self.idle.set()

    async def _answered(self, line: Line, group: TaskGroup) -> bytes | None:
        try:
            return self._answer_too_long() if line is TOO_LONG else await self._answer(line)
        except asyncio.CancelledError:
            if group.cancel_scope.cancel_called:
                raise
            # Code that cancels its own task: the group would end all other lines with it.
            _LOG.exception("a message cancelled itself")
        except Exception:  # noqa: BLE001 - the outermost edge
            _LOG.exception("a message failed")
        return None


async def serve_stdio(
    gate: Gate,
    *,
    recorder: Recorder | None = None,
    streams: tuple[int, int] | None = None,
) -> None:
    """Serve the canonical dialect over standard input and output until they close.

    For MCP see ``toolgauge.serve.mcp.serve_mcp_stdio``.

    SIGTERM and SIGINT stop the reading; calls in flight are still answered, after
    three and a half seconds with an error.

    Args:
        gate: Where calls go.
        recorder: Writes the log; none by default.
        streams: Descriptors to read from and write to; by default this process's
            own, which are private for as long as this runs.
    """
    if streams is None:
        with private_streams() as own:
            await serve_stdio(gate, recorder=recorder, streams=own)
        return
    dialect = CanonicalDialect(gate, recorder)
    caller = Caller(transport="stdio", route="stdio")
    bounds = gate.bounds

    async def answer(line: bytes) -> bytes | None:
        return (await dialect.answer(line, caller)).body

    def answer_too_long() -> bytes:
        return dialect.refuse_too_long(caller).body or b""

    with stop_on_signals() as stop:
        await serve_lines(
            LineReader(streams[0], bounds.max_body_bytes),
            LineWriter(streams[1]),
            answer,
            answer_too_long=answer_too_long,
            max_in_flight=bounds.max_calls_in_flight,
            stop=stop,
            cut_short=gate.stop,
        )


async def _until(stop: asyncio.Event, work: Awaitable[object]) -> None:
    """Do something until it is done or ``stop`` is set."""
    working = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
    finally:
        for each in (working, stopping):
            each.cancel()
            with suppress(asyncio.CancelledError):
                await each
