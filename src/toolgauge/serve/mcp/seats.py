"""How many calls the SDK may be at work on, and the place that each of them takes.

The SDK answers most calls on a stream, whose HTTP status is sent before anything
else is known. Whether there is room must therefore be asked before a call is handed
to it; only the backend behind it knows when the call ends, since a client of the
older era may hang up and leave its call running.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from mcp.server.context import ServerRequestContext

_KEY = "toolgauge.seat"
_POLL_S = 0.01


class Seats:
    """The places of one endpoint.

    Args:
        limit: How many there are.
    """

    def __init__(self, limit: int) -> None:
        self.limit: int = limit
        self.taken: int = 0
        self._listening = 0

    async def emptied_within(self, seconds: float) -> None:
        """Wait until nobody listens for the answer to a call, but not for longer."""
        with anyio.move_on_after(seconds):
            while self._listening:  # noqa: ASYNC110 - once in the life of a process
                await anyio.sleep(_POLL_S)

    @contextmanager
    def offered(self, scope: MutableMapping[str, Any]) -> Iterator[bool]:
        """Take a place for the call in ``scope``; false where there is none.

        It is free again after the body, or where the backend has taken the call on,
        when that lets go of it.
        """
        if self.taken >= self.limit:
            yield False
            return
        seat = scope[_KEY] = _Seat(self)
        self._listening += 1
        try:
            yield True
        finally:
            self._listening -= 1
            if not seat.is_kept:
                seat.leave()


class _Seat:
    """One place, taken from the beginning."""

    def __init__(self, seats: Seats) -> None:
        self.is_kept = False
        self._seats = seats
        seats.taken += 1

    def leave(self) -> None:
        self._seats.taken -= 1


@contextmanager
def seated(ctx: ServerRequestContext[Any, Any]) -> Iterator[None]:
    """Keep the place of a request until the body ends; other requests have none."""
    seat = getattr(ctx.request, "scope", {}).get(_KEY)
    if seat is None:
        yield
        return
    seat.is_kept = True
    try:
        yield
    finally:
        seat.leave()
