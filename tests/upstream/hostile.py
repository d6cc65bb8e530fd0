"""A server at a URL that answers calls with more than any client may read.

The name of the tool that is called says how. Everything else is answered as it should be.
"""

from __future__ import annotations

import json
import socketserver
import threading
import time
import zlib
from contextlib import contextmanager, suppress
from itertools import repeat
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BLOCK = b"x" * 65_536
OK = "200 OK"
JSON = "content-type: application/json"
EVENTS = "content-type: text/event-stream"
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "hostile", "version": "1"},
}
TOOL = {"name": "ok", "inputSchema": {"type": "object"}}


def packed(blocks: Iterable[bytes], *, wbits: int = 31) -> Iterator[bytes]:
    """Pack with gzip, or as these bits say."""
    packer = zlib.compressobj(wbits=wbits)
    for block in blocks:
        if piece := packer.compress(block):
            yield piece
    yield packer.flush()


def text_without_end(ident: int) -> Iterator[bytes]:
    """Write a result whose text never ends."""
    yield b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % ident
    yield from repeat(BLOCK)


def dense(ident: int) -> Iterator[bytes]:
    """Write a result of few bytes and very many values."""
    yield b'{"jsonrpc":"2.0","id":%d,"result":{"content":[' % ident
    yield from repeat(b"[]," * 65_536, 50)
    yield b"[]]}}"


def answer(ident: object) -> bytes:
    """Write a small result."""
    return json.dumps({"jsonrpc": "2.0", "id": ident, "result": {"content": []}}).encode()


def event(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Write one event."""
    yield b"event: message\ndata: "
    yield from blocks
    yield b"\n\n"


def slowly(block: bytes) -> Iterator[bytes]:
    """Go on for ever, a little at a time."""
    while True:
        yield block
        time.sleep(0.02)


def trailing(ident: object) -> Iterator[bytes]:
    """Write a small packed result, and go on after its end."""
    yield from packed([answer(ident)])
    yield from repeat(BLOCK)


GZIP = "content-encoding: gzip"
KINDS: dict[str, tuple[str, tuple[str, ...], Callable[[Any], Iterable[bytes]]]] = {
    "ok": (OK, (JSON,), lambda ident: [answer(ident)]),
    "ok-packed": (OK, (JSON, GZIP), lambda ident: packed([answer(ident)])),
    "ok-events": (OK, (EVENTS,), lambda ident: event([answer(ident)])),
    "body": (OK, (JSON,), text_without_end),
    "packed": (OK, (JSON, GZIP), lambda ident: packed(text_without_end(ident))),
    "deflated": (
        OK,
        (JSON, "content-encoding: deflate"),
        lambda ident: packed(text_without_end(ident), wbits=15),
    ),
    "packed-twice": (
        OK,
        (JSON, "content-encoding: gzip, gzip"),
        lambda ident: packed(packed(text_without_end(ident))),
    ),
    "packed-and-trailing": (OK, (JSON, GZIP), trailing),
    "dense": (OK, (JSON,), dense),
    "event": (OK, (EVENTS,), lambda ident: event(text_without_end(ident))),
    "event-packed": (OK, (EVENTS, GZIP), lambda ident: packed(event(text_without_end(ident)))),
    "event-dense": (OK, (EVENTS,), lambda ident: event(dense(ident))),
    "event-packed-and-trailing": (OK, (EVENTS, GZIP), trailing),
    "slow": (OK, (JSON,), lambda _: slowly(b" ")),
    "slow-events": (OK, (EVENTS,), lambda _: slowly(b": x\n\n")),
    "lines": (OK, (EVENTS,), lambda _: repeat(b"data: x\n" * 4_096)),
    "comments": (OK, (EVENTS,), lambda _: repeat(b": x, y\n" * 4_096)),
    "error": ("500 Internal Server Error", (JSON,), text_without_end),
    "error-packed": ("400 Bad Request", (JSON, GZIP), lambda i: packed(text_without_end(i))),
    "redirect": ("307 Temporary Redirect", ("location: /mcp",), lambda _: repeat(BLOCK)),
    "type": (OK, ("content-type: text/html",), lambda _: repeat(BLOCK)),
}


@contextmanager
def hostile_server() -> Iterator[str]:
    """Serve, and give the URL."""

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
        finally:
            server.shutdown()


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        with suppress(OSError):
            while self._answer_one():
                pass

    def _answer_one(self) -> bool:
        line = self.rfile.readline()
        length = 0
        for header in iter(self.rfile.readline, b"\r\n"):
            if not header:
                return False
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not line.startswith(b"POST"):
            self._send("405 Method Not Allowed", (), [])
            return True
        frame = json.loads(self.rfile.read(length))
        self._reply(frame)
        return True

    def _reply(self, frame: dict[str, Any]) -> None:
        ident, method = frame.get("id"), frame.get("method")
        results: dict[str, Any] = {"initialize": HANDSHAKE, "tools/list": {"tools": [TOOL]}}
        if ident is None:
            self._send("202 Accepted", (), [])
        elif method == "tools/call":
            kind = frame["params"]["name"]
            if kind in {"headers", "slow-headers"}:
                self._send_headers_without_end(0.02 if kind == "slow-headers" else 0)
            status, headers, body = KINDS[kind]
            self._send(status, headers, body(ident))
        else:
            outcome: dict[str, Any] = {"error": {"code": -32601, "message": "unknown"}}
            if method in results:
                outcome = {"result": results[method]}
            raw = json.dumps({"jsonrpc": "2.0", "id": ident, **outcome}).encode()
            self._send(OK, (JSON,), [raw])

    def _send(self, status: str, headers: Iterable[str], body: Iterable[bytes]) -> None:
        head = [f"HTTP/1.1 {status}", *headers, "transfer-encoding: chunked", "", ""]
        self.wfile.write("\r\n".join(head).encode())
        for block in body:
            if block:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(block), block))
        self.wfile.write(b"0\r\n\r\n")

    def _send_headers_without_end(self, pause_s: float) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.wfile.write(b"x: %b\r\n" % (b"" if pause_s else BLOCK))
            time.sleep(pause_s)
