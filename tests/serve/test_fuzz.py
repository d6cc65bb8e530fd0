"""Whatever is sent: one answer, in JSON, and never an error of ours."""

from __future__ import annotations

import json
from typing import Any

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.serve.tools import TOOLS, Spy
from toolgauge.serve import create_app

APP = create_app(TOOLS, Spy().handle_call, allow_execute=True)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
bodies = st.binary(max_size=200) | json_values.map(lambda value: json.dumps(value).encode())
segments = st.sampled_from(["tools", "validate", "call", "get_weather", "", "%2F", "%", "%ff", "."])
paths = st.lists(segments | st.text("abc/%2Fé\x00", max_size=6), max_size=5).map("/".join)
methods = st.sampled_from(["GET", "POST", "PUT", "HEAD", "OPTIONS", "BREW"])
headers = st.lists(
    st.tuples(
        st.sampled_from([b"content-type", b"content-length", b"origin", b"host", b"x"]),
        st.sampled_from([b"application/json", b"9", b"-1", b"null", b"http://x", b"\xff", b""]),
    ),
    max_size=4,
)


def exchange(method: str, path: str, sent: list[tuple[bytes, bytes]], body: bytes) -> list[Any]:
    """Send one request and collect what comes back."""
    raw = f"/{path}".encode()
    scope = {
        "type": "http",
        "method": method,
        "path": raw.decode("latin-1"),
        "raw_path": raw,
        "query_string": b"",
        "headers": sent,
    }
    answers: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        answers.append(message)

    async def main() -> None:
        await APP(scope, receive, send)

    anyio.run(main)
    return answers


@settings(deadline=None, max_examples=300, derandomize=True)
@given(methods, paths, headers, bodies)
def test_any_request_is_answered_once_and_never_with_500(
    method: str, path: str, sent: list[tuple[bytes, bytes]], body: bytes
) -> None:
    """Every status is one of those in the guide, and every body is JSON or the page."""
    start, end = exchange(method, path, sent, body)
    found = dict(start["headers"])

    assert start["status"] in {200, 204, 400, 403, 404, 405, 413, 415}
    assert int(found.get(b"content-length", b"0")) >= len(end["body"])
    if end["body"] and found[b"content-type"] == b"application/json":
        json.loads(end["body"])


@settings(deadline=None, max_examples=300, derandomize=True)
@given(bodies)
def test_any_body_is_validated_or_refused(body: bytes) -> None:
    """200 with a verdict, or 400 in the same shape."""
    start, end = exchange("POST", "tools/get_weather/validate", [], body)
    answer = json.loads(end["body"])

    assert start["status"] in {200, 400}
    assert answer["valid"] is (not answer.get("errors"))
    assert all({"path", "message"} <= set(each) for each in answer.get("errors", []))
