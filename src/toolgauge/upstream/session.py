"""One connection to an MCP server: negotiate, list tolerantly, call.

Requests go through the SDK's session and dispatcher, but answers to
``tools/list`` and ``tools/call`` are taken from the dispatcher as raw JSON. The
session's own methods check a whole list against its types, so that one bad tool
hides every other one, and check results against output schemas, which is the
gate's work here.
"""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING, Any, Self

import anyio
import mcp_types as types
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    encode_header_value,
    find_invalid_x_mcp_header,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from mcp.client._transport import TransportStreams
    from mcp.shared.dispatcher import CallOptions

_PROBE_SHARE = 0.4
"""How much of the time for connecting the probe of the newer era may take.

A server that ignores what it does not know would otherwise use up all of it.
"""


class Session:
    """A negotiated connection. Enter it inside the transport's own context.

    Attributes:
        version: The protocol version that was agreed on.
        server_name: What the server calls itself, ``None`` where it does not.
    """

    def __init__(self, streams: TransportStreams) -> None:
        self._dispatcher = JSONRPCDispatcher[Any](*streams)
        self._info = types.Implementation(name="toolgauge", version=_own_version())
        self._client = ClientSession(dispatcher=self._dispatcher, client_info=self._info)
        self._param_headers: dict[str, dict[tuple[str, ...], str]] = {}
        self.version: str = ""
        self.server_name: str | None = None

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.__aexit__(kind, error, traceback)

    async def negotiate(self, budget_s: float, *, legacy_only: bool = False) -> None:
        """Agree on a protocol version: probe the newer era, then initialize.

        Raises:
            MCPError: The server refused both, or the connection closed.
            RuntimeError: It offered no version that the SDK speaks.
            pydantic.ValidationError: Its answer is not a handshake.
        """
        if legacy_only or not await self._discovered(budget_s * _PROBE_SHARE):
            await self._initialize()
        self.version = self._client.protocol_version or ""
        info = self._client.server_info
        self.server_name = info.name if info is not None else None

    async def list_page(self, cursor: str | None) -> dict[str, Any]:
        """Ask for one page of ``tools/list`` and give the result as it came.

        Raises:
            MCPError: The server answered with an error, or the connection closed.
        """
        params = {} if cursor is None else {"cursor": cursor}
        return await self._request("tools/list", params, {})

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Send ``tools/call`` and give the result as it came.

        Raises:
            MCPError: The server answered with an error, or the connection closed.
        """
        headers = {MCP_NAME_HEADER: encode_header_value(name)}
        if name in self._param_headers:
            headers |= mcp_param_headers(self._param_headers[name], arguments)
        params = {"name": name, "arguments": dict(arguments)}
        return await self._request("tools/call", params, headers)

    def learn_headers(self, tool: Mapping[str, Any]) -> str | None:
        """Remember which arguments of a tool travel as HTTP headers too.

        Returns:
            Why the tool must be refused, where its header annotations are bad.

        Source: MCP 2026-07-28, Streamable HTTP: clients MUST leave out tools
        with invalid ``x-mcp-header``.
        """
        if self.version not in MODERN_PROTOCOL_VERSIONS:
            return None
        schema = tool.get("inputSchema")
        reason = find_invalid_x_mcp_header(schema)
        if reason is None:
            self._param_headers.setdefault(tool["name"], x_mcp_header_map(schema))
        return reason

    async def _discovered(self, budget_s: float) -> bool:
        """Probe the newer era once. False means: fall back to initialize."""
        with anyio.move_on_after(budget_s):
            try:
                await self._client.discover()
            except (MCPError, RuntimeError, ValidationError):
                return False
            return True
        return False

    async def _initialize(self) -> None:
        """Run the older era's handshake, and go back where it is refused as too old.

        A slow server may have answered the abandoned probe and settled on the
        newer era before the handshake reached it.
        """
        try:
            await self._client.initialize()
        except MCPError as error:
            if error.code != types.UNSUPPORTED_PROTOCOL_VERSION:
                raise
            await self._client.discover()

    async def _request(
        self, method: str, params: dict[str, Any], headers: dict[str, str]
    ) -> dict[str, Any]:
        """Send a request with what its era demands of every request."""
        options: CallOptions = {"headers": {MCP_PROTOCOL_VERSION_HEADER: self.version}}
        if self.version in MODERN_PROTOCOL_VERSIONS:
            # MCP 2026-07-28: each request carries version, client and capabilities.
            params["_meta"] = {
                types.PROTOCOL_VERSION_META_KEY: self.version,
                types.CLIENT_INFO_META_KEY: self._info.model_dump(
                    by_alias=True, mode="json", exclude_none=True
                ),
                types.CLIENT_CAPABILITIES_META_KEY: {},
            }
            options["headers"] |= {MCP_METHOD_HEADER: method} | headers
        return await self._dispatcher.send_raw_request(method, params, options)


def _own_version() -> str:
    """Give our version, also where we run from a source tree."""
    try:
        return metadata.version("toolgauge")
    except metadata.PackageNotFoundError:
        return "0"
