"""The requests that the SDK is at work on: how many calls, and which ids in which session.

The SDK answers most calls on a stream, whose HTTP status is sent before anything
else is known. Whether there is room, and whether an id is still in use, must therefore
be checked before a request is handed to it; only the backend behind it knows when the
request ends, since a client of the older era may hang up and leave its call running.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, MutableMapping

    from mcp.server.context import ServerRequestContext

_KEY = "toolgauge.seat"
_POLL_S = 0.01
_SENDING_S = 5.0
"""How long a request waits for the answer to the one before it, of the same id, to be sent."""


class Seats:
    """The requests of one endpoint.

    Args:
        limit: Most calls at a time.

    Attributes:
        taken: How many calls there are.
    """

    def __init__(self, limit: int) -> None:
        self.limit: int = limit
        self.taken: int = 0
        self._listening = 0
        self._in_use: dict[Hashable, _Seat] = {}

    async def emptied_within(self, seconds: float) -> None:
        """Wait until nobody listens for the answer to a call, but not for longer."""
        with anyio.move_on_after(seconds):
            while self._listening:  # noqa: ASYNC110 - once in the life of a process
                await anyio.sleep(_POLL_S)

    async def is_in_use(self, key: Hashable) -> bool:
        """Whether a request of this key has no answer yet.

        Where its answer is being sent, this waits for that: its client may have read it
        already, and use the id again.
        """
        seat = self._in_use.get(key)
        while seat is not None and seat.is_done:
            with anyio.move_on_after(_SENDING_S) as scope:
                await seat.ended.wait()
            if scope.cancelled_caught:
                break
            seat = self._in_use.get(key)
        return seat is not None

    def enter(self, key: Hashable, seat: _Seat) -> None:
        """Note that a request has begun."""
        if key is not None:
            self._in_use[key] = seat

    def leave(self, key: Hashable) -> None:
        """Note that a request has its answer."""
        self._in_use.pop(key, None)

    @contextmanager
    def offered(
        self, scope: MutableMapping[str, Any], key: Hashable, *, is_call: bool
    ) -> Iterator[bool]:
        """Take a seat for the request in ``scope``; ``False`` if there is none for a call.

        It is free again after the body, or where the backend has accepted the request,
        when that is done with it. The key is in use until both have ended: the SDK sends
        an answer after the backend has given it, to the request that has the id then.

        Args:
            scope: The request.
            key: Its session and id, ``None`` if it has no session.
            is_call: Whether it counts as a call.
        """
        if is_call and self.taken >= self.limit:
            yield False
            return
        seat = scope[_KEY] = _Seat(self, key, is_call=is_call)
        self._listening += is_call
        try:
            yield True
        finally:
            self._listening -= is_call
            seat.end()


class _Seat:
    """The seat of one request, taken from the beginning.

    Attributes:
        is_done: Whether the backend is done with the request.
        ended: Set when the client has its answer as well, or does not wait for it any more.
    """

    def __init__(self, seats: Seats, key: Hashable, *, is_call: bool) -> None:
        self.is_done: bool = False
        self.ended: anyio.Event = anyio.Event()
        self._seats = seats
        self._key = key
        self._is_call = is_call
        self._is_kept = self._is_heard = False
        seats.taken += is_call
        seats.enter(key, self)

    def keep(self) -> None:
        """Hold the seat until ``leave``: the backend has accepted the request."""
        self._is_kept = True

    def leave(self) -> None:
        """Free the seat: the backend is done with the request."""
        self._seats.taken -= self._is_call
        self.is_done = True
        self._free_key()

    def end(self) -> None:
        """Note that the client has its answer, or does not wait for it any more."""
        self._is_heard = True
        if self._is_kept:
            self._free_key()
        else:
            self.leave()

    def _free_key(self) -> None:
        if self.is_done and self._is_heard:
            self._seats.leave(self._key)
            self.ended.set()


@contextmanager
def seated(ctx: ServerRequestContext[Any, Any]) -> Iterator[None]:
    """Keep the seat of a request until the body ends."""
    seat = getattr(ctx.request, "scope", {}).get(_KEY)
    if seat is None:
        yield
        return
    seat.keep()
    try:
        yield
    finally:
        seat.leave()
