"""From a command to an exit code. Every failure ends here.

Exit codes: 0 all good, 1 findings, 2 wrong usage, 3 the source could not be
read or reached, 130 Ctrl-C, 141 the reader of our output closed it, 143 SIGTERM.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from toolgauge.cli.errors import HandlerFailed, NoSuchTool, WrongUsage
from toolgauge.cli.output import say_json, warn
from toolgauge.cli.text import visible
from toolgauge.contract import InvalidJson, InvalidTool, ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from types import FrameType
    from typing import NoReturn

GOOD, FINDINGS, USAGE, SOURCE = 0, 1, 2, 3
INTERRUPTED, PIPE_CLOSED, TERMINATED = 130, 141, 143

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What a write to a standard stream fails with, other than that nobody reads it."""

_GRACE_S = 0.2
_WORKERS = "AnyIO worker thread"


class _Terminated(BaseException):
    """SIGTERM arrived, and what was open has been closed."""


def finish(work: Callable[[], int | Coroutine[Any, Any, int]], *, as_json: bool) -> NoReturn:
    """Run a command to its end and leave with its exit code.

    An error is one line on stderr, without a traceback.

    Python waits for threads before it ends, and a thread cannot be stopped. So the
    process leaves immediately after a signal, if a tool's synchronous code still runs.

    Args:
        work: The command. What it does before it returns a coroutine, such as reading
            standard input, has no event loop between itself and Ctrl-C.
        as_json: Whether an error is written to stdout too, as a JSON document.
    """
    before = set(threading.enumerate())
    try:
        with _hang_up_as_sigterm():
            code = _run(work, as_json=as_json)
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        code = PIPE_CLOSED
    if code in {INTERRUPTED, TERMINATED} and _is_any_stuck(before):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    raise typer.Exit(code)


@contextmanager
def reporting_system_errors() -> Iterator[None]:
    """Leave with a one-line error where the system raises one that no command expects.

    A traceback would end with 1, which means that a tool was looked at.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        if error.filename is not None:
            warn(visible(f"{os.fsdecode(error.filename)}: {reason}"))
        elif error.errno in _UNWRITABLE:
            _drop_output()
            warn(f"the output cannot be written: {reason}")
        else:
            warn(f"the system refuses: {reason}")
        sys.exit(SOURCE)


def _drop_output() -> None:
    """Send standard output nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_any_stuck(before: set[threading.Thread]) -> bool:
    """Check whether a thread that runs tools does not end by itself."""
    for thread in set(threading.enumerate()) - before:
        if thread.name == _WORKERS:
            thread.join(_GRACE_S)
            if thread.is_alive():
                return True
    return False


@contextmanager
def _hang_up_as_sigterm() -> Iterator[None]:
    """Handle a closed terminal as SIGTERM, unless ``nohup`` says otherwise."""
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


def _run(work: Callable[[], int | Coroutine[Any, Any, int]], *, as_json: bool) -> int:
    """Run the command and translate how it ended."""
    import asyncio  # slow, and of no use to --version and --help

    try:
        rest = work()
        return rest if isinstance(rest, int) else asyncio.run(_until_terminated(rest))
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except ToolgaugeError as error:
        return _report(error, as_json=as_json)


async def _until_terminated(work: Coroutine[Any, Any, int]) -> int:
    """Let SIGTERM cancel the work, so that servers that we started end with us.

    A plain handler and not the event loop's: uvicorn puts its own in place
    while it serves, and raises the signal again for ours when it is done.
    """
    import asyncio

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


def _report(error: ToolgaugeError, *, as_json: bool) -> int:
    """Write what went wrong, and return the exit code: usage, the tool, or the source."""
    from toolgauge.upstream import InvalidSource, ServerFailed

    warn(visible(str(error), keep="\n"))
    if as_json:
        found: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
        if isinstance(error, ServerFailed):
            found = {"kind": "ServerFailed", "message": f"{error.label}: {error.reason}"}
            found["stderr"] = list(error.stderr)
        if isinstance(error, NoSuchTool):
            found["nearest"] = list(error.nearest)
        say_json({"error": found})
    if isinstance(error, WrongUsage | InvalidSource | InvalidJson):
        return USAGE
    return FINDINGS if isinstance(error, HandlerFailed | InvalidTool) else SOURCE
