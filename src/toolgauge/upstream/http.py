"""Streams of the SDK to an MCP server at a URL.

The SDK tears a whole connection down when one request cannot be sent. Behind a
web page that would end every later call too, so our HTTP client turns such a
failure into an answer with status 599, and the SDK fails that one request.

What a server sends is bounded as it arrives, unpacked: its bytes, its JSON values, and
how long one exchange lasts.
"""

from __future__ import annotations

import math
import ssl
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp.shared.inbound import MCP_METHOD_HEADER
from mcp_types import METHOD_NOT_FOUND

from toolgauge.upstream.errors import InvalidSource, ServerFailed
from toolgauge.upstream.messages import (
    MAX_MESSAGE_BYTES,
    TOO_MANY_VALUES,
    ValueCount,
    too_large,
    too_many_values,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from mcp.client._transport import TransportStreams

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.source import UrlSource

MAX_ANSWER_BYTES = MAX_MESSAGE_BYTES
"""Largest body, and largest server-sent event, that is read, in bytes when unpacked. A
list of tools is one event."""

MAX_IDLE_BYTES = 1024 * 1024
"""Most bytes of a packed answer in a row that unpack to nothing."""

MAX_HEAD_BYTES = 100 * 1024
"""Largest status line and headers of an answer, in bytes.

Source: httpcore2, ``AsyncHTTP11Connection.MAX_INCOMPLETE_EVENT_SIZE``.
"""

UNREACHABLE = 599
"""Our own status for a request that got no answer."""

SESSION_ENDED = 598
"""Our own status for a session that the server does not know any more."""

_CLIENT_ERROR = 400
_NOT_FOUND = 404
_NO_TOKEN = 401
_EVENTS_TIMEOUT_S = 24 * 3600.0
_RECONNECT_WAIT_S = 0.05
"""Shortest wait before a stream of events is opened again, in seconds. A server may ask
for none."""

_EVENTS = "text/event-stream"
_LISTEN = "subscriptions/listen"
_PACKED = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_OK = range(200, 300)
_TOO_LONG = "Receive buffer too long"  # the words of h11
_BLANK_LINES = (b"\n\n", b"\r\r", b"\r\n\r\n")
_BLANK_LINE_BYTES = 4

FAULTS: ContextVar[list[tuple[int, str]] | None] = ContextVar("FAULTS", default=None)
"""What went wrong below JSON-RPC while one request was sent: status and words.

Set to an empty list before a request; its tasks inherit the same list.
"""


class _Unusable(httpx2.TransportError):
    """A bound was passed. The message is the end of a sentence about the server."""


class _BoundedClient(httpx2.AsyncClient):
    """Bound every answer.

    Args:
        bounds: How long an exchange may last.
        options: As for ``httpx2.AsyncClient``.
    """

    def __init__(self, bounds: Bounds, **options: Any) -> None:
        super().__init__(**options)
        self._close_s = bounds.connect_timeout_s
        self._limit_s = bounds.longest_call_s
        self._has_listened = False

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request; its answer is a bounded stream of events, or read already."""
        if request.method == "GET":
            if self._has_listened:
                await anyio.sleep(_RECONNECT_WAIT_S)
            self._has_listened = True
        limit_s = self._limit_of(request)
        if limit_s < math.inf:
            request.extensions["timeout"] = {**request.extensions["timeout"], "read": limit_s}
        deadline = anyio.current_time() + limit_s
        with anyio.move_on_at(deadline):
            response = await super().send(request, **{**options, "stream": True})
            try:
                return await _bounded(response, _Deadline(deadline, limit_s))
            except BaseException:
                with anyio.CancelScope(shield=True):
                    await response.aclose()
                raise
        raise _Unusable(_late(limit_s))

    def _limit_of(self, request: httpx2.Request) -> float:
        """Return how long an exchange may last: for ever where it waits for news."""
        if request.method == "GET" or request.headers.get(MCP_METHOD_HEADER) == _LISTEN:
            return math.inf
        return self._close_s if request.method == "DELETE" else self._limit_s


class _Client(_BoundedClient):
    """Notes every failed exchange, and raises none of them."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            response = await super().send(request, **options)
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            _note(UNREACHABLE, _words_for(error))
            return httpx2.Response(UNREACHABLE, request=request)
        # Source: MCP 2025-11-25, transports, "Session Management": 404 answers a request
        # with the id of a session that has ended.
        if response.status_code == _NOT_FOUND and MCP_SESSION_ID in request.headers:
            _note(SESSION_ENDED, "has ended the session")
        elif response.status_code >= _CLIENT_ERROR:
            _note(response.status_code, _phrase(response.status_code))
        return response


@dataclass(frozen=True, slots=True)
class _Deadline:
    """When an answer must have ended, and how long that is from its beginning."""

    at: float
    limit_s: float

    def check(self) -> None:
        """Raise ``httpx2.TransportError`` where it is over."""
        if anyio.current_time() > self.at:
            raise _Unusable(_late(self.limit_s))


class _Stream(httpx2.AsyncByteStream):
    """What arrives of an answer, bounded.

    Args:
        stream: Where it comes from.
        deadline: When it must have ended.
    """

    def __init__(self, stream: httpx2.AsyncByteStream, deadline: _Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield what arrives."""
        async for piece in self._stream:
            self._deadline.check()
            self._check(piece)
            yield piece

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    def _check(self, piece: bytes) -> None:
        """Check one more piece."""


class _Body(_Stream):
    """A whole body."""

    size = 0

    def _check(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > MAX_ANSWER_BYTES:
            raise _Unusable(f"sent an answer of {too_large(MAX_ANSWER_BYTES)}")


class _Packed(_Stream):
    """Packed bytes, of which some unpack to nothing.

    Attributes:
        idle: How many came since a piece was unpacked.
    """

    idle = 0

    def _check(self, piece: bytes) -> None:
        self.idle += len(piece)
        if self.idle > MAX_IDLE_BYTES:
            raise _Unusable(f"sent {too_large(MAX_IDLE_BYTES)} that unpack to nothing")


class _Unpacked(httpx2.AsyncByteStream):
    """The unpacked bytes of an answer."""

    def __init__(self, response: httpx2.Response, packed: _Packed) -> None:
        self._response = response
        self._packed = packed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield what arrives."""
        async with aclosing(self._response.aiter_bytes()) as pieces:
            async for piece in pieces:
                self._packed.idle = 0
                yield piece

    async def aclose(self) -> None:
        """Close the connection."""
        await self._response.aclose()


class _Events(_Stream):
    """A stream of events. The SDK bounds an event as well, but counts no comments."""

    def __init__(self, stream: httpx2.AsyncByteStream, deadline: _Deadline) -> None:
        super().__init__(stream, deadline)
        self._before = b""
        self._size = 0
        self._values = ValueCount()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield what arrives."""
        try:
            async for piece in super().__aiter__():
                yield piece
        except httpx2.ReadTimeout:
            raise _refused(_late(self._deadline.limit_s)) from None
        except _Unusable as error:
            raise _refused(str(error)) from None

    def _check(self, piece: bytes) -> None:
        seen = self._before + piece
        self._before = seen[-_BLANK_LINE_BYTES + 1 :]
        last = max(seen.rfind(blank) for blank in _BLANK_LINES)
        if last >= 0:
            piece = seen[last + 1 :]
            self._size, self._values = 0, ValueCount()
        self._size += len(piece)
        if self._size > MAX_ANSWER_BYTES:
            raise _Unusable(f"sent an event of {too_large(MAX_ANSWER_BYTES)}")
        if self._values.add(piece):
            raise _Unusable(f"sent an event of {TOO_MANY_VALUES}")


def check_url(source: UrlSource) -> None:
    """Refuse what our HTTP client cannot send to, before a task of the SDK meets it.

    Raises:
        InvalidSource: The host is none, or the URL too long or with a character that
            no URL has.
    """
    try:
        httpx2.URL(source.url)
    except (httpx2.InvalidURL, ValueError):
        scheme = source.url.partition("://")[0]
        reason = "cannot be opened: its host, its length or one of its characters is not valid"
        raise InvalidSource(f"{scheme}://…", reason) from None


@asynccontextmanager
async def open_streamable(
    source: UrlSource, headers: Mapping[str, str], bounds: Bounds
) -> AsyncIterator[TransportStreams]:
    """Open Streamable HTTP. Nothing is sent until the first message."""
    async with (
        _Client(bounds, headers=dict(headers), timeout=_timeout(bounds)) as client,
        streamable_http_client(
            source.url, http_client=client, max_sse_event_size=MAX_ANSWER_BYTES
        ) as streams,
    ):
        yield streams


@asynccontextmanager
async def open_sse(
    source: UrlSource, headers: Mapping[str, str], bounds: Bounds
) -> AsyncIterator[TransportStreams]:
    """Open the older HTTP+SSE transport (2024-11-05).

    Raises:
        ServerFailed: The stream of events cannot be opened.
    """
    timeout_s = bounds.connect_timeout_s
    connecting = sse_client(
        source.url,
        headers=dict(headers),
        timeout=timeout_s,
        sse_read_timeout=_EVENTS_TIMEOUT_S,
        httpx_client_factory=partial(_BoundedClient, bounds),
    )
    is_open = False
    try:
        with anyio.CancelScope(deadline=anyio.current_time() + timeout_s) as scope:
            async with connecting as streams:
                is_open, scope.deadline = True, math.inf
                yield streams
    except httpx2.HTTPStatusError as error:
        raise ServerFailed(source.label, _phrase(error.response.status_code)) from None
    except (httpx2.HTTPError, httpx2.SSEError, ExceptionGroup) as error:
        raise ServerFailed(source.label, _words_for(error)) from None
    if not is_open:
        raise ServerFailed(source.label, f"did not answer within {timeout_s:g} s")


def fault_behind(code: object, faults: Sequence[tuple[int, str]]) -> tuple[int, str] | None:
    """Give what went wrong below an error of this code, ``None`` where it is an answer.

    Some servers of the older era give a method that they do not know the status of a
    lost session, as the newer era does; their session goes on.
    """
    if not faults or (faults[-1][0] == SESSION_ENDED and code == METHOD_NOT_FOUND):
        return None
    return faults[-1]


async def _bounded(response: httpx2.Response, deadline: _Deadline) -> httpx2.Response:
    """Return the same answer, unpacked and bounded."""
    request, headers = response.request, response.headers
    if "content-encoding" in headers:
        response = _unpacked(response, deadline)
    stream = cast("httpx2.AsyncByteStream", response.stream)
    if _EVENTS in request.headers.get("accept", "") and request.method != "DELETE":
        if response.status_code == HTTPStatus.ACCEPTED:
            return response  # the SDK does not read it
        if response.status_code in _OK and headers.get("content-type", "").startswith(_EVENTS):
            response.stream = _Events(stream, deadline)
            return response
    response.stream = _Body(stream, deadline)
    excess = too_many_values(await response.aread())
    if excess is not None:
        raise _Unusable(f"sent an answer of {excess}")
    return response


def _unpacked(response: httpx2.Response, deadline: _Deadline) -> httpx2.Response:
    """Return the same answer with a body that unpacks itself, within the bounds."""
    if "," in response.headers["content-encoding"]:
        raise _Unusable("packed its answer more than once")
    packed = _Packed(cast("httpx2.AsyncByteStream", response.stream), deadline)
    response.stream = packed
    headers = [each for each in response.headers.multi_items() if each[0].lower() not in _PACKED]
    unpacked = httpx2.Response(
        response.status_code,
        headers=headers,
        stream=_Unpacked(response, packed),
        request=response.request,
        extensions=response.extensions,
    )
    unpacked.next_request = response.next_request
    return unpacked


def _refused(words: str) -> httpx2.SSEError:
    """Note that a stream passes a bound, and return the error that ends it."""
    _note(UNREACHABLE, words)
    return httpx2.SSEError(words)


def _late(limit_s: float) -> str:
    return f"did not finish its answer within {limit_s:g} s"


def _timeout(bounds: Bounds) -> httpx2.Timeout:
    """Bound connecting; how long an answer may take is decided per request."""
    return httpx2.Timeout(None, connect=bounds.connect_timeout_s)


def _note(status: int, words: str) -> None:
    """Keep a fault for whoever is waiting for this request."""
    faults = FAULTS.get()
    if faults is not None:
        faults.append((status, words))


def _words_for(error: Exception) -> str:
    """Describe a failed exchange. Never the exception's text: it may hold the URL."""
    if isinstance(error, _Unusable):
        return str(error)
    refused = _refusal_of_tls(error)
    if refused is not None:
        # These words are OpenSSL's own, and name the host at most.
        why = getattr(refused, "verify_message", None) or refused.reason or "it fails"
        return f"has no valid TLS connection: {why.replace('_', ' ').lower()}"
    if isinstance(error, httpx2.RemoteProtocolError) and _TOO_LONG in str(error):
        return f"sent headers of {too_large(MAX_HEAD_BYTES)}"
    for kind, words in _WORDS:
        if isinstance(error, kind):
            return words
    return "could not be reached"


def _refusal_of_tls(error: BaseException | None) -> ssl.SSLError | None:
    """Find the error of TLS that others were raised from."""
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error


_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (httpx2.ConnectTimeout, "did not accept a connection in time"),
    (httpx2.ConnectError, "could not be reached: connection refused or unknown host"),
    (httpx2.RemoteProtocolError, "closed the connection or does not speak HTTP"),
    (httpx2.ReadError, "closed the connection before it answered"),
    (httpx2.TimeoutException, "did not answer in time"),
    (httpx2.DecodingError, "sent an answer that cannot be unpacked"),
)


def _phrase(status: int) -> str:
    """Write a status with its standard phrase: ``HTTP 401 Unauthorized``."""
    hint = "; a token goes into --header 'Authorization: Bearer …'" if status == _NO_TOKEN else ""
    try:
        return f"answered HTTP {status} {HTTPStatus(status).phrase}{hint}"
    except ValueError:
        return f"answered HTTP {status}"
