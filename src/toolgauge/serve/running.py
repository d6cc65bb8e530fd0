"""Runs an explorer as a server of its own."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Unpack

import uvicorn

from toolgauge.contract import ToolgaugeError
from toolgauge.serve.auth import bearer_auth
from toolgauge.serve.entry_points import Options, create_app
from toolgauge.serve.guard import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolgauge.contract import HandleCall, ToolsProvider

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
        **options: See ``Settings``.

    Raises:
        AddressInUse: If the address cannot be listened on.
    """
    if auth_token is not None:
        options["auth_hook"] = bearer_auth(auth_token)
    options.setdefault("allowed_hosts", (*LOOPBACK, host, *allow_hosts))
    app = create_app(tools, handle_call, **options)
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{listener.getsockname()[1]}/"
    config = uvicorn.Config(app, log_level="warning", lifespan="off", server_header=False)
    server = _Server(config, (lambda: on_ready(url)) if on_ready else None)
    try:
        await server.serve(sockets=[listener])
    finally:
        listener.close()


def _listen(host: str, port: int) -> socket.socket:
    """Listen here and now, so that a taken port is an error of ours and not a log line."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named TCP, or asyncio does not switch off the delay that joins small packets.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AddressInUse(host, port, reason) from None
    return listener


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._on_ready is not None and self.started:
            self._on_ready()
