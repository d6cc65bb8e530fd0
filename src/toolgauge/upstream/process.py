"""A child process that speaks over its pipes, and that ends with us.

The process leads a group of its own, so that Ctrl-C in the terminal reaches us
alone and what it starts itself (``npx`` starts ``node``) can be ended with it.
Ending it follows the Model Context Protocol: close its stdin, wait, SIGTERM,
wait, SIGKILL. Every wait is bounded and shielded from cancellation, and shorter in haste.

Source: MCP 2025-11-25, basic/lifecycle, "Shutdown", stdio.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from subprocess import PIPE
from typing import TYPE_CHECKING, Final

import anyio
import anyio.abc

from toolgauge.upstream.errors import ServerFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from toolgauge.upstream.source import CommandSource


MAX_TAIL_BYTES = 64 * 1024
"""How much of the end of stderr is kept, in bytes."""

SHOWN_LINES = 6
SHOWN_CHARS = 240
"""How many lines of stderr an error shows, and how long each may be."""

_EXIT_GRACE_S = 2.0
_TERMINATE_GRACE_S = 2.0
_KILL_GRACE_S = 1.0
_LAST_WORDS_S = 0.5
_POLL_S = 0.01

_UNPRINTABLE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class StderrTail:
    """The end of what a process wrote to stderr, at most ``MAX_TAIL_BYTES``."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.ended: anyio.Event = anyio.Event()

    async def read_from(self, stream: anyio.abc.ByteReceiveStream) -> None:
        """Read to the end, so that a chatty process is never blocked on a full pipe."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for chunk in stream:
                self._kept += chunk
                del self._kept[:-MAX_TAIL_BYTES]
        self.ended.set()

    def lines(self) -> tuple[str, ...]:
        """Give the last lines for people to read: no colours, no control characters."""
        text = _UNPRINTABLE.sub("", self._kept.decode("utf-8", "replace"))
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        return tuple(line[:SHOWN_CHARS] for line in lines[-SHOWN_LINES:])


class Child:
    """A running child process and the end of its stderr.

    Attributes:
        process: The process.
        stderr: The end of its stderr.
        haste: Whether it must end soon.
        close_stdin: Closes its stdin where that is not ``process.stdin``.
    """

    def __init__(self, process: anyio.abc.Process) -> None:
        self.process: anyio.abc.Process = process
        self.close_stdin: Callable[[], None] | None = None
        self.stderr: StderrTail = StderrTail()
        self.haste: Haste = current_haste()

    @property
    def exit_code(self) -> int | None:
        """Its exit code, ``None`` while it runs, ``-N`` where signal N ended it."""
        return self.process.returncode

    async def last_words(self) -> tuple[str, ...]:
        """Give the last lines of stderr; where it ended, after a short wait for the rest."""
        if self.exit_code is None:
            return self.stderr.lines()
        with anyio.move_on_after(_LAST_WORDS_S):
            await self.stderr.ended.wait()
        return self.stderr.lines()

    async def exited_within(self, seconds: float) -> bool:
        """Wait for the exit alone: a grandchild may hold the pipes open for longer."""
        with anyio.move_on_after(seconds):
            while self.process.returncode is None:  # noqa: ASYNC110 - there is no event for it
                await anyio.sleep(_POLL_S)
        return self.process.returncode is not None


@asynccontextmanager
async def run_child(
    source: CommandSource, env: Mapping[str, str], *, pipes: tuple[int, int] | None = None
) -> AsyncIterator[Child]:
    """Start the command; on the way out end it and all that it started.

    Args:
        source: The command. Its program is looked up on our ``PATH``.
        env: The whole environment of the process.
        pipes: Descriptors that are its stdin and stdout; by default pipes of the
            event loop, as ``child.process.stdin`` and ``.stdout``.

    Raises:
        ServerFailed: The program is missing or cannot be started.
    """
    child = Child(await _start(source, env, pipes))
    async with anyio.create_task_group() as tasks:
        assert child.process.stderr is not None  # noqa: S101 - opened with a pipe
        tasks.start_soon(child.stderr.read_from, child.process.stderr)
        try:
            yield child
        finally:
            with anyio.CancelScope(shield=True):
                await _stop(child)
            tasks.cancel_scope.cancel()


async def _start(
    source: CommandSource, env: Mapping[str, str], pipes: tuple[int, int] | None
) -> anyio.abc.Process:
    """Start the process with three pipes, as the leader of its own group."""
    program, *arguments = source.command
    found = shutil.which(program)
    if found is None:
        raise ServerFailed(
            source.label, "there is no such program on PATH, or it is not executable"
        )
    try:
        return await anyio.open_process(
            [found, *arguments],
            stdin=PIPE if pipes is None else pipes[0],
            stdout=PIPE if pipes is None else pipes[1],
            env=env,
            start_new_session=sys.platform != "win32",
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its command holds a NUL character"
        raise ServerFailed(source.label, f"could not be started: {reason}") from error


async def _stop(child: Child) -> None:
    """Close stdin, wait, then end the group; at last let go of the pipes."""
    process = child.process
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        if child.close_stdin is not None:
            child.close_stdin()
        if process.stdin is not None:
            await process.stdin.aclose()
    haste = child.haste
    await child.exited_within(haste.bounded(_EXIT_GRACE_S, EXIT_GRACE_S))
    # Also where the leader has left by itself: what it started may have stayed.
    terminate_s = haste.bounded(_TERMINATE_GRACE_S, TERMINATE_GRACE_S)
    if not await _end_group(child, "SIGTERM", terminate_s):
        await _end_group(child, "SIGKILL", _KILL_GRACE_S)
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        if process.stdout is not None:
            await process.stdout.aclose()
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        if process.stderr is not None:
            await process.stderr.aclose()
    _close_transport(process)


async def _end_group(child: Child, signal_name: str, grace_s: float) -> bool:
    """Signal the whole group and wait for it to vanish. True where it has."""
    if sys.platform == "win32":
        if child.exit_code is None:
            child.process.kill()
        return await child.exited_within(grace_s)
    # The leader's pid is the group's id, also after the leader is gone.
    group = child.process.pid
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, getattr(signal, signal_name))
    with anyio.move_on_after(grace_s):
        while child.exit_code is None or _is_alive(group):  # noqa: ASYNC110 - the same
            await anyio.sleep(_POLL_S)
        return True
    return False


def _is_alive(group: int) -> bool:
    """Ask whether the group still has a member."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _close_transport(process: anyio.abc.Process) -> None:
    """Close asyncio's own handle, which a grandchild with our pipe would keep open.

    Nothing public exposes it; the SDK's stdio client walks the same attributes.
    """
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    close = getattr(transport, "close", None)
    if callable(close):
        with suppress(OSError):
            close()


EXIT_GRACE_S: Final = 0.5
"""How long a process may take after its input is closed, in haste."""

TERMINATE_GRACE_S: Final = 0.3
"""How long it may take after SIGTERM, in haste."""


class Haste:
    """Whether the processes that were started inside one block must end soon."""

    def __init__(self) -> None:
        self.has_begun: bool = False

    def begin(self) -> None:
        """Give processes less time from here on."""
        self.has_begun = True

    def bounded(self, grace_s: float, hasty_s: float) -> float:
        """Give how long to wait: at most ``hasty_s`` in haste."""
        return min(grace_s, hasty_s) if self.has_begun else grace_s


_CURRENT: ContextVar[Haste | None] = ContextVar("_CURRENT", default=None)


def current_haste() -> Haste:
    """Give the one of the block that we are in; outside of any, one of its own."""
    return _CURRENT.get() or Haste()


@contextmanager
def ending_together() -> Iterator[Haste]:
    """Let all processes that are started in the body be hurried at once.

    In a block inside a block, those of the outer one are meant.
    """
    haste = current_haste()
    token = _CURRENT.set(haste)
    try:
        yield haste
    finally:
        _CURRENT.reset(token)
