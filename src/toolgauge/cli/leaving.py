"""The end of a server's process, also when a tool's thread will not end."""

from __future__ import annotations

import logging
import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from toolgauge.cli.running import INTERRUPTED, TERMINATED

if TYPE_CHECKING:
    from collections.abc import Iterator

_GRACE_S = 0.2
_WORKERS = "AnyIO worker thread"


@contextmanager
def leaving_stuck_threads() -> Iterator[None]:
    """Leave at once, after a signal, where a tool's synchronous code still runs.

    Python waits for threads before it ends, and a thread cannot be stopped: a tool
    that hangs would keep the process from ending (or rather from ending well, when
    whoever asked loses patience).
    """
    before = set(threading.enumerate())
    try:
        yield
    except typer.Exit as ended:
        if ended.exit_code in {INTERRUPTED, TERMINATED} and _is_any_stuck(before):
            logging.shutdown()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(ended.exit_code)
        raise


def _is_any_stuck(before: set[threading.Thread]) -> bool:
    """Tell whether a thread that runs tools does not end by itself."""
    for thread in set(threading.enumerate()) - before:
        if thread.name == _WORKERS:
            thread.join(_GRACE_S)
            if thread.is_alive():
                return True
    return False
