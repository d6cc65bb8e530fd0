"""The requests that were passed on and are not answered yet, and how long they have left."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class Caller(Protocol):
    """The client that a request came from, while it waits for the answer."""

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Send the client a request and give its result.

        Raises:
            RequestRefused: It answered with an error, or cannot be asked.
        """

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send the client a notification."""


class Slots:
    """Counts calls in flight, for all conversations of one process.

    Args:
        limit: The most at once.
    """

    def __init__(self, limit: int) -> None:
        self.limit: int = limit
        self.taken: int = 0

    @property
    def is_full(self) -> bool:
        """Whether no further call may start."""
        return self.taken >= self.limit


class Clock(Protocol):
    """How long a request has left: ``asyncio.Timeout``, or the like."""

    def expired(self) -> bool:
        """Whether it has run out."""

    def reschedule(self, when: float | None) -> None:
        """Let it run out at another time of the loop, or never."""


class Timer:
    """A clock for a request that nobody waits for in a task."""

    def __init__(self, seconds: float, on_late: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_late = on_late
        self._is_late = False
        self._handle: asyncio.TimerHandle | None = None
        self.reschedule(self._loop.time() + seconds)

    def expired(self) -> bool:
        """Whether it has run out."""
        return self._is_late

    def reschedule(self, when: float | None) -> None:
        """Let it run out at another time of the loop, or never."""
        self.stop()
        if when is not None:
            self._handle = self._loop.call_at(when, self._late)

    def stop(self) -> None:
        """Let it never run out."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _late(self) -> None:
        self._is_late = True
        self._on_late()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall:
    """A request that was passed on and is not answered yet."""

    caller: Caller
    clock: Clock
    is_stream: bool
    ident: object = None
    token: object = None


class OpenCalls:
    """The open calls of one conversation, by our own ids, in the order of their beginning.

    Args:
        limit_s: How long each has, in seconds.
    """

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._calls: dict[int, OpenCall] = {}

    def begin(self, own: int, call: OpenCall) -> None:
        """Take a call in."""
        self._calls[own] = call

    def end(self, own: int) -> None:
        """Let a call go."""
        del self._calls[own]

    def find(self, own: object) -> OpenCall | None:
        """Give the call of an id of ours that came back; some servers make text of it."""
        return self._calls.get(_as_int(own))

    def youngest(self, *, must_be_alone: bool) -> OpenCall | None:
        """Give the call that began last; where it must be alone, only if it is."""
        answered = [each for each in self._calls.values() if not each.is_stream]
        if not answered or (must_be_alone and len(answered) > 1):
            return None
        return answered[-1]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let no call run out in here; afterwards each has its whole time again."""
        for each in self._calls.values():
            if not each.clock.expired():
                each.clock.reschedule(None)
        try:
            yield
        finally:
            for each in self._calls.values():
                self.wind(each)

    def wind(self, call: OpenCall) -> None:
        """Give a call its whole time again, if it has not run out yet."""
        if not call.is_stream and not call.clock.expired():
            call.clock.reschedule(asyncio.get_running_loop().time() + self._limit_s)


def _as_int(value: object) -> int:
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else -1
