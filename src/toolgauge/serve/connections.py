"""Bounds on the connections of our own server: their number, their headers, slow clients.

Of these uvicorn bounds only how long an idle connection is kept.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast

from toolgauge.serve.messages import Answer, error_answer, header

if TYPE_CHECKING:
    import asyncio
    from collections import deque
    from collections.abc import Iterable

    # One of two, with the same names for all that is used here.
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol

    from toolgauge.contract import Bounds
    from toolgauge.serve.messages import Header
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as HttpProtocol

LINGER_S: Final = 5.0
"""How long what a rejected client still sends is read and discarded: closing sooner
resets the connection, and the reset may overtake the answer."""

MAX_LINGERING: Final = 64
"""Most connections that linger; further ones are closed without it."""

MAX_PIPELINED: Final = 100
"""Most requests that a connection may have waiting behind the one that is answered."""

_SHORT_BYTES = 2_000
"""In so few bytes there are no more requests than that."""

_CLOSE: Header = (b"connection", b"close")
_RETRY: Header = (b"retry-after", b"1")


class Connections:
    """What the connections of one server share.

    Args:
        bounds: How large headers and how slow clients may be.
        limit: Most open connections.

    Attributes:
        lingering: Connections that have been answered and wait for the client to close.
    """

    def __init__(self, bounds: Bounds, limit: int) -> None:
        self.bounds: Bounds = bounds
        self.limit: int = limit
        self.lingering: set[BoundedProtocol] = set()
        self.too_many: bytes = to_bytes(
            rejection(503, f"Too many connections: {limit} are open (max_connections)", _RETRY)
        )

    def protocol(self) -> type[asyncio.Protocol]:
        """Return what uvicorn calls for each connection."""
        return cast("type[asyncio.Protocol]", partial(BoundedProtocol, shared=self))

    def end_unread(self, connections: Iterable[object]) -> None:
        """End those connections whose clients do not read; called often."""
        now = monotonic()
        for each in (*connections, *self.lingering):
            if isinstance(each, BoundedProtocol):
                each.end_if_unread(now)

    def close(self) -> None:
        """Close the connections that linger; uvicorn does not know them any more."""
        for each in tuple(self.lingering):
            each.transport.abort()


class BoundedProtocol(HttpProtocol):
    """One connection, parsed by httptools where it is installed and by h11 elsewhere.

    httptools itself bounds nothing. A connection that is not read from, as its request
    is being answered, has no timer here: ``BodyReceive`` bounds the time of bodies.

    Args:
        shared: What it shares with the others.
        **uvicorn: What uvicorn passes.
    """

    # Beside uvicorn's own in its dictionary they would be more than Python looks up fast.
    __slots__ = (
        "_bounds",
        "_header_timer",
        "_is_rejected",
        "_max_bytes",
        "_pending_bytes",
        "_shared",
        "_unread_since",
        "_unsent",
    )

    def __init__(self, *, shared: Connections, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._shared = shared
        self._bounds = shared.bounds
        self._max_bytes = shared.bounds.max_header_bytes
        # Bytes since the last complete header, or since the last part of a body.
        self._pending_bytes = 0
        self._is_rejected = False
        self._header_timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._unread_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first header, unless there are too many connections."""
        super().connection_made(transport)
        if len(self.connections) > self._shared.limit:
            self._reject(self._shared.too_many)
        else:
            self._start_header_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._shared.lingering.discard(self)
        self._stop_header_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        cycle = self.cycle
        is_usual = not self._pending_bytes and len(data) <= self._max_bytes
        if not is_usual or self._is_rejected or getattr(cycle, "more_body", False):
            self._receive_parts(data)
            return
        # The usual: a whole request.
        HttpProtocol.data_received(self, data)
        if self.cycle is cycle:
            self._pending_bytes = len(data)
            self._wait_for_header()
        elif self._header_timer is not None:
            self._stop_header_timer()
        if len(data) > _SHORT_BYTES:
            self._bound_pipeline()

    def _receive_parts(self, data: bytes) -> None:
        """Parse what has arrived, with no more than a header's bound at once for a header."""
        while data and not self._is_rejected:
            cycle = self.cycle
            is_header = not getattr(cycle, "more_body", False)
            part = data[: self._max_bytes - self._pending_bytes] if is_header else data
            if not part or self._pending_bytes > self._max_bytes + self._unread_bytes():
                self._reject_header()
                return
            body_bytes = 0 if is_header else len(cycle.body)
            super().data_received(part)
            if self.cycle is not cycle:
                self._pending_bytes = 0
                self._stop_header_timer()
            elif is_header or len(cycle.body) == body_bytes:
                self._pending_bytes += len(part)
            else:
                self._pending_bytes = 0
            if self.transport.is_closing():
                break
            self._bound_pipeline()
            data = data[len(part) :]
        self._wait_for_header()

    def end_if_unread(self, now: float) -> None:
        """End the connection if its client has read nothing of its answer for too long."""
        unsent = self.transport.get_write_buffer_size()
        if unsent != self._unsent:
            self._unsent = unsent
            self._unread_since = now
        elif unsent and now - self._unread_since > self._bounds.send_stall_s:
            self.transport.abort()

    def _bound_pipeline(self) -> None:
        """Answer what is being answered, and nothing else, if too many requests wait.

        Each takes fifty times its own size. h11 reads them one by one.
        """
        waiting: deque[Any] | None = getattr(self, "pipeline", None)
        if waiting is not None and len(waiting) > MAX_PIPELINED:
            waiting.clear()
            self._is_rejected = True

    def _is_answering(self) -> bool:
        """Check whether a request is being answered."""
        return not getattr(self.cycle, "response_complete", True)

    def _is_in_body(self) -> bool:
        """Check whether the body of the last request is incomplete."""
        return getattr(self.cycle, "more_body", False)

    def _unread_bytes(self) -> int:
        """Return how much of a body may be discarded since its request is answered already.

        Its client may send it to the end, and then the next request.
        """
        if self._is_answering() or not self._is_in_body():
            return 0
        length = header({"headers": self.headers}, b"content-length")
        return 0 if length is None else int(length)

    def _reject_header(self) -> None:
        """Reject a header, or what stands between the parts of a body, that is too large."""
        text = f"Request headers too large: more than {self._max_bytes:,} bytes (max_header_bytes)"
        self._reject(to_bytes(rejection(431, text)))

    def _reject_late(self) -> None:
        """Close a connection whose header did not arrive in time; answer if it has begun."""
        self._header_timer = None
        if self not in self.connections or self._is_rejected:
            return  # a WebSocket by now, or lingering
        if self._pending_bytes and not self._is_in_body():
            limit_s = self._bounds.header_timeout_s
            text = f"Request timeout: no complete header within {limit_s:g} s (header_timeout_s)"
            self._reject(to_bytes(rejection(408, text)))
        else:
            self.transport.close()

    def _reject(self, answer: bytes) -> None:
        """Answer and close; where another request is answered or being answered, only close."""
        self._is_rejected = True
        self._unset_keepalive_if_required()
        self._stop_header_timer()
        if self._is_answering():
            self.cycle.keep_alive = False
            return
        if not self._is_in_body():
            self.transport.write(answer)
        self._linger()

    def _linger(self) -> None:
        """Close our direction, and soon the other one."""
        self.connections.discard(self)
        lingering = self._shared.lingering
        if len(lingering) >= MAX_LINGERING or not self.transport.can_write_eof():
            self.transport.close()
            return
        lingering.add(self)
        self.flow.resume_reading()
        self.transport.write_eof()
        self._header_timer = self.loop.call_later(LINGER_S, self.transport.abort)

    def _wait_for_header(self) -> None:
        """Start to wait if there is nothing else that this connection waits for."""
        if self._pending_bytes and self._header_timer is None and not self._is_answering():
            self._start_header_timer()

    def _start_header_timer(self) -> None:
        bounds = self._bounds
        limit_s = bounds.body_timeout_s if self._is_in_body() else bounds.header_timeout_s
        self._header_timer = self.loop.call_later(limit_s, self._reject_late)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None


def rejection(status: int, text: str, *headers: Header) -> Answer:
    """Build the answer to a request that is rejected, and its connection with it."""
    return error_answer(status, text, _CLOSE, *headers)


def to_bytes(answer: Answer) -> bytes:
    """Write an answer as HTTP/1.1, where there is no request that uvicorn answers."""
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n".encode()]
    lines += [b"%b: %b\r\n" % header for header in answer.headers]
    return b"".join((*lines, b"\r\n", answer.body))
