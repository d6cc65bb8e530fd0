"""``/mcp`` as an ASGI application, in front of any source."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Unpack

import anyio
from sse_starlette.sse import AppStatus

from toolgauge.gate import Gate
from toolgauge.serve.access import Guard
from toolgauge.serve.mcp.backends import Backend, LocalBackend, ObjectBackend, RelayBackend
from toolgauge.serve.mcp.contracts import Contracts
from toolgauge.serve.mcp.conversations import Conversations
from toolgauge.serve.mcp.front import Front, write
from toolgauge.serve.mcp.local import LocalServer
from toolgauge.serve.mcp.relay import Slots
from toolgauge.serve.mcp.replies import Journal
from toolgauge.serve.mcp.sessions import SessionLimit, Sessions, session_limit
from toolgauge.serve.messages import INTERNAL_ERROR, BodyReceive, error_answer
from toolgauge.serve.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.types import Message, Receive, Scope, Send

    from toolgauge.contract import HandleCall, ToolsProvider
    from toolgauge.serve.settings import Options
    from toolgauge.upstream import Upstream


_LOG = logging.getLogger(__name__)

_STOPPING = error_answer(503, "The server is stopping", (b"retry-after", b"1"))


class McpApp:
    """Answers HTTP requests for MCP at whatever path it is mounted at.

    It starts with the first request and ends with the event loop, or with the
    application's own end where the server tells it. ``running`` does both at a
    time of the host's choosing.

    Args:
        backend: What stands behind it.
        settings: Bounds, authentication, host names.
        journal: Writes the log.
        limit: How many sessions there may be; by default ``max_sessions``.
    """

    def __init__(
        self,
        backend: Backend,
        settings: Settings,
        journal: Journal,
        limit: SessionLimit | None = None,
    ) -> None:
        self._limit = limit or session_limit(settings.bounds, starts_processes=False)
        self._backend = backend
        self._settings = settings
        self._journal = journal
        self._run: _Run | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve inside the body, and let go of every session after it."""
        if self._run is not None and self._run.is_over:
            self._run = None
        await self._begun()
        try:
            yield
        finally:
            await self._stop()

    @contextmanager
    def holding_streams(self) -> Iterator[None]:
        """Keep streams open when the process is asked to end; ``drain`` ends them.

        By itself the library that writes them ends all of them at once, and with them
        the answers to calls at work. It knows no narrower place to say so. Calls of
        tools in this process are not answered on streams.
        """
        if self._backend.local is not None:
            yield
            return
        AppStatus.enable_automatic_graceful_drain = False
        try:
            yield
        finally:
            AppStatus.enable_automatic_graceful_drain = True

    async def drain(self, drain_s: float, answer_s: float) -> None:
        """Let calls end that are at work, then make them; then end all sessions.

        For tools in this process there is nothing to do: their gate sees to it.

        Args:
            drain_s: How long they may go on.
            answer_s: How long their answers may take after that.
        """
        if self._backend.local is not None:
            return
        if self._run is None:
            return
        requests = self._run.front.at_sdk
        await requests.emptied_within(drain_s)
        self._backend.cut_short()
        await requests.emptied_within(answer_s)
        await self._stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever goes wrong."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
            return
        has_begun = False
        timed = BodyReceive(receive, self._settings.bounds)

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            run = await self._begun()
            if run.is_over:
                await write(_STOPPING, send)
            else:
                await run.front(scope, timed, watched)
            if timed.late is not None and not has_begun:
                await write(timed.late, send)
        except Exception as error:  # noqa: BLE001 - the outermost edge
            if has_begun:
                # The SDK answers twice when a session ends under a request.
                _LOG.warning("an MCP request failed once it was answered: %r", error)
                return
            _LOG.exception("an MCP request failed")
            await write(INTERNAL_ERROR, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start and end with the application."""
        async with AsyncExitStack() as stack:
            while True:
                message = await receive()
                if message["type"] == "lifespan.startup":
                    await stack.enter_async_context(self.running())
                    await send({"type": "lifespan.startup.complete"})
                else:
                    break
        await send({"type": "lifespan.shutdown.complete"})

    def _begin(self) -> _Run:
        """Begin anew: the SDK's sessions live once, and in one event loop."""
        sessions = Sessions(
            self._backend.server,
            bounds=self._settings.bounds,
            limit=self._limit,
            max_body_bytes=self._settings.bounds.max_body_bytes + _REWRITTEN_BYTES,
        )
        self._backend.sessions = sessions
        front = Front(
            sessions,
            self._backend.local,
            guard=Guard(self._settings.allowed_hosts),
            auth_hook=self._settings.auth_hook,
            bounds=self._settings.bounds,
            journal=self._journal,
        )
        self._run = _Run(self._backend, sessions, front)
        return self._run

    async def _begun(self) -> _Run:
        """Give what answers in this event loop; begin if that has not been done."""
        run = self._run
        if run is None or run.loop is not asyncio.get_running_loop():
            run = self._begin()
        await run.ready()
        return run

    async def _stop(self) -> None:
        """End every session."""
        if self._run is not None:
            await self._run.stop()


class _Run:
    """The sessions and the backend, held by a task, which can then end by itself.

    Args:
        backend: What stands behind the endpoint.
        sessions: The SDK's part.
        front: Answers requests.

    Attributes:
        loop: The one event loop that this is for.
        is_over: Whether it was stopped: what still comes is not begun.
    """

    def __init__(self, backend: Backend, sessions: Sessions, front: Front) -> None:
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self.front: Front = front
        self.is_over: bool = False
        self._started: asyncio.Future[None] = self.loop.create_future()
        self._holder: asyncio.Task[None] = asyncio.create_task(self._hold(backend, sessions))

    async def ready(self) -> None:
        """Wait until requests can be answered; raise, each time, what kept it from beginning."""
        if self._started.done():
            self._started.result()
        else:
            await asyncio.shield(self._started)

    async def stop(self) -> None:
        """End the task and everything in it."""
        self.is_over = True
        self._holder.cancel()
        await asyncio.wait([self._holder])

    async def _hold(self, backend: Backend, sessions: Sessions) -> None:
        """Keep the sessions and the backend for as long as this task runs."""
        try:
            async with backend.running(), sessions.run():
                self._started.set_result(None)
                await anyio.sleep_forever()
        except Exception as error:  # noqa: BLE001 - the outermost edge
            # A server object's own code runs as it starts.
            _LOG.exception("the MCP endpoint failed")
            if not self._started.done():
                self._started.set_exception(error)


_REWRITTEN_BYTES = 1_048_576
"""A body that is written again may be longer than it was: ``\\u0001`` for one byte is not
shorter, and numbers are written out."""


ROUTE = "/mcp"
"""Where the endpoint lies, and what logs call it wherever it lies."""


def create_mcp_app(
    tools: ToolsProvider, handle_call: HandleCall | None = None, **options: Unpack[Options]
) -> McpApp:
    """Make an ASGI application that serves tools over MCP, at whatever path it is mounted.

    Both eras of the protocol are spoken: Streamable HTTP with sessions up to
    2025-11-25, stateless requests from 2026-07-28 on.

    Args:
        tools: As for ``create_app``.
        handle_call: As for ``create_app``.
        **options: See ``Settings``. Tools are run unless ``allow_execute`` is false:
            there is little else that an MCP server is for.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.

    Example:
        >>> from toolgauge.contract import Tool
        >>> app = create_mcp_app([Tool(name="now", handler=lambda _: "noon")])
    """
    options.setdefault("allow_execute", True)
    settings = Settings(**options)
    gate = Gate(tools, handle_call, formats=settings.formats, bounds=settings.bounds)
    return endpoint_of(gate, settings)


def endpoint_of(gate: Gate, settings: Settings, upstream: Upstream | None = None) -> McpApp:
    """Make the endpoint for a source that is open already.

    Args:
        gate: The tools, where they are in this process.
        settings: How they are served.
        upstream: The source; ``None`` where there is nothing but the gate.
    """
    journal = Journal(settings.recorder, transport="http", route=ROUTE)
    starts_processes = upstream is not None and upstream.starts_processes
    limit = session_limit(settings.bounds, starts_processes=starts_processes)
    return McpApp(_backend(gate, settings, upstream, journal), settings, journal, limit)


def _backend(
    gate: Gate, settings: Settings, upstream: Upstream | None, journal: Journal
) -> Backend:
    """Choose what stands behind the endpoint."""
    contracts = Contracts(
        formats=settings.formats, bounds=settings.bounds, allow_execute=settings.allow_execute
    )
    if upstream is not None and upstream.server is not None:
        return ObjectBackend(upstream.server, contracts, journal)
    if upstream is not None and upstream.dial is not None:
        slots = Slots(settings.bounds.max_calls_in_flight)
        conversations = Conversations(upstream.dial, contracts, settings.bounds, slots)
        return RelayBackend(conversations, journal)
    return LocalBackend(LocalServer(gate, allow_execute=settings.allow_execute), journal)
