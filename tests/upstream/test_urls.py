from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

import pytest

from toolgauge.upstream import InvalidSource, ServerFailed, UrlSource, open_source
from toolgauge.upstream.opening import dial_of

if TYPE_CHECKING:
    from toolgauge.contract.bounds import Bounds

pytestmark = pytest.mark.anyio


class Canned(BaseHTTPRequestHandler):
    """Answers every request in one way, or never."""

    status: ClassVar[int]
    body: ClassVar[bytes]
    kind: ClassVar[str]
    seen: ClassVar[list[str]]
    events: ClassVar[bytes | None]
    released: ClassVar[threading.Event]

    def do_POST(self) -> None:
        self.seen.append(self.headers.get("Authorization", ""))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.status == 0:
            self.released.wait(30)
            return
        self.send_response(self.status)
        self.send_header("Content-Type", self.kind)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere?token=urlsecret999")
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def do_GET(self) -> None:
        if self.events is None:
            self.do_POST()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(self.events)
        self.wfile.flush()
        if not self.events:
            self.released.wait(30)

    def log_message(self, *words: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def canned() -> Iterator[tuple[type[Canned], str]]:
    """A web server with one answer, and its URL with a secret in it."""
    Canned.status, Canned.body, Canned.kind, Canned.seen = 500, b"", "text/html", []
    Canned.events, Canned.released = None, threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Canned) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Canned, f"http://127.0.0.1:{server.server_port}/mcp?token=urlsecret999"
        Canned.released.set()
        server.shutdown()


async def failure(url: str, bounds: Bounds) -> str:
    """Open a URL that cannot be opened and give the sentence."""
    with pytest.raises(ServerFailed) as caught:
        async with open_source(
            UrlSource(url), bounds=bounds, headers={"Authorization": "Bearer hdrsecret999"}
        ):
            pass
    return str(caught.value)


@pytest.mark.parametrize("status", [401, 403, 404, 405, 429, 500, 503])
async def test_an_http_error_is_named_by_its_status(
    canned: tuple[type[Canned], str], short: Bounds, status: int
) -> None:
    """C25: and no secret is part of the sentence."""
    handler, url = canned
    handler.status = status

    sentence = await failure(url, short)

    assert f"HTTP {status}" in sentence
    assert "secret999" not in sentence
    assert "Bearer hdrsecret999" in handler.seen


@pytest.mark.parametrize(
    "answer",
    [
        (200, "text/html", b"<html>"),
        (200, "application/json", b"{}"),
        (200, "application/json", b"not json"),
        (200, "text/event-stream", b"data: nonsense\n\n"),
        (200, "text/event-stream", b""),
        (202, "text/html", b""),
        (307, "text/html", b""),
        (200, "application/json", b'{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"1"}}'),
    ],
)
async def test_an_answer_that_is_not_mcp_is_one_sentence(
    canned: tuple[type[Canned], str],
    short: Bounds,
    answer: tuple[int, str, bytes],
) -> None:
    """A web page, broken JSON, an empty stream, a redirect elsewhere, another version."""
    handler, url = canned
    handler.status, handler.kind, handler.body = answer

    sentence = await failure(url, short)

    assert "secret999" not in sentence
    assert 1 == len(sentence.splitlines())


@pytest.mark.parametrize(
    "events",
    [
        b"",
        b"event: nonsense\n\n",
        b"event: endpoint\ndata: http://127.0.0.1:1/else\n\n",
        b"data: " + b"x" * 2_000_000,
    ],
)
async def test_an_older_transport_that_does_not_work_either_is_no_second_error(
    canned: tuple[type[Canned], str], short: Bounds, events: bytes
) -> None:
    """No endpoint, silence, an endpoint elsewhere: the first failure is told."""
    handler, url = canned
    handler.status, handler.events = 405, events

    assert "HTTP 405" in await failure(url, short)


async def test_a_url_that_never_answers_is_late(
    canned: tuple[type[Canned], str], short: Bounds
) -> None:
    """The bound on connecting holds for HTTP as well."""
    handler, url = canned
    handler.status = 0

    assert "within" in await failure(url, short)


async def test_nothing_listens_there(short: Bounds) -> None:
    """The system's words are not needed, and may hold the URL."""
    sentence = await failure("http://127.0.0.1:1/mcp?token=urlsecret999", short)

    assert "could not be reached" in sentence
    assert "secret999" not in sentence


@pytest.mark.parametrize(
    "url",
    [
        "http://1.2.3.999/mcp?token=urlsecret999",
        "http://\N{SNOWMAN}.invalid/?token=urlsecret999",
        "http://127.0.0.1:1/a\tb?token=urlsecret999",
        "http://127.0.0.1:1/\udcff?token=urlsecret999",
        "http://127.0.0.1:1/?token=urlsecret999" + "x" * 70_000,
    ],
)
async def test_a_url_that_cannot_be_sent_to_is_refused_at_once(url: str, short: Bounds) -> None:
    """Wrong usage, whichever way it is opened."""
    with pytest.raises(InvalidSource) as caught:
        async with open_source(UrlSource(url), bounds=short):
            pass
    with pytest.raises(InvalidSource):
        dial_of(UrlSource(url), short, {}, {})

    assert "secret999" not in str(caught.value)
    assert len(str(caught.value)) < 200


async def test_a_server_that_cannot_speak_tls_is_told_from_one_that_is_not_there(
    canned: tuple[type[Canned], str], short: Bounds
) -> None:
    """Here is none: the port is one of plain HTTP."""
    sentence = await failure(canned[1].replace("http://", "https://"), short)

    assert "TLS" in sentence
    assert "refused" not in sentence
    assert "secret999" not in sentence
