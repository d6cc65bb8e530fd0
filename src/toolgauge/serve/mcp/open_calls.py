"""The requests that were passed on and are not answered yet, and how long they have left."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from toolgauge.contract import Bounds

_INTERNAL_ERROR = -32603


class Caller(Protocol):
    """The client that a request came from, while it waits for the answer."""

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Send the client a request and give its result.

        Raises:
            RequestRefused: It answered with an error, or cannot be asked.
        """

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send the client a notification."""


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


@dataclass(slots=True, kw_only=True)
class OpenCall:
    """A request that was passed on and is not answered yet.

    Attributes:
        begun_s: When it was passed on, by the clock of the event loop.
        held_before_s: For how long clients had been asked by then.
        late_s: What it is late after, in seconds.
    """

    caller: Caller
    clock: Clock
    is_stream: bool
    ident: object = None
    token: object = None
    begun_s: float = 0.0
    held_before_s: float = 0.0
    late_s: float = 0.0


class OpenCalls:
    """The open calls of one conversation, by our own ids, in the order of their beginning.

    Progress gives a call its whole time again, and a question to its client stops its
    clock, but neither for ever.

    Args:
        bounds: ``handler_timeout_s``, ``max_call_s`` and ``max_question_s``.

    Source: MCP 2025-11-25, basic/lifecycle, "Timeouts": a maximum timeout is always
    enforced, regardless of progress notifications.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._limit_s = bounds.handler_timeout_s
        self._max_call_s = max(bounds.max_call_s, bounds.handler_timeout_s)
        self._max_question_s = bounds.max_question_s
        self._longest_s = bounds.longest_call_s
        self._calls: dict[int, OpenCall] = {}
        self._questions = 0
        self._asked_at_s = 0.0
        self._held_s = 0.0

    def begin(self, own: int, call: OpenCall) -> None:
        """Take a call in."""
        call.begun_s = asyncio.get_running_loop().time()
        call.held_before_s, call.late_s = self._held_until(call.begun_s), self._limit_s
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

    @asynccontextmanager
    async def held(self, call: OpenCall | None) -> AsyncIterator[None]:
        """Stop the clocks while a client is asked; afterwards each call has its whole time again.

        Args:
            call: The call that the question is about, if there is one.

        Raises:
            RequestRefused: The client takes too long.
        """
        now = asyncio.get_running_loop().time()
        if not self._questions:
            self._asked_at_s = now
        self._questions += 1
        for each in self._calls.values():
            self._hold(each, now)
        left_s = self._max_question_s - (0.0 if call is None else self._held_of(call, now))
        try:
            async with asyncio.timeout(left_s):
                yield
        except TimeoutError:
            message = f"the client did not answer within {self._max_question_s:g} s"
            raise RequestRefused(_INTERNAL_ERROR, message) from None
        finally:
            self._questions -= 1
            if not self._questions:
                self._held_s += asyncio.get_running_loop().time() - self._asked_at_s
                for each in self._calls.values():
                    self.wind(each)

    def wind(self, call: OpenCall) -> None:
        """Give a call its whole time again, up to its maximum, if it has not run out yet."""
        if self._questions:
            return
        now = asyncio.get_running_loop().time()
        held_s = min(self._held_of(call, now), self._max_question_s)
        self._let_end(call, now + self._limit_s, self._limit_s, self._max_call_s + held_s)

    def _hold(self, call: OpenCall, now: float) -> None:
        """Let a call end when its questions must have ended, and it has its time after them."""
        left_s = self._max_question_s - self._held_of(call, now) + self._limit_s
        self._let_end(call, now + left_s, left_s, self._longest_s)

    def _let_end(self, call: OpenCall, when: float, late_s: float, longest_s: float) -> None:
        """Let a call end at a time, and after the longest time from its beginning at last."""
        if call.is_stream or call.clock.expired():
            return
        latest = call.begun_s + longest_s
        call.late_s = round(late_s if when <= latest else longest_s, 1)
        call.clock.reschedule(min(when, latest))

    def _held_of(self, call: OpenCall, now: float) -> float:
        """Return for how long clients were asked since a call began."""
        return self._held_until(now) - call.held_before_s

    def _held_until(self, now: float) -> float:
        return self._held_s + (now - self._asked_at_s if self._questions else 0.0)


def _as_int(value: object) -> int:
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else -1
