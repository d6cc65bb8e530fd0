"""Cuts calls short: after a fixed time, or all at once when the process ends.

One timer serves all calls of an event loop. They have the same time, so they run out
in the order in which they began; a timer for each call, which is nearly never needed,
would cost more than all else that the gate does.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from types import TracebackType


class Cut(Enum):
    """Why a call was cut short."""

    LATE = "late"
    STOPPED = "stopped"


class Deadlines:
    """Watches over calls that may all take equally long.

    Args:
        timeout_s: How long, in seconds.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line] = WeakKeyDictionary()
        self.count: int = 0

    def watch(self) -> Watch:
        """Begin to watch the running task, until the block of the result is left."""
        loop = asyncio.get_running_loop()
        line = self._lines.get(loop)
        if line is None:
            line = self._lines[loop] = _Line(loop, self._timeout_s)
        return Watch(self, line)

    def stop(self) -> None:
        """Cut every call short that is under way."""
        for line in self._lines.values():
            line.cut_all()


class Watch:
    """One watched call: a block that is left quietly when the call was cut short.

    Attributes:
        cut: Why it was cut short, ``None`` where it was not.
    """

    __slots__ = ("_before", "_line", "_owner", "_task", "cut", "ends_s")

    def __init__(self, owner: Deadlines, line: _Line) -> None:
        self._owner = owner
        self._line = line
        self.cut: Cut | None = None

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        if task is None:
            msg = "a call is made from a task of an event loop"
            raise RuntimeError(msg)
        self._task: asyncio.Task[object] = task
        self._before = task.cancelling()
        self.ends_s: float = self._line.add(self)
        self._owner.count += 1
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        self._owner.count -= 1
        del self._line.watched[self]
        if self.cut is None:
            return False
        # As asyncio.timeout does: a cancellation that somebody else asked for stays one.
        return self._task.uncancel() <= self._before and kind is asyncio.CancelledError

    def end(self, cut: Cut) -> None:
        """Cut the call short."""
        if self.cut is None:
            self.cut = cut
            self._task.cancel()


class _Line:
    """The calls of one event loop, in the order in which they run out."""

    __slots__ = ("__weakref__", "_loop", "_timeout_s", "_timer", "watched")

    def __init__(self, loop: asyncio.AbstractEventLoop, timeout_s: float) -> None:
        self._loop = loop
        self._timeout_s = timeout_s
        self._timer: asyncio.TimerHandle | None = None
        self.watched: dict[Watch, None] = {}

    def add(self, watch: Watch) -> float:
        """Put a call at the end of the line; give the loop's time at which it runs out."""
        ends_s = self._loop.time() + self._timeout_s
        self.watched[watch] = None
        if self._timer is None:
            self._timer = self._loop.call_at(ends_s, self._expire)
        return ends_s

    def _expire(self) -> None:
        """End the calls whose time is over, and wait for the next one's."""
        self._timer = None
        now_s = self._loop.time()
        for watch in list(self.watched):
            if watch.cut is not None:
                continue
            if watch.ends_s > now_s:
                self._timer = self._loop.call_at(watch.ends_s, self._expire)
                return
            watch.end(Cut.LATE)

    def cut_all(self) -> None:
        """End all of them."""
        for watch in list(self.watched):
            watch.end(Cut.STOPPED)
