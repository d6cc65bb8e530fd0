"""Opens conversations with one upstream server, and finds who answers each client.

Each is held by a task of its own. A session of the older era has a conversation of its
own, with the client's own handshake. The newer era has no sessions, so its requests
share one.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import anyio
from mcp_types import DEFAULT_NEGOTIATED_VERSION

from toolgauge.serve.mcp.relay import Relay
from toolgauge.serve.mcp.replies import Reply, failed, relayed
from toolgauge.serve.mcp.translation import NewerServer, OlderServer
from toolgauge.upstream import RequestRefused, ServerFailed
from toolgauge.upstream.client import PROBE_SHARE, connected, own_handshake

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping

    from anyio.abc import TaskGroup, TaskStatus

    from toolgauge.contract import Bounds
    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.serve.mcp.relay import Caller, Slots
    from toolgauge.upstream.client import Client
    from toolgauge.upstream.peer import Dial, Peer

_LOG = logging.getLogger(__name__)

STOPPING = "the gateway is stopping"

OUR_HANDSHAKE: Mapping[str, Any] = own_handshake(
    # What the newer era can be asked for in a result, and so be passed on.
    {"elicitation": {}, "roots": {}, "sampling": {}}
)
"""How we shake hands where no client does."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """An open conversation.

    Attributes:
        relay: Passes requests on.
        client: Shakes hands, and is where they go.
        closing: Set to end it.
    """

    relay: Relay
    client: Client
    closing: anyio.Event

    @property
    def is_over(self) -> bool:
        """Whether the server is gone."""
        return self.client.peer.failed is not None


class Session(NamedTuple):
    """Who answers a client, or all clients of the newer era, and from which conversation."""

    answerer: Answerer
    conversation: Conversation


class _Greeted(NamedTuple):
    """What came of a handshake.

    Attributes:
        conversation: With the server.
        answer: To the handshake, as it came; where there was none, what the server says
            of itself.
        is_newer: Whether it speaks the newer era, and there was none.
    """

    conversation: Conversation
    answer: Mapping[str, Any]
    is_newer: bool


class Conversations:
    """Opens conversations with one server.

    Args:
        dial: Connects to it.
        contracts: Holds calls against its promises.
        bounds: How long it may take to connect and to answer.
        slots: Counts calls in flight.
        only: The one client there is, where there is no other.
    """

    def __init__(
        self,
        dial: Dial,
        contracts: Contracts,
        bounds: Bounds,
        slots: Slots,
        only: Caller | None = None,
    ) -> None:
        self._dial = dial
        self._contracts = contracts
        self._bounds = bounds
        self._slots = slots
        self._only = only
        self._tasks: TaskGroup | None = None
        self._held: set[Peer] = set()
        self._shared: Session | None = None
        self._turn = anyio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold conversations inside the body; end what is left of them after it."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = None
                tasks.cancel_scope.cancel()

    def cut_short(self) -> None:
        """Make every request that is at work end at once, and open nothing any more."""
        self._tasks = None
        for peer in self._held:
            peer.fail(ServerFailed(peer.label, STOPPING))

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
        conversation, answer, is_newer = await self._greeted(standalone, params)
        if is_newer:
            newer = NewerServer(conversation, answer, params)
            return Session(newer, conversation), newer.greeting()
        return Session(conversation.relay, conversation), answer

    async def greet_unasked(self, standalone: Caller) -> Session:
        """Open a session for a client that never shook hands. Raises as ``greet``."""
        conversation, answer, is_newer = await self._greeted_by_us(standalone)
        answerer: Answerer = conversation.relay
        if is_newer:
            answerer = NewerServer(conversation, answer, OUR_HANDSHAKE)
        conversation.relay.client_version = DEFAULT_NEGOTIATED_VERSION
        return Session(answerer, conversation)

    async def shared(self) -> Answerer:
        """Give who answers all clients of the newer era; a new one if it has ended.

        Raises as ``greet``.
        """
        async with self._turn:
            if self._shared is None or self._shared.conversation.is_over:
                if self._shared is not None:
                    self._shared.conversation.closing.set()
                self._shared = None
                self._shared = await self._opened_for_all()
            return self._shared.answerer

    async def reply(  # noqa: PLR0913 - a request, and who answers it
        self,
        finding: Awaitable[Answerer | Reply],
        method: str,
        params: Mapping[str, Any] | None,
        caller: Caller,
        *,
        ident: object,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Let whoever is found answer a request; say why where nobody is."""
        try:
            found = await finding
        except RequestRefused as refused:
            return relayed(refused)
        except ServerFailed as gone:
            return failed(f"{gone.label}: {gone.reason}")
        if isinstance(found, Reply):
            return found
        return await found.reply(method, params, caller, ident, headers)

    async def _opened_for_all(self) -> Session:
        """Open a conversation for clients of the newer era."""
        found = await self._discovered(self._only) or await self._greeted_by_us(self._only)
        conversation, answer, is_newer = found
        if is_newer:  # nothing is to be translated
            return Session(conversation.relay, conversation)
        return Session(OlderServer(conversation, answer), conversation)

    async def _open(self, standalone: Caller | None, *, older: bool = False) -> Conversation:
        """Connect once more. Nothing is said yet.

        Args:
            standalone: As for ``Relay``.
            older: Whether to use the older one of two transports.
        """
        if self._tasks is None:
            raise ServerFailed("server", STOPPING)
        relay = Relay(self._contracts, self._bounds, self._slots, standalone)
        limit_s = self._bounds.connect_timeout_s
        with anyio.move_on_after(limit_s):
            conversation: Conversation = await self._tasks.start(self._hold, relay, older)
            return conversation
        raise ServerFailed("server", f"did not accept a connection within {limit_s:g} s")

    async def _greeted(self, standalone: Caller | None, params: Mapping[str, Any]) -> _Greeted:
        """Connect and shake hands as a client of the older era, or hear that nobody does there.

        A server of the newer era alone may refuse a handshake in any words, and one of
        2024 the first of two transports; the first refusal is the one that is told.

        Source: MCP 2026-07-28, basic/versioning, "Backward Compatibility".
        """
        conversation = await self._open(standalone)
        try:
            return await self._initialized(conversation, params)
        except RequestRefused as refused:
            is_there = refused.exchange is None or not refused.exchange.is_down
            with suppress(ServerFailed):
                if is_there and (found := await self._discovered(standalone)):
                    return found
            with suppress(RequestRefused, ServerFailed):
                if conversation.client.wire.may_be_older:
                    older = await self._open(standalone, older=True)
                    return await self._initialized(older, params)
            raise

    async def _greeted_by_us(self, standalone: Caller | None) -> _Greeted:
        """Shake hands in the older era, in the name of clients that do not."""
        greeted = await self._greeted(standalone, OUR_HANDSHAKE)
        if not greeted.is_newer:
            await greeted.conversation.relay.notify("notifications/initialized", None)
        return greeted

    async def _discovered(self, standalone: Caller | None) -> _Greeted | None:
        """Connect and ask whether the server speaks the newer era; ``None`` where it does not."""
        conversation = await self._open(standalone)
        client, limit_s = conversation.client, self._bounds.connect_timeout_s * PROBE_SHARE
        try:
            answer = await client.in_time(limit_s, client.discover())
        except (RequestRefused, ServerFailed):
            conversation.closing.set()
            return None
        return _Greeted(conversation, answer, is_newer=True)

    async def _initialized(self, conversation: Conversation, params: Mapping[str, Any]) -> _Greeted:
        """Shake hands, and end the conversation where that fails."""
        client, limit_s = conversation.client, self._bounds.connect_timeout_s
        try:
            answer = await client.in_time(limit_s, client.initialize(params))
        except (RequestRefused, ServerFailed):
            conversation.closing.set()
            raise
        return _Greeted(conversation, answer, is_newer=False)

    async def _hold(
        self,
        relay: Relay,
        older: bool,  # noqa: FBT001 - passed on by the task group
        *,
        task_status: TaskStatus[Conversation] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Hold one conversation until it is to end."""
        closing = anyio.Event()
        is_open = False
        try:
            async with connected(self._dial, self._bounds, relay, older_transport=older) as client:
                relay.attach(client)
                is_open = True
                self._held.add(client.peer)
                task_status.started(Conversation(relay=relay, client=client, closing=closing))
                try:
                    await closing.wait()
                finally:
                    self._held.discard(client.peer)
        except Exception:
            if not is_open:
                raise
            # It must not take the other conversations with it.
            _LOG.exception("a conversation ended badly")
