"""A limit on calls in flight, shared by everything that runs or forwards calls."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Slots:
    """Counts calls in flight. For one event loop.

    Args:
        limit: The most at a time.
        waits: Whether ``take`` waits for a free slot. Where the transport can hold its
            client back, as a pipe can, a call waits; elsewhere it is rejected.

    Attributes:
        taken: How many are in flight.
    """

    def __init__(self, limit: int, *, waits: bool = False) -> None:
        self.limit: int = limit
        self._waits = waits
        self.taken: int = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    def take_now(self) -> bool:
        """Take a slot if one is free and no earlier call waits for it."""
        if self.taken >= self.limit or self._queue:
            return False
        self.taken += 1
        return True

    async def take(self) -> bool:
        """Take a slot, waiting for one if this is what ``waits`` says.

        Returns:
            Whether the caller has a slot now, which it must ``give_back``.
        """
        if self.take_now():
            return True
        if not self._waits:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.give_back()
            raise
        return True

    def give_back(self) -> None:
        """Free a slot, or hand it to the call that has waited longest."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.taken -= 1

    @asynccontextmanager
    async def held(self) -> AsyncIterator[bool]:
        """Hold a slot in the body; ``False`` if none was free."""
        has_slot = await self.take()
        try:
            yield has_slot
        finally:
            if has_slot:
                self.give_back()
