"""HTTP answers, written straight to the server.

A framework's response objects cost more than the validation they carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Send

    from toolgauge.contract import Issue

Header = tuple[bytes, bytes]

_JSON: tuple[Header, ...] = (
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
        # A list of its own each time: middleware adds to it in place.
        headers = list(self.headers)
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body if has_body else b""})


def answer(status: int, body: bytes, *headers: Header) -> Answer:
    """Answer with a body of any type."""
    return Answer(status, body, (*headers, (b"content-length", b"%d" % len(body))))


def json_answer(status: int, value: object, *headers: Header) -> Answer:
    """Answer with JSON."""
    return answer(status, dump_json(value), *_JSON, *headers)


def error_answer(status: int, sentence: str, *headers: Header) -> Answer:
    """Answer with ``{"error": "…"}``."""
    return json_answer(status, {"error": sentence}, *headers)


def issues_body(issues: Sequence[Issue]) -> dict[str, Any]:
    """Give the body that lists issues: ``{"valid": false, "errors": [...]}``."""
    return {"valid": False, "errors": [issue.to_json() for issue in issues]}


NOT_FOUND = error_answer(404, "Not found")
INTERNAL_ERROR = error_answer(500, "Internal error")
TOO_LARGE = error_answer(413, "Request body too large")


def not_allowed(allow: Sequence[str]) -> Answer:
    """Answer a method that the path does not have."""
    return error_answer(405, "Method not allowed", (b"allow", ", ".join(allow).encode("ascii")))
