"""What was sent on the streams of one session, for a client that lost one of them.

Source: MCP 2025-11-25, Streamable HTTP, "Resumability and Redelivery".
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from mcp.server.streamable_http import EventMessage, EventStore

if TYPE_CHECKING:
    from mcp.server.streamable_http import EventCallback
    from mcp_types import JSONRPCMessage

MAX_EVENTS = 256
"""How many events of one session are kept."""


class _Event(NamedTuple):
    stream: str
    number: int
    message: JSONRPCMessage | None


class RecentEvents(EventStore):
    """The last events of one session.

    Streams are named by request id, which two sessions may share: each session has
    a store of its own, so that neither hears the other's messages.
    """

    def __init__(self) -> None:
        self._events: deque[_Event] = deque(maxlen=MAX_EVENTS)
        self._last = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Keep an event and give its id."""
        self._last += 1
        self._events.append(_Event(stream_id, self._last, message))
        return str(self._last)

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """Send again what came after an event on its stream; ``None`` where it is forgotten."""
        seen = next((each for each in self._events if str(each.number) == last_event_id), None)
        if seen is None:
            return None
        for event in list(self._events):
            if event.stream == seen.stream and event.number > seen.number and event.message:
                await send_callback(EventMessage(event.message, str(event.number)))
        return seen.stream
