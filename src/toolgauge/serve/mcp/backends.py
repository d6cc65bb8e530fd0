"""What can stand behind ``/mcp``: tools in this process, or a server object of the SDK."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server import Server

from toolgauge.gate import Deadlines
from toolgauge.serve.mcp.callers import connection_of
from toolgauge.serve.mcp.objects import gated, request_of, said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from toolgauge.serve.mcp.contracts import Contracts
    from toolgauge.serve.mcp.journal import Journal
    from toolgauge.serve.mcp.local import LocalServer
    from toolgauge.serve.mcp.sessions import Sessions


_NEVER_S = 10.0 * 365 * 24 * 3600


class LocalBackend:
    """Tools in this process. The SDK keeps sessions; every answer is the local server's.

    Args:
        local: The tools.
        journal: Writes the log.
    """

    def __init__(self, local: LocalServer, journal: Journal) -> None:
        self.local: LocalServer | None = local
        self.server: Server[Any] = Server(local.info["name"], version=local.info["version"])
        self.server.middleware = [self._answered]
        self._local = local
        self._journal = journal
        self._sessions: Sessions | None = None

    def attach(self, sessions: Sessions) -> None:
        """Hear where sessions are kept."""
        self._sessions = sessions

    def cut_short(self) -> None:
        """Nothing: its calls never reach the SDK, and the gate is stopped by its owner."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold nothing; calls that are still at work at the end are cut short."""
        try:
            yield
        finally:
            self._local.gate.cut_short()

    async def _answered(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer in place of the SDK's handlers."""
        if ctx.request_id is None:
            return await call_next(ctx)
        request = request_of(ctx)
        reply = await self._journal.answered(
            request, self._local.reply(request, ctx.protocol_version, ctx.request)
        )
        if ctx.method == "initialize" and reply.result is not None:
            remember(ctx, self._sessions, reply.result["protocolVersion"])
        return said(reply, ctx.protocol_version, self._local.info)


class ObjectBackend:
    """A server object of the SDK, served as it is but for calls that break a contract.

    Args:
        server: The object.
        contracts: Holds calls against the server's own promises.
        journal: Writes the log.
    """

    local: LocalServer | None = None

    def __init__(self, server: Server[Any], contracts: Contracts, journal: Journal) -> None:
        # How long its requests may take is the server's own affair.
        self._cuts = Deadlines(_NEVER_S)
        self.server: Server[Any] = gated(server, contracts, journal, self._cuts)

    def attach(self, sessions: Sessions) -> None:
        """Hear where sessions are kept."""

    def cut_short(self) -> None:
        """Answer every request that is at work: the process ends."""
        self._cuts.stop()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold nothing: the sessions' own run enters the server's lifespan."""
        yield


def remember(ctx: ServerRequestContext[Any, Any], sessions: Sessions | None, version: str) -> None:
    """Keep the version of a session for as long as it lasts."""
    connection = connection_of(ctx)
    if sessions is None or connection.session_id is None:
        return
    sessions.remember(connection.session_id, version)
    connection.exit_stack.callback(sessions.forget, connection.session_id)
