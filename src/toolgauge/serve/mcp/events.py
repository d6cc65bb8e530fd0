"""What was sent on the streams of one session, for a client that lost one of them.

Source: MCP 2025-11-25, Streamable HTTP, "Resumability and Redelivery".
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from mcp.server.streamable_http import EventMessage, EventStore
from mcp_types import jsonrpc_message_adapter

if TYPE_CHECKING:
    from mcp.server.streamable_http import EventCallback
    from mcp_types import JSONRPCMessage

MAX_EVENTS: Final = 256
"""How many events of one session are kept."""

MAX_EVENT_CHARS: Final = 262_144
"""How large they may be together, in characters of JSON."""


class _Event(NamedTuple):
    stream: str
    number: int
    text: str


class RecentEvents(EventStore):
    """The last events of one session.

    Streams are named by request id, which two sessions may share: each session has
    a store of its own, so that neither hears the other's messages.
    """

    def __init__(self) -> None:
        self._events: deque[_Event] = deque()
        self._last = 0
        self._chars = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Keep an event and give its id."""
        self._last += 1
        # As text, which is a tenth of the objects' size.
        text = "" if message is None else message.model_dump_json(by_alias=True, exclude_unset=True)
        self._events.append(_Event(stream_id, self._last, text))
        self._chars += len(text)
        while len(self._events) > MAX_EVENTS or self._chars > MAX_EVENT_CHARS:
            self._chars -= len(self._events.popleft().text)
        return str(self._last)

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """Send again what came after an event on its stream; ``None`` where it is forgotten."""
        seen = next((each for each in self._events if str(each.number) == last_event_id), None)
        if seen is None:
            return None
        for event in list(self._events):
            if event.stream == seen.stream and event.number > seen.number and event.text:
                message = jsonrpc_message_adapter.validate_json(event.text, by_name=False)
                await send_callback(EventMessage(message, str(event.number)))
        return seen.stream
