"""A scripted server at a URL: Streamable HTTP with sessions that it can forget."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.upstream import UrlSource, streams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.mcp.scripted import Script

GONE = {"error": {"code": -32600, "message": "Session not found"}}


@contextmanager
def at_url(script: Script, *, error_status: int = 200) -> Iterator[set[str]]:
    """Serve a script at a URL, and let it be dialled there.

    Args:
        script: What is answered.
        error_status: The HTTP status of an answer that is an error.

    Yields:
        The sessions that it knows. A test may forget them.
    """
    sessions: set[str] = set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            frame = json.loads(self.rfile.read(int(self.headers["content-length"])))
            script.heard.append(frame["method"])
            answer = script.answer(frame["method"], frame.get("params") or {})
            session = self.headers.get("mcp-session-id")
            more: dict[str, str] = {}
            if session is not None and session not in sessions:
                self.say(404, {"jsonrpc": "2.0", "id": None, **GONE})
                return
            if frame["method"] == "initialize" and "result" in answer:
                more["mcp-session-id"] = f"session-{script.heard.count('initialize')}"
                sessions.add(more["mcp-session-id"])
            status = error_status if "error" in answer else 200
            body = {"jsonrpc": "2.0", "id": frame.get("id"), **answer}
            self.say(status if "id" in frame else 202, body, **more)

        def do_GET(self) -> None:
            self.say(405, {})

        def do_DELETE(self) -> None:
            self.say(200, {})

        def say(self, status: int, body: Any, **headers: str) -> None:
            raw = json.dumps(body).encode() if status != 202 else b""
            self.send_response(status)
            for name, value in {**headers, "content-type": "application/json"}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *words: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        script.source = UrlSource(f"http://127.0.0.1:{server.server_port}/mcp")
        script.connect = streams.dial_url(script.source, DEFAULT_BOUNDS, {})
        yield sessions
        server.shutdown()
