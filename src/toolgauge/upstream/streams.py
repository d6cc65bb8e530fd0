"""Frames over the SDK's streams: to a URL, or to a server object in this very process."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server import Server
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import jsonrpc_message_adapter

from toolgauge.envelope.mcp import PROTOCOL_VERSION_KEY
from toolgauge.upstream.errors import Exchange, ServerFailed
from toolgauge.upstream.http import (
    FAULTS,
    SESSION_ENDED,
    check_url,
    fault_behind,
    open_sse,
    open_streamable,
)
from toolgauge.upstream.peer import EXCHANGE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from mcp.client._transport import TransportStreams

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.messages import Frame
    from toolgauge.upstream.peer import Dial, Wire
    from toolgauge.upstream.source import UrlSource


_LOG = logging.getLogger(__name__)

_END_GRACE_S = 2.0


def lowlevel_server(server: object) -> Server[Any] | None:
    """Find the SDK's ``Server`` in an object: itself, or the one inside a shell around it.

    ``MCPServer`` is such a shell, and FastMCP's ``FastMCP``. Nothing public leads from
    them to it; the clients of both read the same attributes.
    """
    inner = getattr(server, "_lowlevel_server", getattr(server, "_mcp_server", server))
    return inner if isinstance(inner, Server) else None


_CLOSED = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError)
_OLDER_TRANSPORT = frozenset({400, 404, 405})


class StreamWire:
    """Messages over the SDK's streams.

    Args:
        label: What errors call the server.
        streams: From one of the SDK's client transports.
        is_http: Whether the server is at a URL, and no object in this process.

    Attributes:
        http_status: Of the last exchange that failed; 599 for no answer.
        raised: What the user's own code ended a server object with: class and text.
    """

    def __init__(self, label: str, streams: TransportStreams, *, is_http: bool = True) -> None:
        self.label: str = label
        self.raised: str | None = None
        self._read, self._write = streams
        self._is_http = is_http
        self.http_status: int | None = None
        self._version: str | None = None
        self._has_ended = False
        self._faults: dict[object, list[tuple[int, str]]] = {}

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Send a message, with the headers that its era demands over HTTP."""
        message = jsonrpc_message_adapter.validate_python(frame, by_name=False)
        metadata = None
        if self._is_http:
            metadata = ClientMessageMetadata(headers=self._headers(frame) | dict(headers or {}))
        faults: list[tuple[int, str]] = []
        if "method" in frame and "id" in frame:
            self._faults[frame["id"]] = faults
        elif frame.get("method") == "notifications/cancelled":
            self._faults.pop((frame.get("params") or {}).get("requestId"), None)
        token = FAULTS.set(faults)
        try:
            await self._write.send(SessionMessage(message, metadata=metadata))
        except _CLOSED:
            raise self._ended() from None
        finally:
            FAULTS.reset(token)

    async def receive(self) -> Frame:
        """Wait for the next message; a fault of HTTP is worded as what it was."""
        if self._has_ended:
            raise ServerFailed(self.label, "has ended the session")
        while True:
            try:
                item = await self._read.receive()
            except _CLOSED:
                raise self._ended() from None
            if isinstance(item, Exception):
                continue  # the transport fails the request that it is about
            frame: Frame = item.message.model_dump(by_alias=True, exclude_unset=True)
            return self._read_answer(frame) if "method" not in frame else frame

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure of this server."""
        return ServerFailed(self.label, reason)

    def _ended(self) -> ServerFailed:
        """Word how the connection ended."""
        if self.raised:
            return ServerFailed(self.label, f"its code raised {self.raised}")
        return ServerFailed(self.label, "closed the connection before it answered")

    @property
    def may_be_older(self) -> bool:
        """Whether the URL may be one of the transport of 2024.

        Source: MCP 2025-11-25, transports, "Backwards Compatibility": a POST that is
        answered with 400, 404 or 405 may be an older server's.
        """
        return self.http_status in _OLDER_TRANSPORT

    @property
    def noise(self) -> str | None:
        """Nothing: what is no message is no part of these transports."""
        return None

    def noted(self, reason: str) -> str:
        """Add nothing, for the same reason."""
        return reason

    def _read_answer(self, frame: Frame) -> Frame:
        """Learn the version from a handshake; replace the SDK's word for a lost exchange."""
        faults = self._faults.pop(frame.get("id"), [])
        result = frame.get("result")
        if isinstance(result, dict) and isinstance(result.get("protocolVersion"), str):
            self._version = result["protocolVersion"]
        self.http_status = faults[-1][0] if faults else None
        fault = fault_behind(frame["error"]["code"], faults) if "error" in frame else None
        if fault is not None:
            self._has_ended = fault[0] == SESSION_ENDED
            exchange = frame[EXCHANGE] = Exchange(*fault)
            if exchange.is_down:
                frame["error"]["message"] = f"{self.label}: {exchange.reason}"
        return frame

    def _headers(self, frame: Frame) -> dict[str, str]:
        """Give the version, and from 2026-07-28 on what routers look at.

        Source: MCP 2026-07-28, Streamable HTTP, "Request headers".
        """
        params = frame.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(PROTOCOL_VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return {} if self._version is None else {MCP_PROTOCOL_VERSION_HEADER: self._version}
        method = frame.get("method", "")
        headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: method}
        name = params.get(NAME_BEARING_METHODS.get(method, ""))
        if isinstance(name, str):
            headers[MCP_NAME_HEADER] = encode_header_value(name)
        return headers


def dial_url(source: UrlSource, bounds: Bounds, headers: Mapping[str, str]) -> Dial:
    """Make a dial to a URL: Streamable HTTP, or HTTP+SSE for ``older``.

    Raises:
        InvalidSource: The URL is none.
    """
    check_url(source)

    @asynccontextmanager
    async def connect(*, older: bool = False) -> AsyncIterator[Wire]:
        opener = open_sse if older else open_streamable
        async with opener(source, headers, bounds) as streams:
            yield StreamWire(source.label, streams)

    return connect


def dial_object(server: Server[Any], label: str) -> Dial:
    """Make a dial that runs a server object once more for each connection, in a task."""

    @asynccontextmanager
    async def connect(*, older: bool = False) -> AsyncIterator[Wire]:
        del older
        async with (
            create_client_server_memory_streams() as (ours, theirs),
            anyio.create_task_group() as tasks,
        ):
            wire = StreamWire(label, ours, is_http=False)
            ended = anyio.Event()
            tasks.start_soon(_run, server, theirs, wire, ended)
            yield wire
            await ours[1].aclose()
            with anyio.move_on_after(_END_GRACE_S):
                await ended.wait()
            tasks.cancel_scope.cancel()

    return connect


async def _run(server: Server[Any], streams: Any, wire: StreamWire, ended: anyio.Event) -> None:
    """Serve until our side closes. What the user's lifespan raises ends it early."""
    read, write = streams
    try:
        await server.run(read, write, server.create_initialization_options())
    except Exception as error:  # noqa: BLE001 - the user's own code
        _LOG.debug("the server object failed", exc_info=True)
        wire.raised = f"{type(error).__name__}: {str(error)[:200]}"
        await write.aclose()
    finally:
        ended.set()
