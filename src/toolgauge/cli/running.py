"""From a command's coroutine to an exit code. Every failure ends here.

Exit codes: 0 all good, 1 findings, 2 wrong usage, 3 the source could not be
read or reached, 130 Ctrl-C, 141 the reader of our output went away, 143 SIGTERM.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
import threading
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from toolgauge.cli.errors import HandlerFailed, NoSuchTool, WrongUsage
from toolgauge.cli.text import say_json, visible, warn
from toolgauge.contract import InvalidJson, InvalidTool, ToolgaugeError
from toolgauge.upstream import InvalidSource, ServerFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from types import FrameType
    from typing import NoReturn

GOOD, FINDINGS, USAGE, SOURCE = 0, 1, 2, 3
INTERRUPTED, PIPE_CLOSED, TERMINATED = 130, 141, 143

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What a write to a standard stream fails with, other than that nobody reads it."""

_WRONG_USAGE = (WrongUsage, InvalidSource, InvalidJson)
_FINDING = (HandlerFailed, InvalidTool)


class Format(StrEnum):
    """How a command writes what it found."""

    TEXT = "text"
    JSON = "json"


class _Terminated(BaseException):
    """SIGTERM arrived, and what was open has been closed."""


_Work: TypeAlias = "int | Coroutine[Any, Any, int]"


def finish(work: _Work | Callable[[], _Work], shape: Format) -> NoReturn:
    """Run a command to its end and leave with its exit code.

    Whatever goes wrong is one sentence on stderr, and with ``Format.JSON`` a
    document on stdout as well. There is no traceback.

    Args:
        work: What to run. A plain function waits for standard input, and may give
            the rest of the work: no event loop then stands between it and Ctrl-C.
        shape: How the command writes.
    """
    try:
        with _hang_up_as_sigterm():
            code = _run(work, shape)
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        code = PIPE_CLOSED
    raise typer.Exit(code)


@contextmanager
def telling_system_errors() -> Iterator[None]:
    """Leave with a sentence where the system refuses something that nobody foresaw.

    A traceback would end with 1, which says that a tool was looked at.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        if error.filename is None and error.errno in _UNWRITABLE:
            _drop_output()
            warn(f"the output cannot be written: {reason}")
        elif error.filename is None:
            warn(f"the system refuses: {reason}")
        else:
            warn(visible(f"{os.fsdecode(error.filename)}: {reason}"))
        sys.exit(SOURCE)


def _drop_output() -> None:
    """Send standard output nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _hang_up_as_sigterm() -> Iterator[None]:
    """Take a terminal that goes away for a request to end, unless ``nohup`` says otherwise."""
    hang_up = getattr(signal, "SIGHUP", None)
    is_ours = threading.current_thread() is threading.main_thread()
    if hang_up is None or not is_ours or signal.getsignal(hang_up) is not signal.SIG_DFL:
        yield
        return
    signal.signal(hang_up, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(hang_up, signal.SIG_DFL)


def _run(work: _Work | Callable[[], _Work], shape: Format) -> int:
    """Run the command and translate how it ended."""
    try:
        rest = work() if callable(work) else work
        return rest if isinstance(rest, int) else asyncio.run(_until_terminated(rest))
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except ToolgaugeError as error:
        report(error, shape)
        return code_of(error)


async def _until_terminated(work: Coroutine[Any, Any, int]) -> int:
    """Let SIGTERM cancel the work, so that servers that we started end with us.

    A plain handler and not the event loop's: uvicorn puts its own in place
    while it serves, and raises the signal again for ours when it is done.
    """
    if threading.current_thread() is not threading.main_thread():
        return await work
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    terminated = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal terminated
        terminated = True
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        code = await work
        # A signal that uvicorn raised again on its way out is waiting here.
        await asyncio.sleep(0)
        return code
    except asyncio.CancelledError:
        if terminated:
            raise _Terminated from None
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)


def code_of(error: ToolgaugeError) -> int:
    """Tell whose fault an error is: the command line's, the tool's, or the source's."""
    if isinstance(error, _WRONG_USAGE):
        return USAGE
    return FINDINGS if isinstance(error, _FINDING) else SOURCE


def report(error: ToolgaugeError, shape: Format) -> None:
    """Say what went wrong: to people, and to a program where one is reading."""
    sentence = visible(str(error), keep="\n")
    warn(sentence)
    if shape is Format.JSON:
        found: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
        if isinstance(error, ServerFailed):
            found = {"kind": "ServerFailed", "message": f"{error.label}: {error.reason}"}
            found["stderr"] = list(error.stderr)
        if isinstance(error, NoSuchTool):
            found["nearest"] = list(error.nearest)
        say_json({"error": found})
