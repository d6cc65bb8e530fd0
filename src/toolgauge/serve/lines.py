"""Lines over a pair of file descriptors: bounded to read, whole to write.

On Unix the event loop waits for pipes, sockets and terminals; regular files never make
anybody wait. Elsewhere a thread of its own waits, one that does not keep the process
from ending.
"""

from __future__ import annotations

import asyncio
import os
import select
import stat
import threading
from collections import deque
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar, cast

from toolgauge.envelope.messages import TOO_LONG, Line, LineSplitter

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")

_CHUNK_BYTES: Final = 65_536
_ATOMIC_BYTES: Final = getattr(select, "PIPE_BUF", 512)
"""A pipe that can be written to takes at least this much without waiting (POSIX)."""


class LineReader:
    """Reads lines from a file descriptor. For one task.

    Empty lines, and lines of blanks alone, separate messages and are none: they are
    skipped. A last line without an end is a line.

    Args:
        descriptor: Where from; it stays open.
        max_bytes: Longest line, without its end.
    """

    def __init__(self, descriptor: int, max_bytes: int) -> None:
        self._wait = _Waiting(descriptor, "add_reader", "remove_reader")
        self._descriptor = descriptor
        self._splitter = LineSplitter(max_bytes)
        self._ready: list[Line] = []
        self._has_ended = False

    async def next(self) -> Line | None:
        """Return the next line, ``TOO_LONG`` for one past the bound, ``None`` at the end."""
        while True:
            while self._ready:
                line = self._ready.pop()
                if line is TOO_LONG or line.strip():
                    return line
            if self._has_ended:
                return None
            chunk = await self._wait.run(lambda: os.read(self._descriptor, _CHUNK_BYTES))
            if chunk:
                self._ready = self._splitter.feed(chunk)[::-1]
            else:
                self._has_ended = True
                last = self._splitter.end()
                self._ready = [] if last is None else [last]


class LineWriter:
    """Writes whole lines to a file descriptor, from any number of tasks of one event loop.

    Args:
        descriptor: Where to; it stays open.
    """

    def __init__(self, descriptor: int) -> None:
        self._wait = _Waiting(descriptor, "add_writer", "remove_writer")
        self._descriptor = descriptor
        self._queue: deque[tuple[bytes, asyncio.Future[None]]] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._is_broken = False

    async def write(self, message: bytes) -> None:
        """Write one message and its end, after those that came before it.

        Whoever gives up waiting does not give up the message: half of one would leave
        the next on its line.

        Args:
            message: JSON on one line.

        Raises:
            BrokenPipeError: The reader is gone, or an earlier line could not be written.
            OSError: The line cannot be written.
        """
        if self.write_now(message):
            return
        if self._is_broken:
            raise BrokenPipeError
        line = message + b"\n"
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((line, done))
        if self._writing is None:
            # A task of its own: it goes on when the one that waits is cancelled.
            self._writing = asyncio.create_task(self._write_queue())
        await done

    def write_now(self, message: bytes) -> bool:
        """Write one short message without waiting, if that is possible.

        Returns:
            Whether it is written. If not, nothing of it is: use ``write``.

        Raises:
            OSError: The line cannot be written.
        """
        line = message + b"\n"
        if self._queue or self._is_broken or not self._wait.is_pipe_with_room(len(line)):
            return False
        self._write(memoryview(line))
        return True

    async def _write_queue(self) -> None:
        """Write what is waiting, one after the other."""
        try:
            while self._queue:
                line, done = self._queue[0]
                rest = memoryview(line)
                while rest:
                    piece = rest[:_ATOMIC_BYTES]
                    rest = rest[await self._wait.run(partial(self._write, piece)) :]
                self._queue.popleft()
                if not done.done():
                    done.set_result(None)
        except OSError as error:
            for _, done in self._queue:
                if not done.done():
                    done.set_exception(error)
            self._queue.clear()
        finally:
            self._writing = None

    def _write(self, piece: memoryview) -> int:
        """Write a piece, or a part of it, and tell how many bytes that is.

        Raises:
            OSError: It cannot be written; nothing else can be after it.
        """
        try:
            return os.write(self._descriptor, piece)
        except OSError:
            self._is_broken = True
            raise


class _Waiting:
    """Does something with a descriptor when that will not block, however one waits for it."""

    def __init__(self, descriptor: int, add: str, remove: str) -> None:
        self._descriptor = descriptor
        self._add, self._remove = add, remove
        self._never_blocks = False
        self._poll: select.poll | None = None
        if hasattr(select, "poll") and stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLOUT)

    def is_pipe_with_room(self, size: int) -> bool:
        """Check whether so many bytes can be written without waiting, and whole."""
        if self._poll is None or size > _ATOMIC_BYTES:
            return False
        return any(event & select.POLLOUT for _, event in self._poll.poll(0))

    async def run(self, operation: Callable[[], _T]) -> _T:
        """Wait, then do it.

        Raises:
            OSError: As the operation does.
        """
        if self._never_blocks:
            return operation()
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        try:
            getattr(loop, self._add)(self._descriptor, _wake, ready)
        except NotImplementedError:
            # Windows: its loop waits for no descriptors.
            return await _in_thread(operation)
        except OSError:
            # Regular files, and /dev/null: the system does not wait for them either.
            self._never_blocks = True
            return operation()
        try:
            await ready
        finally:
            getattr(loop, self._remove)(self._descriptor)
        return operation()


def _wake(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


async def _in_thread(operation: Callable[[], _T]) -> _T:
    """Block a thread that ends with the process, whatever it waits for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_T] = loop.create_future()

    def tell(found: _T | None, error: OSError | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(cast("_T", found))

    def work() -> None:
        found, raised = None, None
        try:
            found = operation()
        except OSError as error:
            raised = error
        with suppress(RuntimeError):  # the loop has closed meanwhile
            loop.call_soon_threadsafe(tell, found, raised)

    threading.Thread(target=work, daemon=True).start()
    return await done
