"""Sessions and streams of Streamable HTTP, kept by the official SDK."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from toolgauge.envelope import error_message
from toolgauge.serve.answers import json_answer
from toolgauge.serve.bodies import header
from toolgauge.serve.mcp.events import RecentEvents
from toolgauge.serve.mcp.headers import SESSION, is_older, version_of
from toolgauge.serve.mcp.replies import failed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp.server import Server
    from mcp.server.streamable_http import EventStore
    from starlette.types import Message, Receive, Scope, Send

    from toolgauge.contract import Bounds
    from toolgauge.serve.answers import Answer

RETRY_INTERVAL_MS = 1_000

_BAD_REQUEST = 400
_ROOM_S = 0.25
_ROOM_POLL_S = 0.05


class SessionLimit(NamedTuple):
    """How many sessions there may be, and which bound says so."""

    number: int
    bound: str


def session_limit(bounds: Bounds, *, starts_processes: bool) -> SessionLimit:
    """Return the limit, which is lower where each session has a process of its own."""
    if starts_processes and bounds.max_upstream_processes < bounds.max_sessions:
        return SessionLimit(bounds.max_upstream_processes, "max_upstream_processes")
    return SessionLimit(bounds.max_sessions, "max_sessions")


class NoIdleSession(Exception):
    """There are as many sessions as there may be, and all of them are in use."""


class Sessions(StreamableHTTPSessionManager):
    """The SDK's manager, with a store of events for each session and bounds of our own.

    The SDK turns new clients away while there are too many sessions, for as long as 30
    minutes. Here the least recently used session ends instead, if it has no request in
    flight and no open stream. Its client gets 404, and initializes anew.

    The SDK keeps the time at which an idle session expires in ``idle_scope``: infinite
    while the session is in use, and otherwise the later the more recently it was used.

    Args:
        server: What the sessions are with.
        bounds: How long sessions are kept.
        limit: How many there may be.
        max_body_bytes: Largest body.
    """

    def __init__(
        self, server: Server[Any], *, bounds: Bounds, limit: SessionLimit, max_body_bytes: int
    ) -> None:
        super().__init__(
            server,
            retry_interval=RETRY_INTERVAL_MS,
            session_idle_timeout=bounds.session_timeout_s,
            max_sessions=None,
            max_request_body_size=max_body_bytes,
        )
        self._bounds = bounds
        self._limit = limit
        self._versions: dict[str, str] = {}
        self._unused: set[str] = set()

    @property
    def event_store(self) -> EventStore:
        """A new store each time, once there is room for its session.

        The manager reads this once for each session, at the moment that it admits it.

        Raises:
            NoIdleSession: There is no room.
        """
        self._make_room()
        return RecentEvents()

    @event_store.setter
    def event_store(self, value: EventStore | None) -> None:
        del value

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; keep the session that it opens for a short time at first."""
        if header(scope, SESSION) is not None:
            await super().handle_request(scope, receive, send)
            return
        opened: set[str] = set()

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < _BAD_REQUEST:
                opened.update(_named_in(message["headers"]))
                self._unused.update(opened)
            await send(message)

        if is_older(version_of(scope)):
            await self._wait_for_room()
        try:
            await super().handle_request(scope, receive, noted)
        except NoIdleSession:
            await self._full().send(send)
        finally:
            # It may have been used before its handshake was over on our side.
            for each in opened & self._unused:
                self._expect_use(each)
            self._unused -= opened

    def is_open(self, session_id: str) -> bool:
        """Tell whether there is such a session, and count this as a use of it.

        What is answered without the SDK must hold the session open all the same.
        """
        self._unused.discard(session_id)
        transport = self._server_instances.get(session_id)
        if transport is None or transport.is_terminated:
            return False
        scope = transport.idle_scope
        if scope is not None:
            if scope.cancel_called:
                return False
            kept_until = anyio.current_time() + self._bounds.session_timeout_s
            scope.deadline = max(scope.deadline, kept_until)
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

    def _make_room(self) -> None:
        """End the least recently used session if there are as many as there may be.

        Raises:
            NoIdleSession: All of them are in use.
        """
        kept = self._kept()
        if len(kept) < self._limit.number:
            return
        idle = [each for each in kept if each.deadline < math.inf]
        if not idle:
            raise NoIdleSession
        min(idle, key=lambda each: each.deadline).cancel()

    async def _wait_for_room(self) -> None:
        """Wait for a moment if all sessions are in use: one may just have been answered."""
        with anyio.move_on_after(_ROOM_S):
            while len(kept := self._kept()) >= self._limit.number:
                if any(each.deadline < math.inf for each in kept):
                    return
                await anyio.sleep(_ROOM_POLL_S)

    def _kept(self) -> list[anyio.CancelScope]:
        """Return what ends each session, without those that are ending already.

        Empty while there are fewer sessions than there may be.
        """
        if len(self._server_instances) < self._limit.number:
            return []
        # One that is just starting has no scope yet; its own is as good as in use.
        scopes = [
            each.idle_scope or anyio.CancelScope() for each in self._server_instances.values()
        ]
        return [each for each in scopes if not each.cancel_called]

    def _expect_use(self, session_id: str) -> None:
        """Let a session expire soon unless it is used again."""
        transport = self._server_instances.get(session_id)
        scope = None if transport is None else transport.idle_scope
        if scope is not None and scope.deadline < math.inf:
            limit_s = self._bounds.first_use_timeout_s
            scope.deadline = min(scope.deadline, anyio.current_time() + limit_s)

    def _full(self) -> Answer:
        """Build the answer to a client for whose session there is no room."""
        number, bound = self._limit
        reply = failed(f"Too many open sessions: all {number:,} are in use ({bound}); try again")
        body = error_message(None, dict(reply.error or {}))
        return json_answer(503, body, (b"retry-after", b"1"))


def _named_in(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[str]:
    """Give the session that an answer names, if it names one."""
    return (value.decode("latin-1") for key, value in headers if key == SESSION)
