"""Sessions and streams of Streamable HTTP, kept by the official SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from toolgauge.serve.mcp.events import RecentEvents

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.streamable_http import EventStore

MAX_SESSIONS = 1_000
"""Most sessions at once. A client that finds no room is answered 503."""

IDLE_TIMEOUT_S = 30 * 60.0
"""How long a session is kept that nobody uses."""

RETRY_INTERVAL_MS = 1_000


class Sessions(StreamableHTTPSessionManager):
    """The SDK's manager, with a store of events for each session.

    Args:
        server: What the sessions are with.
        max_body_bytes: Largest body.
    """

    def __init__(self, server: Server[Any], *, max_body_bytes: int) -> None:
        super().__init__(
            server,
            retry_interval=RETRY_INTERVAL_MS,
            session_idle_timeout=IDLE_TIMEOUT_S,
            max_sessions=MAX_SESSIONS,
            max_request_body_size=max_body_bytes,
        )
        self._versions: dict[str, str] = {}

    @property
    def event_store(self) -> EventStore:
        """A new store each time: the manager asks once per session."""
        return RecentEvents()

    @event_store.setter
    def event_store(self, value: EventStore | None) -> None:
        del value

    def is_open(self, session_id: str) -> bool:
        """Tell whether there is such a session, and count this as a use of it.

        What is answered without the SDK must hold the session open all the same.
        """
        transport = self._server_instances.get(session_id)
        if transport is None or transport.is_terminated:
            return False
        scope = transport.idle_scope
        if scope is not None and not scope.cancel_called:
            scope.deadline = max(scope.deadline, anyio.current_time() + IDLE_TIMEOUT_S)
        return True

    def remember(self, session_id: str, version: str) -> None:
        """Keep the version that a session speaks; requests need not say it again."""
        self._versions[session_id] = version

    def forget(self, session_id: str) -> None:
        """Let go of a session that has ended."""
        self._versions.pop(session_id, None)

    def version_of(self, session_id: bytes | None) -> str | None:
        """Give the version that a session speaks, ``None`` where there is none."""
        return None if session_id is None else self._versions.get(session_id.decode("latin-1"))
