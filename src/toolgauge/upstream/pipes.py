"""Frames over pipes of our own to a child process, handed on as soon as they arrive.

The event loop's own streams wake three tasks for each message. A gateway that adds
itself to every call cannot spend that, so here a message goes from the file
descriptor to its consumer in one step. Unix only: elsewhere the loop waits for no pipes.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from toolgauge.contract.errors import InvalidJson
from toolgauge.contract.jsontext import dump_json, parse_json
from toolgauge.upstream.endings import failure, how_it_ended
from toolgauge.upstream.lines import LineBuffer
from toolgauge.upstream.process import run_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from toolgauge.upstream.errors import ServerFailed
    from toolgauge.upstream.process import Child
    from toolgauge.upstream.source import CommandSource

Frame = dict[str, Any]
"""One JSON-RPC message as parsed JSON."""

HAS_PIPES = os.name == "posix"
"""Whether the event loop waits for pipes."""

MAX_FRAME_DEPTH = 254
"""Deepest nesting of a server's message: as deep as it can be written again."""

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Longest line read from a server. A list of tools is one line."""

_CHUNK_BYTES = 262_144


class PipeWire:
    """One child process behind two pipes.

    Attributes:
        label: What errors call the server.
        child: The process.
        noise: How many lines on its stdout were no messages.
        first_noise: The first of them, cut short.
        overlong: Whether it was cut off for a line past the bound.
    """

    def __init__(self, label: str, child: Child, to_child: int, from_child: int) -> None:
        self.label: str = label
        self.child: Child = child
        self.noise: int = 0
        self.first_noise: str = ""
        self.overlong: bool = False
        self._to_child = to_child
        self._from_child = from_child
        self._lines = LineBuffer(MAX_LINE_BYTES)
        self._arrived: deque[Frame] = deque()
        self._news = asyncio.Event()
        self._push: Callable[[Frame], None] | None = None
        self._backlog = bytearray()
        self._flushed = asyncio.Event()
        self._flushed.set()
        self._is_over = False
        self._is_deaf = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(from_child, self._readable)

    def push_to(self, consumer: Callable[[Frame], None]) -> None:
        """Hand every message on at once from now on, and not to ``receive``."""
        self._push = consumer
        while self._arrived:
            consumer(self._arrived.popleft())

    def send_now(self, frame: Frame) -> bool:
        """Send a message without waiting, if that is possible."""
        if self._backlog or self._is_deaf:
            return False
        self._write(dump_json(frame) + b"\n")
        return True

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Send a message, and wait until it is written.

        Raises:
            ServerFailed: The server reads no more.
        """
        del headers
        if not self._is_deaf:
            self._write(dump_json(frame) + b"\n")
            await self._flushed.wait()
        if self._is_deaf:
            raise await self.failure(await how_it_ended(self, None))

    async def receive(self) -> Frame:
        """Wait for the next message; with ``push_to``, for the end.

        Raises:
            ServerFailed: The server is gone.
        """
        while not self._arrived:
            if self._is_over:
                raise await self.failure(await how_it_ended(self, None))
            self._news.clear()
            await self._news.wait()
        return self._arrived.popleft()

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure, with what the process said last."""
        return await failure(self.label, self, reason)

    def close(self) -> None:
        """Let go of both pipes. The process reads the end of its input."""
        self.stop_writing()
        if not self._is_over:
            self._end()
        with suppress(OSError):
            os.close(self._from_child)

    def stop_writing(self) -> None:
        """Close the process's input, which asks it to end."""
        if self._to_child < 0:
            return
        self._loop.remove_writer(self._to_child)
        with suppress(OSError):
            os.close(self._to_child)
        self._to_child = -1
        self._is_deaf = True
        self._flushed.set()

    def _readable(self) -> None:
        """Take what has arrived."""
        try:
            chunk = os.read(self._from_child, _CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._end()
            return
        try:
            lines = self._lines.feed(chunk)
        except OverflowError:
            self.overlong = True
            self._end()
            return
        for line in lines:
            self._take(line)
        self._news.set()

    def _take(self, line: bytes) -> None:
        """Parse a line; one that is no message is counted."""
        if not line.strip():
            return
        try:
            frame = parse_json(line, max_depth=MAX_FRAME_DEPTH)
        except InvalidJson:
            frame = None
        if not isinstance(frame, dict):
            self.noise += 1
            self.first_noise = self.first_noise or line[:200].decode("utf-8", "replace").strip()
        elif self._push is not None:
            self._push(frame)
        else:
            self._arrived.append(frame)

    def _end(self) -> None:
        self._loop.remove_reader(self._from_child)
        self._is_over = True
        self._news.set()

    def _write(self, data: bytes) -> None:
        """Write what the pipe takes, and the rest when it takes more."""
        if self._backlog:
            self._backlog += data
            return
        try:
            written = os.write(self._to_child, data)
        except BlockingIOError:
            written = 0
        except OSError:
            self._is_deaf = True
            return
        if written < len(data):
            self._backlog += data[written:]
            self._flushed.clear()
            self._loop.add_writer(self._to_child, self._writable)

    def _writable(self) -> None:
        try:
            written = os.write(self._to_child, self._backlog)
        except BlockingIOError:
            return
        except OSError:
            self._is_deaf = True
            written = len(self._backlog)
        del self._backlog[:written]
        if not self._backlog:
            self._loop.remove_writer(self._to_child)
            self._flushed.set()


@asynccontextmanager
async def open_pipes(source: CommandSource, env: Mapping[str, str]) -> AsyncIterator[PipeWire]:
    """Start the command with pipes of our own; on the way out end it.

    Raises:
        ServerFailed: The program is missing or cannot be started.
    """
    their_input, our_output = os.pipe()
    our_input, their_output = os.pipe()
    wire: PipeWire | None = None
    theirs = [their_input, their_output]
    try:
        os.set_blocking(our_output, False)
        os.set_blocking(our_input, False)
        async with run_child(source, env, pipes=(their_input, their_output)) as child:
            while theirs:
                os.close(theirs.pop())
            wire = PipeWire(source.label, child, our_output, our_input)
            child.close_stdin = wire.stop_writing
            yield wire
    finally:
        for each in theirs:
            os.close(each)
        if wire is None:
            os.close(our_output)
            os.close(our_input)
        else:
            wire.close()
