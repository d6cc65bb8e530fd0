"""SIGTERM and SIGINT as an event: what is in flight is answered before the process ends."""

from __future__ import annotations

import asyncio
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

DRAIN_S: Final = 3.5
"""How long calls may go on once the process is asked to end."""

ANSWER_S: Final = 0.5
"""How long their answers may take after that. Together well below the 5 s after which
supervisors kill."""

UPSTREAM_DRAIN_S: Final = 1.0
"""How long calls to a server elsewhere may go on: that server must be ended too, and has
to be given time for it."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stop_on_signals() -> Iterator[asyncio.Event]:
    """Return an event that is set when the process is asked to end.

    The signal is raised again, for whoever handled it before, when the block ends.
    Outside of the main thread, where Python takes no signals, it is never set.
    """
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    caught: list[int] = []

    def ask(number: int, _frame: FrameType | None) -> None:
        caught.append(number)
        loop.call_soon_threadsafe(stop.set)

    before: dict[signal.Signals, Any] = {each: signal.signal(each, ask) for each in _SIGNALS}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        for number in caught[:1]:
            signal.raise_signal(number)
