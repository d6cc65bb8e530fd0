"""Runs an explorer as a server of its own."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import time
from math import ceil
from typing import TYPE_CHECKING, Final, Unpack

import uvicorn

from toolgauge.contract import DEFAULT_BOUNDS, ToolgaugeError
from toolgauge.serve.access import LOOPBACK, bearer_auth
from toolgauge.serve.app import create_app
from toolgauge.serve.connections import Connections, rejection, to_bytes
from toolgauge.serve.settings import Options, Settings
from toolgauge.serve.stopping import ANSWER_S, DRAIN_S, UPSTREAM_DRAIN_S
from toolgauge.upstream.opening import missing_for
from toolgauge.upstream.process import current_haste, ending_together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

    from toolgauge.contract import Bounds, HandleCall, ToolsProvider
    from toolgauge.serve.app import ExplorerApp
    from toolgauge.serve.mcp import McpApp
    from toolgauge.upstream import Upstream

DEFAULT_PORT = 8642


class AddressInUse(ToolgaugeError):
    """The address cannot be listened on."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(host, port, reason)
        self.host: str = host
        self.port: int = port
        self.reason: str = reason

    def __str__(self) -> str:
        return f"cannot listen on {self.host}:{self.port}: {self.reason}; choose another --port"


async def run(  # noqa: PLR0913 - each is an option of the command line
    tools: ToolsProvider,
    handle_call: HandleCall | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    auth_token: str | None = None,
    allow_hosts: Sequence[str] = (),
    on_ready: Callable[[str], None] | None = None,
    upstream: Upstream | None = None,
    **options: Unpack[Options],
) -> None:
    """Serve until the process is asked to stop.

    Only requests for this machine's own names, for ``host`` and for
    ``allow_hosts`` are answered, and only pages of these may send any.

    Args:
        tools: As for ``create_app``.
        handle_call: As for ``create_app``.
        host: The address to listen on.
        port: The port; 0 takes a free one.
        auth_token: Calls must bring it as ``Authorization: Bearer``.
        allow_hosts: Further host names, without ports.
        on_ready: Called with the page's URL once requests are answered.
        upstream: The source that the tools are of, for ``/mcp``: what else it offers
            is served there too. Needs the MCP SDK; without it there is no ``/mcp``.
        **options: See ``Settings``.

    Raises:
        AddressInUse: If the address cannot be listened on.
    """
    if auth_token is not None:
        options["auth_hook"] = bearer_auth(auth_token)
    options.setdefault("allowed_hosts", (*LOOPBACK, host, *allow_hosts))
    options.setdefault("mcp_path", "mcp" if has_endpoint() else None)
    app = create_app(tools, handle_call, **options)
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{listener.getsockname()[1]}/"
    endpoint = _endpoint(app, Settings(**options), upstream)
    is_elsewhere = upstream is not None and upstream.dial is not None
    drain_s = UPSTREAM_DRAIN_S if is_elsewhere else DRAIN_S
    bounds = options.get("bounds", DEFAULT_BOUNDS)
    connections = Connections(bounds, connection_limit(bounds))
    config = uvicorn.Config(
        app if endpoint is None else _Beside(app, endpoint),
        http=connections.protocol(),
        h11_max_incomplete_event_size=bounds.max_header_bytes,
        log_level="warning",
        lifespan="off",
        server_header=False,
        # Whole seconds by its annotation alone.
        timeout_keep_alive=bounds.keep_alive_s,  # type: ignore[arg-type]
        timeout_graceful_shutdown=ceil(drain_s + ANSWER_S),
    )
    server = _Server(
        config,
        on_ready=(lambda: on_ready(url)) if on_ready else None,
        drain_s=drain_s,
        cut_short=app.gate.stop,
        endpoint=endpoint,
        connections=connections,
    )
    try:
        await _serve(server, listener, endpoint)
    finally:
        listener.close()


