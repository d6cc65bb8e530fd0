"""Frames over pipes of our own to a child process, handed on as soon as they arrive.

The event loop's own streams wake three tasks for each message. A gateway that adds
itself to every call cannot spend that, so here a message goes from the file
descriptor to its consumer in one step. Unix only: elsewhere the loop waits for no pipes.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio

from toolgauge.contract.jsontext import dump_json
from toolgauge.upstream.errors import ServerFailed
from toolgauge.upstream.messages import Messages, too_large
from toolgauge.upstream.process import run_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from toolgauge.upstream.messages import Frame
    from toolgauge.upstream.peer import Dial, Wire
    from toolgauge.upstream.process import Child
    from toolgauge.upstream.source import CommandSource

HAS_PIPES = os.name == "posix"
"""Whether the event loop waits for pipes."""

_CHUNK_BYTES = 262_144
_EXIT_WAIT_S = 1.0
_CLOSED = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError)

_UNIX = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
_WINDOWS = (
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
)
_INHERITED = _WINDOWS if sys.platform == "win32" else _UNIX


class ProcessWire:
    """One child process behind the event loop's own streams, where it waits for no pipes.

    Attributes:
        label: What errors call the server.
        child: The process.
        output: What it writes to stdout.
    """

    def __init__(self, label: str, child: Child) -> None:
        self.label: str = label
        self.child: Child = child
        self.output: Messages = Messages()
        self._arrived: deque[Frame] = deque()

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Write one line."""
        del headers
        stdin = self.child.process.stdin
        assert stdin is not None  # noqa: S101 - opened with a pipe
        try:
            await stdin.send(dump_json(frame) + b"\n")
        except _CLOSED:
            raise await self._ended() from None

    async def receive(self) -> Frame:
        """Read up to the next line that is a message."""
        stdout = self.child.process.stdout
        assert stdout is not None  # noqa: S101 - opened with a pipe
        while not self._arrived:
            try:
                self._arrived += self.output.feed(await stdout.receive())
            except (*_CLOSED, OverflowError):
                raise await self._ended() from None
        return self._arrived.popleft()

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure, with what the process said last."""
        return ServerFailed(self.label, self.noted(reason), await self.child.last_words())

    def noted(self, reason: str) -> str:
        """Add to what went wrong that there were lines which are no messages."""
        return self.output.noted(reason)

    @property
    def noise(self) -> str | None:
        """The first line that is no message, if there was one."""
        return self.output.first_noise if self.output.noise else None

    @property
    def may_be_older(self) -> bool:
        """Whether the process ended: some do at the first message that they do not know."""
        return self.child.exit_code is not None

    async def _ended(self) -> ServerFailed:
        """Word how the connection ended."""
        if self.output.is_overlong:
            size = too_large(self.output.max_bytes)
            return await self.failure(f"sent a line that is too long: {size}")
        await self.child.exited_within(_EXIT_WAIT_S)
        code = self.child.exit_code
        if code is None:
            return await self.failure("closed its output")
        by_signal = f"was ended by signal {-code}"
        return await self.failure(by_signal if code < 0 else f"ended with exit code {code}")


class PipeWire(ProcessWire):
    """One child process behind two pipes of our own."""

    def __init__(self, label: str, child: Child, to_child: int, from_child: int) -> None:
        super().__init__(label, child)
        self._to_child = to_child
        self._from_child = from_child
        self._news = asyncio.Event()
        self._push: Callable[[Frame], None] | None = None
        self._backlog = bytearray()
        self._flushed = asyncio.Event()
        self._flushed.set()
        self._is_over = False
        self._is_paused = False
        self._is_deaf = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(from_child, self._readable)

    def push_to(self, consumer: Callable[[Frame], None]) -> None:
        """Hand every message on at once from now on, and not to ``receive``."""
        self._push = consumer
        while self._arrived:
            consumer(self._arrived.popleft())

    @property
    def can_send_now(self) -> bool:
        """Whether a message can be sent without awaiting earlier ones."""
        return not self._backlog and not self._is_deaf

    def send_now(self, frame: Frame) -> bool:
        """Send a message synchronously, if that is possible."""
        if not self.can_send_now:
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
            raise await self._ended()

    async def receive(self) -> Frame:
        """Wait for the next message; with ``push_to``, for the end.

        Raises:
            ServerFailed: The server is gone.
        """
        while not self._arrived:
            if self._is_over:
                raise await self._ended()
            self._news.clear()
            await self._news.wait()
        return self._arrived.popleft()

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

    def pause(self) -> None:
        """Read no more for now: what has arrived is not taken yet."""
        if not self._is_over and not self._is_paused:
            self._is_paused = True
            self._loop.remove_reader(self._from_child)

    def resume(self) -> None:
        """Read again."""
        if self._is_paused and not self._is_over:
            self._is_paused = False
            self._loop.add_reader(self._from_child, self._readable)

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
            frames = self.output.feed(chunk)
        except OverflowError:
            self._end()
            return
        for frame in frames:
            if self._push is not None:
                self._push(frame)
            else:
                self._arrived.append(frame)
        self._news.set()

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
    their_input, our_output, our_input, their_output = _two_pipes(source.label)
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


def _two_pipes(label: str) -> list[int]:
    """Open two pipes, or none."""
    opened: list[int] = []
    try:
        opened += os.pipe()
        opened += os.pipe()
    except OSError as error:
        for each in opened:
            os.close(each)
        raise ServerFailed(label, f"could not be started: {error.strerror}") from error
    return opened


def dial_command(source: CommandSource, env: Mapping[str, str]) -> Dial:
    """Make a dial that starts the command once more for each connection."""
    whole = default_environment() | dict(env)

    @asynccontextmanager
    async def connect(*, older: bool = False) -> AsyncIterator[Wire]:
        del older
        if HAS_PIPES:
            async with open_pipes(source, whole) as pipes:
                yield pipes
            return
        async with run_child(source, whole) as child:
            yield ProcessWire(source.label, child)

    return connect


def default_environment() -> dict[str, str]:
    """Return the variables that a server process gets: few, and none that is a function.

    Source: the official SDK's ``mcp.client.stdio.get_default_environment``.
    """
    found = {name: os.environ.get(name) for name in _INHERITED}
    return {name: value for name, value in found.items() if value and not value.startswith("()")}
