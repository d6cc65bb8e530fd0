"""The client of one MCP server, over any transport and in both eras: list and call.

Results are raw JSON. The SDK's client validates a whole list against its own types, so
that one bad tool hides every other, and it is not needed here: a server over stdio is
spoken to without loading it.

Source: MCP 2025-11-25, basic/lifecycle; MCP 2026-07-28, basic/versioning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from toolgauge.contract.jsontext import dump_json
from toolgauge.contract.results import CallResult
from toolgauge.contract.version import own_version
from toolgauge.envelope.mcp import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    LATEST_MODERN_VERSION,
    MODERN_VERSIONS,
    PROTOCOL_VERSION_KEY,
    SERVER_INFO_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from toolgauge.envelope.messages import METHOD_NOT_FOUND, meta_of
from toolgauge.upstream.entries import SourceProblem, Upstream, kind_of, screen, shown
from toolgauge.upstream.errors import RequestRefused, ServerFailed, SourceNotTools
from toolgauge.upstream.paging import LIST_SHARE, read_pages
from toolgauge.upstream.peer import conversing, unwrapped
from toolgauge.wire import Declared

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.errors import Exchange
    from toolgauge.upstream.peer import Dial, Listener, Peer, Wire

_T = TypeVar("_T")

MAX_ANSWER_CHARS = 500
"""How much of an error that a server answers is forwarded, in characters."""

MAX_NAME_CHARS = 60
"""How much of the name that a server gives itself is shown, in characters."""

PROBE_SHARE = 0.4
"""Part of the time for connecting that the probe of the newer era may take.

