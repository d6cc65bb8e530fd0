"""Frames to and from an MCP server, as they are: no handshake, no session, no types.

A gateway passes on what it does not know, so nothing here reads a frame for more
than it needs to send it. One wire per transport: the pipes of a child process, and
the SDK's streams to a URL or to a server object in this process.
"""

from __future__ import annotations

from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

import anyio
from mcp.client.stdio import get_default_environment
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import PROTOCOL_VERSION_META_KEY, jsonrpc_message_adapter

from toolgauge.contract.jsontext import dump_json
from toolgauge.upstream.endings import failure, how_it_ended
from toolgauge.upstream.http import (
    FAULTS,
    SESSION_ENDED,
    UNREACHABLE,
    check_url,
    fault_behind,
    open_sse,
    open_streamable,
)
from toolgauge.upstream.memory import open_memory
from toolgauge.upstream.messages import Messages
from toolgauge.upstream.pipes import HAS_PIPES, open_pipes
from toolgauge.upstream.process import run_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AbstractAsyncContextManager

    from mcp.client._transport import TransportStreams
    from mcp.server import Server

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.errors import ServerFailed
    from toolgauge.upstream.memory import InProcess
    from toolgauge.upstream.messages import Frame
    from toolgauge.upstream.process import Child
    from toolgauge.upstream.source import CommandSource, UrlSource

_CLOSED = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError)
_REFUSALS = frozenset({401, 403, 407, 429})
_SERVER_ERROR = 500


class Wire(Protocol):
    """A connection that carries frames."""

    @property
    def label(self) -> str:
        """What errors call the server."""

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Send a frame; ``headers`` go with it where the transport is HTTP.

        Raises:
            ServerFailed: The server is gone.
        """

    async def receive(self) -> Frame:
        """Wait for the next frame.

        Raises:
            ServerFailed: The server is gone.
        """

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure of this server."""

    def noted(self, reason: str) -> str:
        """Add to what went wrong what was odd about its output."""


class Dial(Protocol):
    """Opens one more connection to the same server, each time it is called."""

    def __call__(self, *, older: bool = False) -> AbstractAsyncContextManager[Wire]:
        """Connect; ``older`` asks for the transport of 2024 where there is one."""


class ProcessWire:
    """Lines over the pipes of a child process."""

    def __init__(self, label: str, child: Child) -> None:
        self.label: str = label
        self.child: Child = child
        self.output: Messages = Messages()
        self._arrived: deque[Frame] = deque()

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Write one line."""
        del headers
        stdin = self.child.process.stdin
        assert stdin is not None  # noqa: S101 - opened with a pipe
        try:
            await stdin.send(dump_json(frame) + b"\n")
        except _CLOSED:
            raise await self.failure(await how_it_ended(self, None)) from None

    async def receive(self) -> Frame:
        """Read up to the next line that is a message."""
        stdout = self.child.process.stdout
        assert stdout is not None  # noqa: S101 - opened with a pipe
        while not self._arrived:
            try:
                self._arrived += self.output.feed(await stdout.receive())
            except (*_CLOSED, OverflowError):
                raise await self.failure(await how_it_ended(self, None)) from None
        return self._arrived.popleft()

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure, with what the process said last."""
        return await failure(self.label, self, reason)

    def noted(self, reason: str) -> str:
        """Add to what went wrong that there were lines which are no messages."""
        return self.output.noted(reason)


class StreamWire:
    """Messages over the SDK's streams.

    Args:
        label: What errors call the server.
        streams: From one of the SDK's client transports.
        running: The server object behind it, ``None`` for a URL.

    Attributes:
        http_status: Of the last exchange that failed; 599 for no answer.
    """

    def __init__(
        self, label: str, streams: TransportStreams, running: InProcess | None = None
    ) -> None:
        self.label: str = label
        self._read, self._write = streams
        self._running = running
        self.http_status: int | None = None
        self._version: str | None = None
        self._has_ended = False
        self._faults: dict[object, list[tuple[int, str]]] = {}

    async def send(self, frame: Frame, headers: Mapping[str, str] | None = None) -> None:
        """Send a message, with the headers that its era demands over HTTP."""
        message = jsonrpc_message_adapter.validate_python(frame, by_name=False)
        metadata = None
        if self._running is None:
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
            raise await self.failure(await how_it_ended(None, self._running)) from None
        finally:
            FAULTS.reset(token)

    async def receive(self) -> Frame:
        """Wait for the next message; a fault of HTTP is worded as what it was."""
        if self._has_ended:
            raise await self.failure("has ended the session")
        while True:
            try:
                item = await self._read.receive()
            except _CLOSED:
                raise await self.failure(await how_it_ended(None, self._running)) from None
            if isinstance(item, Exception):
                continue  # the transport fails the request that it is about
            frame: Frame = item.message.model_dump(by_alias=True, exclude_unset=True)
            return self._read_answer(frame) if "method" not in frame else frame

    async def failure(self, reason: str) -> ServerFailed:
        """Word a failure of this server."""
        return await failure(self.label, None, reason)

    def noted(self, reason: str) -> str:
        """Add nothing: what is no message is no part of these transports."""
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
            if is_down(fault[0]):
                frame["error"]["message"] = f"{self.label}: {fault[1]}"
        return frame

    def _headers(self, frame: Frame) -> dict[str, str]:
        """Give the version, and from 2026-07-28 on what routers look at.

        Source: MCP 2026-07-28, Streamable HTTP, "Request headers".
        """
        params = frame.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return {} if self._version is None else {MCP_PROTOCOL_VERSION_HEADER: self._version}
        method = frame.get("method", "")
        headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: method}
        name = params.get(NAME_BEARING_METHODS.get(method, ""))
        if isinstance(name, str):
            headers[MCP_NAME_HEADER] = encode_header_value(name)
        return headers


def dial_command(source: CommandSource, env: Mapping[str, str]) -> Dial:
    """Make a dial that starts the command once more for each connection."""
    whole = get_default_environment() | dict(env)

    @asynccontextmanager
    async def connect(*, older: bool = False) -> AsyncIterator[Wire]:
        del older
        if HAS_PIPES:
            async with open_pipes(source, whole) as pipes:
                yield pipes
            return
        async with run_child(source, whole) as child:
            yield ProcessWire(source.label, child)

    return connect


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
    """Make a dial that runs a server object once more for each connection."""

    @asynccontextmanager
    async def connect(*, older: bool = False) -> AsyncIterator[Wire]:
        del older
        async with open_memory(server) as running:
            yield StreamWire(label, running.streams, running)

    return connect


def is_down(status: int) -> bool:
    """Tell an HTTP status that stands for the server from one that carries an answer."""
    return status in _REFUSALS or status >= _SERVER_ERROR or status == UNREACHABLE
