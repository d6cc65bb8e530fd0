"""What stands behind standard input and output: tools of this process, or a server elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import anyio

from toolgauge.serve.mcp.eras import (
    DEFAULT_NEGOTIATED_VERSION,
    LATEST_MODERN_VERSION,
    ONLY_OLDER,
    envelope_fault,
    is_modern,
)
from toolgauge.serve.mcp.relay import Relay
from toolgauge.serve.mcp.replies import Reply, failed, relayed, unknown_method
from toolgauge.serve.mcp.upstreams import Greeter, Session
from toolgauge.upstream import RequestRefused, ServerFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.envelope import Notification, Request
    from toolgauge.gate import Slots
    from toolgauge.serve.mcp.client import StdioClient
    from toolgauge.serve.mcp.conversations import Conversations
    from toolgauge.serve.mcp.local import LocalServer


class Server(Protocol):
    """What stands behind the lines."""

    @property
    def relay(self) -> Relay | None:
        """What passes calls on as they are, once that is known."""

    async def reply(self, request: Request, client: StdioClient) -> Reply:
        """Answer a request."""

    async def notify(self, notification: Notification) -> None:
        """Take a notification."""

    def stop(self) -> None:
        """Start no further call."""


class Local:
    """Tools in this process."""

    relay: Relay | None = None

    def __init__(self, local: LocalServer, slots: Slots) -> None:
        self._local = local
        self._slots = slots
        self._version = DEFAULT_NEGOTIATED_VERSION

    async def reply(self, request: Request, client: StdioClient) -> Reply:
        """Answer a request."""
        version = LATEST_MODERN_VERSION if is_modern(request) else self._version
        if request.method == "tools/call":
            async with self._slots.held():
                return await self._local.reply(request, version, client)
        reply = await self._local.reply(request, version, client)
        if request.method == "initialize" and reply.result is not None:
            self._version = reply.result["protocolVersion"]
        return reply

    async def notify(self, notification: Notification) -> None:
        """Do nothing: no notification matters here."""

    def stop(self) -> None:
        """Start no further call."""
        self._local.gate.stop()


class Elsewhere:
    """A server elsewhere, with a conversation in the one client's name."""

    def __init__(self, conversations: Conversations, client: StdioClient) -> None:
        self._greeter = Greeter(conversations, client)
        self._client = client
        self._session: Session | None = None
        self._turn = anyio.Lock()

    @property
    def relay(self) -> Relay | None:
        """The conversation of a client of the older era with a server of that era."""
        if self._session is None or self._turn.locked():
            return None
        answerer = self._session.answerer
        return answerer if isinstance(answerer, Relay) else None

    async def reply(  # noqa: PLR0911 - one answer per kind of request
        self, request: Request, client: StdioClient
    ) -> Reply:
        """Answer a request with what the server says to it."""
        params = request.params or {}
        try:
            if is_modern(request):
                fault = envelope_fault(request)
                if fault is not None:
                    return fault
                if request.method in ONLY_OLDER:
                    return unknown_method(request.method)
                shared = await self._greeter.shared()
                return await shared.reply(request.method, params, client, request.id)
            if request.method == "initialize":
                return await self._greet(params)
            session = self._session or await self._ungreeted()
        except RequestRefused as refused:
            return relayed(refused)
        except ServerFailed as gone:
            return failed(f"{gone.label}: {gone.reason}")
        return await session.answerer.reply(request.method, request.params, client, request.id)

    async def notify(self, notification: Notification) -> None:
        """Pass a notification on."""
        if self._session is not None:
            relay = self._session.conversation.relay
            await relay.notify(notification.method, notification.params)

    def stop(self) -> None:
        """Nothing: what is at work is cancelled by its line."""

    async def _greet(self, params: Mapping[str, Any]) -> Reply:
        """Shake hands in the client's name.

        Raises:
            RequestRefused: The server does not want it.
            ServerFailed: It is not there.
        """
        async with self._turn:
            before, self._session = self._session, None
            if before is not None:
                before.conversation.closing.set()
            self._session, result = await self._greeter.greet(params, self._client)
            return Reply(result=result)

    async def _ungreeted(self) -> Session:
        """Serve a client that sends requests without a handshake.

        Raises:
            RequestRefused: The server does not want us.
            ServerFailed: It is not there.
        """
        async with self._turn:  # also waits for a handshake that is under way
            if self._session is None:
                self._session = await self._greeter.greet_unasked(self._client)
            return self._session