async def _serve(server: _Server, listener: socket.socket, endpoint: McpApp | None) -> None:
    """Serve to the end; what was started for it then has to end soon."""
    with ending_together():
        if endpoint is None:
            await server.serve(sockets=[listener])
            return
        with endpoint.holding_streams():
            async with endpoint.running():
                await server.serve(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """Listen here and now, so that a taken port is an error of ours and not a log line."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = Listener(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AddressInUse(host, port, reason) from None
    return listener


def has_endpoint() -> bool:
    """Check whether there is an endpoint for MCP: it needs the SDK, the whole of it."""
    return missing_for("toolgauge.serve.mcp") is None


def _endpoint(app: ExplorerApp, settings: Settings, upstream: Upstream | None) -> McpApp | None:
    """Make ``/mcp``, where the SDK is installed."""
    if not has_endpoint():
        return None
    from toolgauge.serve.mcp import endpoint_of  # noqa: PLC0415 - not everybody has the SDK

    return endpoint_of(app.gate, settings, upstream)


class _Beside:
    """Two applications, one of them at ``/mcp`` alone."""

    def __init__(self, app: ASGIApp, endpoint: ASGIApp) -> None:
        self._app = app
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to one of them."""
        is_mcp = scope["type"] == "http" and scope["path"] in {"/mcp", "/mcp/"}
        await (self._endpoint if is_mcp else self._app)(scope, receive, send)


class _Server(uvicorn.Server):
    """Says when it is ready, and answers what is in flight before it ends."""

    def __init__(  # noqa: PLR0913 - all that has to end with it
        self,
        config: uvicorn.Config,
        *,
        on_ready: Callable[[], None] | None,
        drain_s: float,
        cut_short: Callable[[], None],
        endpoint: McpApp | None,
        connections: Connections,
    ) -> None:
        super().__init__(config)
        self._connections = connections
        self._endpoint = endpoint
        self._drain_s = drain_s
        self._on_ready = on_ready
        self._cut_short = cut_short

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._on_ready is not None and self.started:
            self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        self._connections.end_unread(self.server_state.connections)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        current_haste().begin()
        timer = asyncio.get_running_loop().call_later(self._drain_s, self._cut_short)
        draining = asyncio.ensure_future(self._drained())
        try:
            self._connections.close()
            await super().shutdown(sockets)
            await draining
        finally:
            timer.cancel()
            draining.cancel()

    async def _drained(self) -> None:
        """End what the endpoint holds open."""
        if self._endpoint is not None:
            await self._endpoint.drain(self._drain_s, ANSWER_S)


MAX_ACCEPTED: Final = 64
"""Most connections that are accepted before those are counted that were accepted last."""

REPORT_S: Final = 60.0
"""A lack of descriptors is logged at most this often."""

_LOG = logging.getLogger(__name__)

_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_NO_DESCRIPTOR = to_bytes(
    rejection(503, "The server has no free file descriptor", (b"retry-after", b"1"))
)
_DISCARDED_BYTES = 65_536


class Listener(socket.socket):
    """Accepts connections; answers 503 while no descriptor is free.

    One descriptor is kept for that: it is let go of, taken by the connection, and
    taken back. Event loops that do not call ``accept`` do the same themselves.

    Args:
        family: IPv4 or IPv6.
    """

    def __init__(self, family: socket.AddressFamily) -> None:
        # Named TCP, or asyncio does not switch off the delay that joins small packets.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)
        self._accepted = 0
        self._next_report = 0.0

    def accept(self) -> tuple[socket.socket, object]:
        """Accept a connection that can be served.

        Raises:
            BlockingIOError: There is none for now.
            OSError: The system has no resources; the event loop waits for a second.
        """
        if not self._accepted:
            asyncio.get_running_loop().call_soon(self._count_anew)
        self._accepted += 1
        if self._accepted > MAX_ACCEPTED:
            raise BlockingIOError
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
            self._accepted = MAX_ACCEPTED
            self._report(error)
            if not self._rejected():
                raise
        raise BlockingIOError

    def close(self) -> None:
        """Close the socket and the descriptor that is kept."""
        super().close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _count_anew(self) -> None:
        self._accepted = 0

    def _rejected(self) -> bool:
        """Answer one connection with the descriptor that is kept; false if that fails."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
        try:
            connection, _ = super().accept()
            with connection:
                connection.settimeout(0)
                connection.send(_NO_DESCRIPTOR)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(_DISCARDED_BYTES)
        except OSError as error:
            return error.errno not in _EXHAUSTED
        finally:
            self._keep_spare()
        return True

    def _keep_spare(self) -> None:
        try:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            self._spare = None

    def _report(self, error: OSError) -> None:
        """Log one line, but not again soon."""
        now = time.monotonic()
        if now >= self._next_report:
            self._next_report = now + REPORT_S
            _LOG.warning("connections are answered 503 for now: %s", error.strerror)


def connection_limit(bounds: Bounds) -> int:
    """Return how many connections may be open: half of the descriptors, and within bounds.

    The other half is for the processes of servers, for files, and for the user's own tools.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return bounds.max_connections
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return bounds.max_connections
    return max(1, min(bounds.max_connections, soft // 2))
