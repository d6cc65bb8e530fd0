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


class Seats:
    """The requests of one endpoint.

    Args:
        limit: Most calls at a time.
    """

    def __init__(self, limit: int) -> None:
        self.limit: int = limit
        self.taken: int = 0
        self._listening = 0
        self._in_use: set[Hashable] = set()

    async def emptied_within(self, seconds: float) -> None:
        """Wait until nobody listens for the answer to a call, but not for longer."""
        with anyio.move_on_after(seconds):
            while self._listening:  # noqa: ASYNC110 - once in the life of a process
                await anyio.sleep(_POLL_S)

    def is_in_use(self, key: Hashable) -> bool:
        """Whether a request of this key has no answer yet."""
        return key in self._in_use

    @contextmanager
    def offered(
        self, scope: MutableMapping[str, Any], key: Hashable, *, is_call: bool
    ) -> Iterator[bool]:
        """Take a seat for the request in ``scope``; ``False`` if there is none for a call.

        It is free again after the body, or where the backend has accepted the request,
        when that is done with it.

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
            if not seat.is_kept:
                seat.leave()


class _Seat:
    """The seat of one request, taken from the beginning."""

    def __init__(self, seats: Seats, key: Hashable, *, is_call: bool) -> None:
        self.is_kept = False
        self._seats = seats
        self._key = key
        self._is_call = is_call
        seats.taken += is_call
        if key is not None:
            seats._in_use.add(key)  # noqa: SLF001 - one mechanism in two classes

    def leave(self) -> None:
        self._seats.taken -= self._is_call
        self._seats._in_use.discard(self._key)  # noqa: SLF001 - as above


@contextmanager
def seated(ctx: ServerRequestContext[Any, Any]) -> Iterator[None]:
    """Keep the seat of a request until the body ends."""
    seat = getattr(ctx.request, "scope", {}).get(_KEY)
    if seat is None:
        yield
        return
    seat.is_kept = True
    try:
        yield
    finally:
        seat.leave()