A server that ignores a method that it does not know would otherwise use up all of it.
"""

_NO_SERVER = frozenset({404, 405})
_NOT_A_HANDSHAKE = "its answer is not a valid handshake"
_HEADER_ANNOTATION = b"x-mcp-header"


class Client:
    """A connection to a server: the one handshake there is, whoever shakes hands.

    Args:
        peer: The conversation.
        wire: What carries it.
        bounds: ``connect_timeout_s`` and ``handler_timeout_s``.

    Attributes:
        version: The protocol version that was agreed on; empty before that.
        server_name: What the server calls itself, ``None`` if it does not.
    """

    def __init__(self, peer: Peer, wire: Wire, bounds: Bounds) -> None:
        self.peer: Peer = peer
        self.wire: Wire = wire
        self.version: str = ""
        self.server_name: str | None = None
        self._bounds = bounds
        self._header_maps: dict[str, dict[tuple[str, ...], str]] = {}

    async def initialize(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Shake hands in the older era, and return what the server says. See ``in_time``.

        Raises:
            RequestRefused: The server answered with an error.
        """
        self.version = ""
        result = await self._request("initialize", dict(params))
        version = result.get("protocolVersion")
        self.version = version if isinstance(version, str) else ""
        return result

    async def discover(self) -> Mapping[str, Any]:
        """Adopt the newer era, and return what the server says of itself. See ``in_time``.

        Raises:
            RequestRefused: The server does not speak it.
        """
        self.version = LATEST_MODERN_VERSION
        return await self._request("server/discover", {})

    async def negotiate(self, *, older_only: bool = False) -> None:
        """Agree on a protocol version: probe the newer era, then initialize.

        Raises:
            ServerFailed: It exited, refused, timed out, or speaks no known version.
        """
        budget_s = self._bounds.connect_timeout_s
        agreement = self._negotiated(budget_s, older_only=older_only)
        try:
            await self._within(budget_s, agreement, "did not answer")
        except RequestRefused as refused:
            raise await self.wire.failure(f"refused the connection: {_said(refused)}") from None

    async def list_page(self, cursor: str | None) -> dict[str, Any]:
        """Return one page of the tool list as it came.

        Raises:
            ServerFailed: The server exited, refused, or timed out.
            SourceNotTools: It is a server without tools.
        """
        page = self._request("tools/list", {} if cursor is None else {"cursor": cursor})
        try:
            return await self._within(
                self._bounds.connect_timeout_s, page, "did not list its tools"
            )
        except RequestRefused as refused:
            if refused.code == METHOD_NOT_FOUND:
                label = self.wire.label
                raise SourceNotTools(label, "is a server that offers no tools") from None
            raise await self.wire.failure(f"refused to list its tools: {_said(refused)}") from None

    async def call(self, name: str, arguments: Mapping[str, Any]) -> CallResult:
        """Call a tool and return its result as it came.

        An error that the server answers is a result with ``is_error``.

        Raises:
            ServerFailed: The server exited, is unreachable, or timed out.
        """
        headers = None
        if name in self._header_maps:
            from mcp.shared.inbound import mcp_param_headers  # noqa: PLC0415 - rarely needed

            headers = mcp_param_headers(self._header_maps[name], arguments)
        params = {"name": name, "arguments": dict(arguments)}
        call = self._request("tools/call", params, headers)
        limit_s = self._bounds.handler_timeout_s
        try:
            return _to_result(await self._within(limit_s, call, "did not answer the call"))
        except RequestRefused as refused:
            return _refusal(f"the server answered {_said(refused)}")

    def learn_headers(self, tool: Mapping[str, Any]) -> str | None:
        """Remember which arguments of a tool travel as HTTP headers too.

        Returns:
            Why the tool must be left out, if its header annotations are bad.

        Source: MCP 2026-07-28, Streamable HTTP: clients MUST leave out tools
        with invalid ``x-mcp-header``.
        """
        schema = tool.get("inputSchema")
        if self.version not in MODERN_VERSIONS or not _mentions_headers(schema):
            return None
        try:
            from mcp.shared.inbound import (  # noqa: PLC0415 - rarely needed
                find_invalid_x_mcp_header,
                x_mcp_header_map,
            )
        except ImportError:  # a server over stdio, which has no headers
            return None
        reason = find_invalid_x_mcp_header(schema)
        if reason is None:
            self._header_maps.setdefault(tool["name"], x_mcp_header_map(schema))
        return reason

    async def _negotiated(self, budget_s: float, *, older_only: bool) -> None:
        if not older_only:
            with anyio.move_on_after(budget_s * PROBE_SHARE), suppress(RequestRefused, _Unusable):
                await self._agree_on_newer()
                return
        try:
            await self._agree_on_older()
        except RequestRefused as refused:
            # A slow server may have answered the abandoned probe and settled on the
            # newer era before the handshake reached it.
            if refused.code != UNSUPPORTED_PROTOCOL_VERSION:
                raise
            await self._agree_on_newer()

    async def _agree_on_newer(self) -> None:
        """Adopt the newer era."""
        result = await self.discover()
        offered = result.get("supportedVersions")
        if not isinstance(offered, list):
            raise _Unusable(_NOT_A_HANDSHAKE)
        if not set(map(str, offered)) & set(MODERN_VERSIONS):
            versions = shown([str(each) for each in offered])
            raise _Unusable(f"cannot be spoken to: it offers the protocol versions {versions}")
        self._learn_name(meta_of(result).get(SERVER_INFO_KEY))

    async def _agree_on_older(self) -> None:
        """Run the older era's handshake."""
        result = await self.initialize(own_handshake({}))
        version = result.get("protocolVersion")
        if not isinstance(version, str) or not isinstance(result.get("serverInfo"), Mapping):
            raise _Unusable(_NOT_A_HANDSHAKE)
        if version not in HANDSHAKE_VERSIONS:
            reason = f"cannot be spoken to: Unsupported protocol version from the server: {version}"
            raise _Unusable(shown(reason)[1:-1])
        self._learn_name(result["serverInfo"])
        await self.peer.notify("notifications/initialized", None)

    def _learn_name(self, info: object) -> None:
        name = info.get("name") if isinstance(info, Mapping) else None
        self.server_name = name if isinstance(name, str) else None

    async def _request(
        self, method: str, params: dict[str, Any], headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Send a request with what its era demands of every request."""
        if self.version in MODERN_VERSIONS:
            params["_meta"] = own_meta()
        found = await self.peer.request(self.peer.next_id(), method, params, headers)
        if not isinstance(found, dict):
            raise _Unusable(f"its answer is {kind_of(found)}, not an object")
        return found

    async def in_time(
        self, seconds: float, request: Awaitable[_T], late: str = "did not answer"
    ) -> _T:
        """Run one request, within a time.

        Raises:
            RequestRefused: The server answered with an error.
            ServerFailed: It exited, timed out, or answered with no JSON-RPC.
        """
        try:
            with anyio.fail_after(None if math.isinf(seconds) else seconds):
                return await request
        except TimeoutError:
            raise await self.wire.failure(f"{late} within {seconds:g} s") from None
        except _Unusable as error:
            raise await self.wire.failure(str(error)) from None

    async def _within(self, seconds: float, request: Awaitable[_T], late: str) -> _T:
        """Do the same; a status of HTTP that stands for the server is ``ServerFailed`` too."""
        try:
            return await self.in_time(seconds, request, late)
        except RequestRefused as refused:
            if refused.exchange is not None and _is_down(refused.exchange):
                raise await self.wire.failure(refused.exchange.reason) from None
            raise


class _Unusable(Exception):
    """An answer that cannot be used. Never leaves this module."""


class _Nobody:
    """Hears what a server sends unasked. There is no client to ask or tell."""

    async def asked(self, method: str, params: Mapping[str, Any] | None) -> Any:
        """Answer a ping, and reject every other request."""
        del params
        if method != "ping":
            raise RequestRefused(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
        return {}

    async def told(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Ignore a notification."""


@asynccontextmanager
async def connected(
    dial: Dial, bounds: Bounds, listener: Listener | None = None, *, older_transport: bool = False
) -> AsyncIterator[Client]:
    """Connect to a server. Nothing is sent yet.

    Args:
        dial: Connects to it.
        bounds: How long it may take to connect and to answer.
        listener: Who hears what it sends unasked; nobody by default.
        older_transport: Whether to use the older one of two transports.

    Raises:
        ServerFailed: The server cannot be reached.
    """
    async with (
        unwrapped(dial(older=older_transport)) as wire,
        unwrapped(conversing(wire, listener or _Nobody())) as peer,
    ):
        yield Client(peer, wire, bounds)


@asynccontextmanager
async def open_server(
    dial: Dial, bounds: Bounds, *, is_program: bool = False
) -> AsyncIterator[Upstream]:
    """Connect to a server over any transport and in either era, and list its tools.

    Args:
        dial: Connects to it.
        bounds: As for ``open_source``.
        is_program: Whether its own name is added to the program's: ``python`` alone
            says little.

    Raises:
        ServerFailed: It exited, refused, timed out, or its list never ends.
        SourceNotTools: It offers no tools.
    """
    async with AsyncExitStack() as stack:
        client = await _connected(stack, dial, bounds)
        entries, notes = await _list_in_time(client, bounds)
        tools, problems = screen(entries)
        tools, refused = _without_bad_headers(client, tools)
        label, name = client.wire.label, client.server_name
        yield Upstream(
            label=f"{name[:MAX_NAME_CHARS]} ({label})" if is_program and name else label,
            tools=tools,
            handle_call=client.call,
            problems=(*problems, *refused, *notes, *_noise(client)),
            entries=tuple(Declared(raw=each, wire=each) for each in entries),
        )


async def _connected(stack: AsyncExitStack, dial: Dial, bounds: Bounds) -> Client:
    """Connect and negotiate; a server that may be older gets a second, older attempt.

    Some servers of the older era exit at the first message that they do not know, which
    is the probe of the newer one; and a URL may be one of the transport of 2024. The
    first failure is the one that is reported.
    """
    first: ServerFailed | None = None
    for is_older in (False, True):
        async with AsyncExitStack() as attempt:
            try:
                connecting = connected(dial, bounds, older_transport=is_older)
                client = await attempt.enter_async_context(connecting)
            except ServerFailed as error:
                raise first or error from None
            try:
                await client.negotiate(older_only=is_older)
            except ServerFailed as error:
                first = first or error
                is_over = not client.wire.may_be_older
            else:
                stack.push_async_exit(attempt.pop_all())
                return client
        if is_over:
            break
    raise first or ServerFailed("server", "there is no way to connect")


async def _list_in_time(client: Client, bounds: Bounds) -> tuple[list[object], list[SourceProblem]]:
    """List everything within the bounds; a list that is not complete is kept, with a problem."""
    seconds = bounds.connect_timeout_s * LIST_SHARE
    try:
        listed = await read_pages(client.list_page, seconds)
    except TimeoutError:
        raise await client.wire.failure(
            f"did not finish listing its tools within {seconds:g} s"
        ) from None
    except ValueError as error:
        raise ServerFailed(client.wire.label, str(error)) from None
    if listed.fault is None:
        return listed.entries, []
    return listed.entries, [SourceProblem(message=f"the list is not complete: {listed.fault}")]


def _without_bad_headers(client: Client, tools: list[Any]) -> tuple[list[Any], list[SourceProblem]]:
    """Leave out tools whose HTTP header annotations a client must refuse."""
    kept: list[Any] = []
    problems: list[SourceProblem] = []
    for index, tool in enumerate(tools):
        reason = client.learn_headers(tool)
        if reason is None:
            kept.append(tool)
        else:
            message = f"x-mcp-header: {reason}; it is left out"
            problems.append(SourceProblem(name=tool["name"], index=index, message=message))
    return kept, problems


def _noise(client: Client) -> list[SourceProblem]:
    """Report lines on stdout that are no messages: other clients may give up there."""
    first = client.wire.noise
    if first is None:
        return []
    return [SourceProblem(message=f"the server writes other text to stdout, first {shown(first)}")]


def own_handshake(capabilities: Mapping[str, Any]) -> dict[str, Any]:
    """Give our own parameters of ``initialize``."""
    return {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": capabilities,
        "clientInfo": _own_info(),
    }


def own_meta() -> dict[str, Any]:
    """Give what a request of ours says of us in the newer era."""
    return {
        PROTOCOL_VERSION_KEY: LATEST_MODERN_VERSION,
        CLIENT_INFO_KEY: _own_info(),
        CLIENT_CAPABILITIES_KEY: {},
    }


def _own_info() -> dict[str, str]:
    return {"name": "toolgauge", "version": own_version()}


def _is_down(exchange: Exchange) -> bool:
    """Tell a status that stands for the server: here also that of a URL with no server."""
    return exchange.is_down or exchange.status in _NO_SERVER


def _said(refused: RequestRefused) -> str:
    """Write an error that a server answered, cut to a length that fits a message."""
    if refused.message.startswith("Failed to parse"):  # of the SDK, with pydantic's text after it
        return "its answer is not a JSON-RPC message"
    return f"error {refused.code}: {refused.message[:MAX_ANSWER_CHARS]}"


def _mentions_headers(schema: object) -> bool:
    try:
        return _HEADER_ANNOTATION in dump_json(schema)
    except TypeError:  # of a server object in this process
        return True


def _refusal(text: str) -> CallResult:
    """Return a result that says why there is none."""
    return CallResult(content=[{"type": "text", "text": text}], is_error=True)


def _to_result(raw: Mapping[str, Any]) -> CallResult:
    """Read the answer to ``tools/call`` without judging it."""
    if raw.get("resultType") == "input_required":
        return _refusal("the tool asks for input while it runs, which cannot be given here")
    content = raw.get("content", [])
    if not isinstance(content, list):
        return _refusal(f"the server answered with content that is {kind_of(content)}")
    return CallResult(
        content=content,
        is_error=raw.get("isError") is True,
        structured=raw.get("structuredContent"),
    )
