"""Bodies of requests, read within bounds on size and time, and answers, sent as they are.

A framework's own objects for both cost more than the validation that they carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio

from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Generator, MutableMapping, Sequence

    from starlette.types import Message, Receive, Send

    from toolgauge.contract import Bounds, Issue

Header = tuple[bytes, bytes]

JSON_HEADERS: tuple[Header, ...] = (
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
)


class Answer(NamedTuple):
    """One HTTP answer, with all its headers."""

    status: int
    body: bytes
    headers: Sequence[Header]

    async def send(self, send: Send, *, has_body: bool = True) -> None:
        """Write the answer; without its body for ``HEAD``."""
        start, body = self.messages(has_body=has_body)
        await send(start)
        await send(body)

    def messages(self, *, has_body: bool = True) -> tuple[Message, Message]:
        """Return what is sent to the server; without the body for ``HEAD``."""
        # A list of its own each time: middleware adds to it in place.
        headers = list(self.headers)
        return (
            {"type": "http.response.start", "status": self.status, "headers": headers},
            {"type": "http.response.body", "body": self.body if has_body else b""},
        )


def answer(status: int, body: bytes, *headers: Header) -> Answer:
    """Answer with a body of any type."""
    return Answer(status, body, (*headers, (b"content-length", b"%d" % len(body))))


def json_answer(status: int, value: object, *headers: Header) -> Answer:
    """Answer with JSON."""
    return written_answer(status, dump_json(value), *headers)


def written_answer(status: int, body: bytes, *headers: Header) -> Answer:
    """Answer with JSON that is written already."""
    return answer(status, body, *JSON_HEADERS, *headers)


def error_answer(status: int, sentence: str, *headers: Header) -> Answer:
    """Answer with ``{"error": "…"}``."""
    return json_answer(status, {"error": sentence}, *headers)


def issues_answer(issues: Sequence[Issue], headers: Sequence[Header]) -> Answer:
    """Answer 200 with a list of issues, under headers that are known beforehand."""
    body = dump_json(issues_body(issues))
    return Answer(200, body, (*headers, (b"content-length", b"%d" % len(body))))


def issues_body(issues: Sequence[Issue]) -> dict[str, Any]:
    """Return the body that lists issues: ``{"valid": false, "errors": [...]}``."""
    return {"valid": False, "errors": [issue.to_json() for issue in issues]}


NOT_FOUND = error_answer(404, "Not found")
INTERNAL_ERROR = error_answer(500, "Internal error")
DISABLED = error_answer(403, "Tool execution is disabled.")
UNAUTHORIZED = error_answer(401, "Unauthorized", (b"www-authenticate", b"Bearer"))
NOT_JSON = error_answer(415, "Content-Type must be application/json")
TOO_LARGE = error_answer(413, "Request body too large")


def not_allowed(allow: Sequence[str]) -> Answer:
    """Answer a method that the path does not have."""
    return error_answer(405, "Method not allowed", (b"allow", ", ".join(allow).encode("ascii")))


MIN_BODY_BYTES_PER_S: Final = 32_768
"""Each so many bytes of a body that have arrived extend its time by one second."""

_MAX_LENGTH_DIGITS = 18


class BodyTooLarge(Exception):
    """The body is larger than the bound, by its header or by what arrived."""


class ClientGone(Exception):
    """The client hung up before its body was complete."""


class BodyTooSlow(ClientGone):
    """The body stalled, or took too long; ``BodyReceive.late`` has the answer."""


class BodyReceive:
    """ASGI's ``receive``, with bounds on the time that the body takes.

    Once the body is complete, it only waits for the client to disconnect, which is
    not bounded.

    Args:
        receive: What the server passed.
        bounds: ``body_stall_s`` and ``body_timeout_s``.

    Attributes:
        late: The answer to a request whose body was too slow, ``None`` for others.
    """

    __slots__ = ("_bounds", "_deadline", "_is_complete", "_receive", "late")

    def __init__(self, receive: Receive, bounds: Bounds) -> None:
        self.late: Answer | None = None
        self._receive = receive
        self._bounds = bounds
        self._deadline: float | None = None
        self._is_complete = False

    async def __call__(self) -> Message:
        """Return the next message.

        Raises:
            BodyTooSlow: The next part of the body did not arrive in time.
        """
        if self._is_complete:
            return await self._receive()
        # Nearly every body has arrived when it is read, and a timer for each of them
        # would cost a tenth of the whole request. So the first step is taken by hand.
        steps = self._receive().__await__()
        try:
            pending = next(steps)
        except StopIteration as arrived:
            message: Message = arrived.value
        else:
            message = await self._within(_Begun(steps, pending))
        if not message.get("more_body", False):
            self._is_complete = True
        elif self._deadline is not None:
            self._deadline += len(message["body"]) / MIN_BODY_BYTES_PER_S
        return message

    async def _within(self, waiting: Awaitable[Message]) -> Message:
        """Wait for a message that has not arrived yet, but not for too long."""
        now = anyio.current_time()
        if self._deadline is None:
            self._deadline = now + self._bounds.body_timeout_s
        remaining_s = self._deadline - now
        try:
            with anyio.fail_after(min(remaining_s, self._bounds.body_stall_s)):
                return await waiting
        except TimeoutError:
            if remaining_s > self._bounds.body_stall_s:
                text = f"no byte of the body for {self._bounds.body_stall_s:g} s (body_stall_s)"
            else:
                text = f"the body took too long: {self._bounds.body_timeout_s:g} s (body_timeout_s)"
            self.late = error_answer(408, f"Request timeout: {text}", (b"connection", b"close"))
            raise BodyTooSlow from None


class _Begun:
    """Await an awaitable that has been started by hand and is waiting for ``pending``."""

    __slots__ = ("_pending", "_steps")

    def __init__(self, steps: Generator[Any, Any, Message], pending: object) -> None:
        self._steps = steps
        self._pending = pending

    def __await__(self) -> Generator[Any, Any, Message]:
        pending = self._pending
        try:
            while True:
                try:
                    yield pending
                except BaseException as error:  # noqa: BLE001 - thrown into the other one
                    pending = self._steps.throw(error)
                else:
                    pending = next(self._steps)
        except StopIteration as arrived:
            message: Message = arrived.value
            return message


def header(scope: MutableMapping[str, Any], name: bytes) -> bytes | None:
    """Return the first header of a name (lower case), ``None`` where there is none."""
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return None


def is_declared_too_large(scope: MutableMapping[str, Any], max_bytes: int) -> bool:
    """Check whether ``Content-Length`` already says that the body is too large."""
    length = header(scope, b"content-length")
    if length is None or not length.isdigit():
        return False
    return len(length) > _MAX_LENGTH_DIGITS or int(length) > max_bytes


def is_json(scope: MutableMapping[str, Any]) -> bool:
    """Check whether the body says that it is JSON.

    A page of another site cannot send one that does without being asked for it first.
    """
    media_type = (header(scope, b"content-type") or b"").partition(b";")[0]
    return media_type.strip().lower() == b"application/json"


async def read_body(receive: Receive, max_bytes: int) -> bytes:
    """Read the whole body.

    Raises:
        BodyTooLarge: As soon as more than ``max_bytes`` have arrived.
        ClientGone: If the client hangs up first.
    """
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > max_bytes:
            raise BodyTooLarge
        chunks.append(chunk)
        if not message.get("more_body", False):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)
