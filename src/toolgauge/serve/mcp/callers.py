"""The client of a request, as the SDK's server gives it to us."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError, NoBackChannelError

from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext
    from mcp.shared.dispatcher import Outbound

_LOG = logging.getLogger(__name__)

_SLOW_S = 5.0
"""How long a client that does not read may hold up its server's next message."""


class OutboundCaller:
    """A client behind one of the SDK's channels.

    Args:
        outbound: The channel of a request, or the one of the whole connection.
    """

    def __init__(self, outbound: Outbound) -> None:
        self._outbound = outbound

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Send the client a request and give its result.

        Raises:
            RequestRefused: It answered with an error, or cannot be asked.
        """
        try:
            return await self._outbound.send_raw_request(method, params)
        except (MCPError, NoBackChannelError) as error:
            raise RequestRefused(error.error.code, error.error.message, error.error.data) from None

    async def tell(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Send the client a notification; one that it does not take in time is dropped."""
        with anyio.move_on_after(_SLOW_S) as scope:
            await self._outbound.notify(method, params)
        if scope.cancelled_caught:
            _LOG.warning("a client does not read: %s was dropped", method)


def caller_of(ctx: ServerRequestContext[Any, Any]) -> OutboundCaller:
    """Give the client of a request: what it hears belongs to the request.

    The SDK keeps the channel to itself and offers typed methods over it, which
    would change what they pass on.
    """
    return OutboundCaller(ctx.session._request_outbound)  # noqa: SLF001 - see above


def connection_of(ctx: ServerRequestContext[Any, Any]) -> Connection:
    """Give the connection that a request came over."""
    return ctx.session._connection  # noqa: SLF001 - as for ``caller_of``
