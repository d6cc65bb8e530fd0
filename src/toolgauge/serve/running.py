"""Runs an explorer as a server of its own."""

from __future__ import annotations

import asyncio
import socket
from math import ceil
from typing import TYPE_CHECKING, Unpack

import uvicorn

from toolgauge.contract import DEFAULT_BOUNDS, ToolgaugeError
from toolgauge.serve.auth import bearer_auth
from toolgauge.serve.connections import Connections
from toolgauge.serve.entry_points import Options, create_app
from toolgauge.serve.guard import LOOPBACK
from toolgauge.serve.listening import Listener, connection_limit
from toolgauge.serve.settings import Settings
from toolgauge.serve.stopping import ANSWER_S, DRAIN_S, UPSTREAM_DRAIN_S
from toolgauge.upstream.extras import missing_for
from toolgauge.upstream.haste import current_haste, ending_together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

    from toolgauge.contract import HandleCall, ToolsProvider
    from toolgauge.serve.explorer_app import ExplorerApp
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
    """Tell whether there is an endpoint for MCP: it needs the SDK, the whole of it."""
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
