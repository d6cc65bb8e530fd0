"""HTTP answers, written straight to the server.

A framework's response objects cost more than the validation they carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Message, Send

    from toolgauge.contract import Issue

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
        """Give what is sent to the server; without the body for ``HEAD``."""
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
    """Give the body that lists issues: ``{"valid": false, "errors": [...]}``."""
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
