"""Opens conversations with one upstream server, each held by a task of its own."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import anyio.abc

from toolgauge.serve.mcp.eras import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    LATEST_HANDSHAKE_VERSION,
    LATEST_MODERN_VERSION,
    PROTOCOL_VERSION_META_KEY,
)
from toolgauge.serve.mcp.relay import Relay
from toolgauge.upstream import RequestRefused, ServerFailed
from toolgauge.upstream.client import client_info
from toolgauge.upstream.peer import conversing, unwrapped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import TaskGroup, TaskStatus

    from toolgauge.contract import Bounds
    from toolgauge.gate import Slots
    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.serve.mcp.open_calls import Caller
    from toolgauge.upstream.peer import Peer
    from toolgauge.upstream.wires import Dial, Wire

_LOG = logging.getLogger(__name__)

STOPPING = "the gateway is stopping"

_PROBE_SHARE = 0.4
"""How much of the time for connecting the probe of the newer era may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """An open conversation.

    Attributes:
        relay: Passes requests on.
        wire: Where they go.
        closing: Set to end it.
    """

    relay: Relay
    wire: Wire
    closing: anyio.Event

    @property
    def is_over(self) -> bool:
        """Whether the server is gone."""
        return self.relay.peer.failed is not None


@dataclass(frozen=True, slots=True)
class Greeted:
    """What came of a handshake.

    Attributes:
        conversation: With the server.
        answer: To the handshake, as it came; where there was none, what the server says
            of itself.
        is_newer: Whether it speaks the newer era, and there was none.
    """

    conversation: Conversation
    answer: Mapping[str, Any]
    is_newer: bool = False


class Conversations:
    """Opens conversations with one server.

    Args:
        dial: Connects to it.
        contracts: Holds calls against its promises.
        bounds: How long it may take to connect and to answer.
        slots: Counts calls in flight.
    """

    def __init__(self, dial: Dial, contracts: Contracts, bounds: Bounds, slots: Slots) -> None:
        self._dial = dial
        self._contracts = contracts
        self._bounds = bounds
        self._slots = slots
        self._tasks: TaskGroup | None = None
        self._held: set[Peer] = set()

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

    async def open(self, standalone: Caller | None, *, older: bool = False) -> Conversation:
        """Connect once more. Nothing is said yet.

        Args:
            standalone: As for ``Relay``.
            older: Whether to use the older one of two transports.

        Raises:
            ServerFailed: The server cannot be reached.
        """
        if self._tasks is None:
            raise ServerFailed("server", STOPPING)
        relay = Relay(self._contracts, self._bounds, self._slots, standalone)
        limit_s = self._bounds.connect_timeout_s
        with anyio.move_on_after(limit_s):
            conversation: Conversation = await self._tasks.start(self._hold, relay, older)
            return conversation
        raise ServerFailed("server", f"did not accept a connection within {limit_s:g} s")

    async def greet(self, standalone: Caller | None, params: Mapping[str, Any]) -> Greeted:
        """Connect and shake hands as a client of the older era, or hear that nobody does there.

        A server of the newer era alone may refuse a handshake in any words, and one of
        2024 the first of two transports; the first refusal is the one that is told.

        Source: MCP 2026-07-28, basic/versioning, "Backward Compatibility".

        Raises:
            RequestRefused: The server answered with an error.
            ServerFailed: It died or is late.
        """
        conversation = await self.open(standalone)
        try:
            return await self._greeted(conversation, params)
        except RequestRefused as refused:
            is_there = refused.exchange is None or not refused.exchange.is_down
            with suppress(ServerFailed):
                if is_there and (found := await self.discover(standalone)):
                    return Greeted(*found, is_newer=True)
            with suppress(RequestRefused, ServerFailed):
                if conversation.wire.may_be_older:
                    older = await self.open(standalone, older=True)
                    return await self._greeted(older, params)
            raise

    async def greet_as_ourselves(self, standalone: Caller | None) -> Greeted:
        """Shake hands in the older era, in the name of clients that do not. See ``greet``."""
        greeted = await self.greet(standalone, OUR_HANDSHAKE)
        if not greeted.is_newer:
            await greeted.conversation.relay.notify("notifications/initialized", None)
        return greeted

    async def discover(
        self, standalone: Caller | None
    ) -> tuple[Conversation, Mapping[str, Any]] | None:
        """Connect and ask whether the server speaks the newer era.

        Returns:
            The conversation and what the server says of itself; ``None`` where it
            does not know the question.

        Raises:
            ServerFailed: It cannot be reached at all.
        """
        conversation = await self.open(standalone)
        try:
            result = await self._asked(
                conversation, "server/discover", {"_meta": own_meta()}, _PROBE_SHARE
            )
        except (RequestRefused, ServerFailed):
            conversation.closing.set()
            return None
        conversation.relay.version = LATEST_MODERN_VERSION
        return conversation, result

    async def _greeted(self, conversation: Conversation, params: Mapping[str, Any]) -> Greeted:
        """Shake hands, and end the conversation where that fails."""
        try:
            result = await self._asked(conversation, "initialize", params)
        except (RequestRefused, ServerFailed):
            conversation.closing.set()
            raise
        version = result.get("protocolVersion")
        conversation.relay.version = version if isinstance(version, str) else ""
        return Greeted(conversation, result)

    async def _asked(
        self,
        conversation: Conversation,
        method: str,
        params: Mapping[str, Any],
        share: float = 1.0,
    ) -> Mapping[str, Any]:
        """Ask something before there is a conversation.

        Raises:
            RequestRefused: The server answered with an error.
            ServerFailed: It died, is late, or answered with something else.
        """
        peer, limit_s = conversation.relay.peer, self._bounds.connect_timeout_s * share
        with anyio.move_on_after(limit_s):
            result = await peer.request(peer.next_id(), method, params)
            if isinstance(result, Mapping):
                return result
            raise await peer.late("its answer is not a valid handshake")
        raise await peer.late(f"did not answer within {limit_s:g} s")

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
            async with (
                unwrapped(self._dial(older=older)) as wire,
                conversing(wire, relay) as peer,
            ):
                relay.peer = peer
                is_open = True
                self._held.add(peer)
                task_status.started(Conversation(relay=relay, wire=wire, closing=closing))
                try:
                    await closing.wait()
                finally:
                    self._held.discard(peer)
        except Exception:
            if not is_open:
                raise
            # It must not take the other conversations with it.
            _LOG.exception("a conversation ended badly")


def own_meta() -> dict[str, Any]:
    """Give what we say of ourselves where no client is behind a request."""
    return {
        PROTOCOL_VERSION_META_KEY: LATEST_MODERN_VERSION,
        CLIENT_INFO_META_KEY: client_info(),
        CLIENT_CAPABILITIES_META_KEY: {},
    }


OUR_HANDSHAKE: Mapping[str, Any] = {
    "protocolVersion": LATEST_HANDSHAKE_VERSION,
    # What the newer era can be asked for in a result, and so be passed on.
    "capabilities": {"elicitation": {}, "roots": {}, "sampling": {}},
    "clientInfo": client_info(),
}
"""How we shake hands where no client does."""
