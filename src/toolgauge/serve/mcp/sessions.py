"""Sessions and streams of Streamable HTTP, kept by the official SDK.

Source: MCP 2025-11-25, Streamable HTTP, "Resumability and Redelivery" for the events that
are sent again to a client that lost a stream.
"""

from __future__ import annotations

import math
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio
from mcp.server.streamable_http import EventMessage, EventStore
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import jsonrpc_message_adapter

from toolgauge.envelope import error_message
from toolgauge.serve.mcp.eras import SESSION, is_older, version_of
from toolgauge.serve.mcp.relay import Slots
from toolgauge.serve.mcp.replies import failed
from toolgauge.serve.messages import header, json_answer

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, MutableMapping

    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http import EventCallback
    from mcp_types import JSONRPCMessage
    from starlette.types import Message, Receive, Scope, Send

    from toolgauge.contract import Bounds
    from toolgauge.serve.messages import Answer


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


_KEY = "toolgauge.request"
_POLL_S = 0.01
_SENDING_S = 5.0
"""How long a request waits for the answer to the one before it, of the same id, to be sent."""


class SdkRequests:
    """The requests that the SDK is at work on: how many calls, and which ids in which session.

    The SDK answers most calls on a stream, whose HTTP status is sent before anything
    else is known. Whether there is room, and whether an id is still in use, must therefore
    be checked before a request is handed to it; only the backend behind it knows when the
    request ends, since a client of the older era may hang up and leave its call running.

    Args:
        limit: Most calls at a time.
    """

    def __init__(self, limit: int) -> None:
        self._slots = Slots(limit)
        self._listening = 0
        self._by_key: dict[Hashable, _SdkRequest] = {}

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
        request = self._by_key.get(key)
        while request is not None and request.is_done:
            with anyio.move_on_after(_SENDING_S) as scope:
                await request.ended.wait()
            if scope.cancelled_caught:
                break
            request = self._by_key.get(key)
        return request is not None

    @contextmanager
    def handed(
        self, scope: MutableMapping[str, Any], key: Hashable, *, is_call: bool
    ) -> Iterator[bool]:
        """Count the request in ``scope``; ``False`` if there is no room for a call.

        It ends after the body, or where the backend has accepted it, when that is done
        with it. The key is in use until both have ended: the SDK sends an answer after
        the backend has given it, to the request that has the id then.

        Args:
            scope: The request.
            key: Its session and id, ``None`` if it has no session.
            is_call: Whether it counts as a call.
        """
        if is_call and not self._slots.take_now():
            yield False
            return
        request = scope[_KEY] = _SdkRequest(self, key, is_call=is_call)
        if key is not None:
            self._by_key[key] = request
        self._listening += is_call
        try:
            yield True
        finally:
            self._listening -= is_call
            request.end()

    def leave(self, *, is_call: bool) -> None:
        """Count a call no more: the backend is done with it."""
        if is_call:
            self._slots.give_back()

    def forget(self, key: Hashable) -> None:
        """Let another request use the key."""
        self._by_key.pop(key, None)


class _SdkRequest:
    """One request.

    Attributes:
        is_done: Whether the backend is done with it.
        ended: Set when the client has its answer as well, or does not wait for it any more.
    """

    def __init__(self, requests: SdkRequests, key: Hashable, *, is_call: bool) -> None:
        self.is_done: bool = False
        self.ended: anyio.Event = anyio.Event()
        self._requests = requests
        self._key = key
        self._is_call = is_call
        self._is_kept = self._is_heard = False

    def keep(self) -> None:
        """Stay at work until ``leave``: the backend has accepted the request."""
        self._is_kept = True

    def leave(self) -> None:
        """Note that the backend is done with the request."""
        self._requests.leave(is_call=self._is_call)
        self.is_done = True
        self._end_if_over()

    def end(self) -> None:
        """Note that the client has its answer, or does not wait for it any more."""
        self._is_heard = True
        if self._is_kept:
            self._end_if_over()
        else:
            self.leave()

    def _end_if_over(self) -> None:
        if self.is_done and self._is_heard:
            self._requests.forget(self._key)
            self.ended.set()


@contextmanager
def at_work(ctx: ServerRequestContext[Any, Any]) -> Iterator[None]:
    """Keep a request at work until the body ends."""
    request = getattr(ctx.request, "scope", {}).get(_KEY)
    if request is None:
        yield
        return
    request.keep()
    try:
        yield
    finally:
        request.leave()


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
        """End the least recently used session if there are as many as there may be."""
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
