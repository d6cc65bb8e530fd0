"""An MCP server elsewhere, behind ``/mcp``.

A session of the older era has a conversation of its own, with the client's own
handshake. The newer era has no sessions, so its requests share one.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

import anyio
from mcp.server import Server

from toolgauge.contract.version import own_version
from toolgauge.serve.mcp.callers import OutboundCaller, caller_of, connection_of
from toolgauge.serve.mcp.conversations import OUR_HANDSHAKE, Conversations
from toolgauge.serve.mcp.eras import (
    DEFAULT_NEGOTIATED_VERSION,
    MODERN_PROTOCOL_VERSIONS,
    ONLY_OLDER,
)
from toolgauge.serve.mcp.newer import NewerServer
from toolgauge.serve.mcp.objects import request_of, said, traceparent_of
from toolgauge.serve.mcp.older import OlderServer
from toolgauge.serve.mcp.replies import (
    Reply,
    answered_anyway,
    failed,
    invalid_params,
    relayed,
    unknown_method,
)
from toolgauge.serve.mcp.seats import seated
from toolgauge.upstream import RequestRefused, ServerFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from toolgauge.serve.mcp.conversations import Conversation
    from toolgauge.serve.mcp.journal import Journal
    from toolgauge.serve.mcp.local import LocalServer
    from toolgauge.serve.mcp.open_calls import Caller
    from toolgauge.serve.mcp.sessions import Sessions

_KEY = "toolgauge"


class Answerer(Protocol):
    """Answers the requests of a client from a server, translated where that is needed."""

    async def reply(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        ident: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Answer one request."""


class Session:
    """One client of the older era and its own conversation.

    Args:
        answerer: Answers its requests.
        conversation: With the server.
    """

    def __init__(self, answerer: Answerer, conversation: Conversation) -> None:
        self.answerer: Answerer = answerer
        self.conversation: Conversation = conversation


class Greeter:
    """Opens what clients need.

    Args:
        conversations: Opens conversations.
        only: The one client there is, where there is no other.
    """

    def __init__(self, conversations: Conversations, only: Caller | None = None) -> None:
        self.conversations: Conversations = conversations
        self._only = only
        self._shared: OlderServer | _Newer | None = None
        self._turn = anyio.Lock()

    async def greet(
        self, params: Mapping[str, Any], standalone: Caller
    ) -> tuple[Session, Mapping[str, Any]]:
        """Open a session for a client of the older era.

        Returns:
            The session, and the answer to the handshake.

        Raises:
            RequestRefused: The server does not want this client.
            ServerFailed: It is not there.
        """
        greeted = await self.conversations.greet(standalone, params)
        if greeted.is_newer:
            newer = NewerServer(greeted.conversation, greeted.answer, params)
            return Session(newer, greeted.conversation), newer.greeting()
        return Session(greeted.conversation.relay, greeted.conversation), greeted.answer

    async def greet_unasked(self, standalone: Caller) -> Session:
        """Open a session for a client that never shook hands.

        Raises:
            RequestRefused: The server does not want us.
            ServerFailed: It is not there.
        """
        greeted = await self.conversations.greet_as_ourselves(standalone)
        conversation = greeted.conversation
        answerer: Answerer = conversation.relay
        if greeted.is_newer:
            answerer = NewerServer(conversation, greeted.answer, OUR_HANDSHAKE)
        conversation.relay.client_version = DEFAULT_NEGOTIATED_VERSION
        return Session(answerer, conversation)

    async def shared(self) -> Answerer:
        """Give the conversation of all clients of the newer era; a new one if it has ended.

        Raises:
            RequestRefused: The server does not want us.
            ServerFailed: It is not there.
        """
        async with self._turn:
            if self._shared is None or self._shared.conversation.is_over:
                if self._shared is not None:
                    self._shared.conversation.closing.set()
                self._shared = None
                self._shared = await self._opened()
            return self._shared

    async def _opened(self) -> OlderServer | _Newer:
        """Open a conversation for clients of the newer era."""
        found = await self.conversations.discover(self._only)
        if found is not None:
            return _Newer(found[0])
        greeted = await self.conversations.greet_as_ourselves(self._only)
        if greeted.is_newer:  # it was late when it was asked first
            return _Newer(greeted.conversation)
        return OlderServer(greeted.conversation, greeted.answer)


class _Newer:
    """A server of the newer era, for its clients: nothing is to be translated."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation: Conversation = conversation
        self.reply = conversation.relay.reply


class RelayBackend:
    """A server elsewhere. The SDK keeps sessions; every answer is that server's.

    Args:
        greeter: Opens conversations with it.
        journal: Writes the log.
    """

    local: LocalServer | None = None

    def __init__(self, greeter: Greeter, journal: Journal) -> None:
        self.server: Server[Any] = Server("toolgauge", version=own_version())
        self.server.middleware = [self._relayed]
        self._greeter = greeter
        self._journal = journal

    def attach(self, sessions: Sessions) -> None:
        """Hear where sessions are kept."""

    def cut_short(self) -> None:
        """Make calls that are still at work answer at once."""
        self._greeter.conversations.cut_short()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold the conversations."""
        async with self._greeter.conversations.running():
            yield

    async def _relayed(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer from the server in place of the SDK's handlers."""
        state = connection_of(ctx).state
        session: Session | None = state.get(_KEY)
        if ctx.request_id is None:
            if session is not None:
                await session.conversation.relay.notify(ctx.method, ctx.params)
            return await call_next(ctx)
        with seated(ctx):
            reply = await self._journal.answered(
                request_of(ctx), answered_anyway(self._reply(ctx, session)), traceparent_of(ctx)
            )
        return said(reply, ctx.protocol_version, self.server.server_info_stamp)

    async def _reply(self, ctx: ServerRequestContext[Any, Any], session: Session | None) -> Reply:
        """Find who answers, and let it."""
        try:
            if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                if ctx.method in ONLY_OLDER:
                    return unknown_method(ctx.method)
                answerer: Answerer = await self._greeter.shared()
            elif ctx.method == "initialize":
                return await self._greet(ctx)
            elif session is None:
                return invalid_params("the first request of a session is initialize")
            else:
                answerer = session.answerer
        except RequestRefused as refused:
            return relayed(refused)
        except ServerFailed as gone:
            return failed(f"{gone.label}: {gone.reason}")
        return await answerer.reply(
            ctx.method, ctx.params, caller_of(ctx), ctx.request_id, _headers(ctx)
        )

    async def _greet(self, ctx: ServerRequestContext[Any, Any]) -> Reply:
        """Open a session, for as long as the SDK keeps its own.

        Raises:
            RequestRefused: The server does not want this client.
            ServerFailed: It is not there.
        """
        connection = connection_of(ctx)
        session, result = await self._greeter.greet(
            ctx.params or {}, OutboundCaller(connection.outbound)
        )
        connection.state[_KEY] = session
        connection.exit_stack.callback(session.conversation.closing.set)
        return Reply(result=result)


def _headers(ctx: ServerRequestContext[Any, Any]) -> Mapping[str, str] | None:
    """Give the headers of a request of the newer era, which repeats arguments there."""
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return None
    return getattr(ctx.request, "headers", None)
