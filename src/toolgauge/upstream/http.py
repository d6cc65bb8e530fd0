"""Streams of the SDK to an MCP server at a URL.

The SDK tears a whole connection down when one request cannot be sent. Behind a
web page that would end every later call too, so our HTTP client turns such a
failure into an answer with status 599, and the SDK fails that one request.
"""

from __future__ import annotations

import math
import ssl
from contextlib import asynccontextmanager
from contextvars import ContextVar
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp_types import METHOD_NOT_FOUND

from toolgauge.upstream.errors import InvalidSource, ServerFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from mcp.client._transport import TransportStreams

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.source import UrlSource

MAX_EVENT_BYTES = 64 * 1024 * 1024
"""Largest server-sent event that is read. A list of tools is one event."""

UNREACHABLE = 599
"""Our own status for a request that got no answer."""

SESSION_ENDED = 598
"""Our own status for a session that the server does not know any more."""

_CLIENT_ERROR = 400
_NOT_FOUND = 404
_NO_TOKEN = 401
_EVENTS_TIMEOUT_S = 24 * 3600.0

FAULTS: ContextVar[list[tuple[int, str]] | None] = ContextVar("FAULTS", default=None)
"""What went wrong below JSON-RPC while one request was sent: status and words.

Set to an empty list before a request; its tasks inherit the same list.
"""


class _Client(httpx2.AsyncClient):
    """Notes every failed exchange, and raises none of them."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            response = await super().send(request, **options)
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            _note(UNREACHABLE, _words_for(error))
            return httpx2.Response(UNREACHABLE, request=request)
        # Source: MCP 2025-11-25, transports, "Session Management": 404 answers a request
        # with the id of a session that has ended.
        if response.status_code == _NOT_FOUND and MCP_SESSION_ID in request.headers:
            _note(SESSION_ENDED, "has ended the session")
        elif response.status_code >= _CLIENT_ERROR:
            _note(response.status_code, _phrase(response.status_code))
        return response


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
        _Client(headers=dict(headers), timeout=_timeout(bounds)) as client,
        streamable_http_client(
            source.url, http_client=client, max_sse_event_size=MAX_EVENT_BYTES
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
    refused = _refusal_of_tls(error)
    if refused is not None:
        # These words are OpenSSL's own, and name the host at most.
        why = getattr(refused, "verify_message", None) or refused.reason or "it fails"
        return f"has no valid TLS connection: {why.replace('_', ' ').lower()}"
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
)


def _phrase(status: int) -> str:
    """Write a status with its standard phrase: ``HTTP 401 Unauthorized``."""
    hint = "; a token goes into --header 'Authorization: Bearer …'" if status == _NO_TOKEN else ""
    try:
        return f"answered HTTP {status} {HTTPStatus(status).phrase}{hint}"
    except ValueError:
        return f"answered HTTP {status}"
