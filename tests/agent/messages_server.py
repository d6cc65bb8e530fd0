"""A server on loopback that speaks the Messages API: scripted answers, recorded requests.

Source of the events: https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server does with one request.

    Attributes:
        events: Sent one after the other.
        status: Of the response; other than 200, ``events[0]`` is its body.
        hold: Keep the stream open after the events until the client goes away.
        cut: Close the connection after the events without an end.
    """

    events: Sequence[Event]
    status: int = 200
    hold: bool = False
    cut: bool = False


@dataclass(kw_only=True)
class Script:
    """Answers to come, and what has been asked.

    Attributes:
        url: Where the server is.
        answers: Each is given once; a request too many is an error of the test.
        requests: The bodies of all requests.
        streaming: Set when an answer is being held open.
        left: Set when the client of a held answer has gone away.
    """

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    streaming: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(script: Script) -> Iterator[Script]:
    """Serve a script until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            script.requests.append(json.loads(body))
            answer = script.answers.pop(0)
            try:
                _answer(self, script, answer)
            except ConnectionError:
                # The client went while something was on its way to it: a held
                # answer waits for just that, of any other it is a fault.
                if not answer.hold:
                    raise
            if answer.hold:
                script.left.set()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _answer(handler: BaseHTTPRequestHandler, script: Script, answer: Answer) -> None:
    handler.send_response(answer.status)
    # Said, not only done: a client that does not know sends its next request
    # into the closing connection, now and then. This also closes it.
    handler.send_header("connection", "close")
    if answer.status != 200:
        body = json.dumps(answer.events[0]).encode()
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
        return
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    for event in answer.events:
        data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        handler.wfile.flush()
    if answer.hold:
        script.streaming.set()
        # Ends when the client closes, or fails if it left events unread: it
        # sends nothing more.
        handler.connection.recv(1)
    elif not answer.cut:
        handler.wfile.write(b"0\r\n\r\n")


def call(name: str, arguments: object, id: str = "t1") -> Event:  # noqa: A002 - as in the API
    """Describe a ``tool_use`` block; text is sent as it is."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "tool_use", "id": id, "name": name, "text": text}


def message(*blocks: str | Event, stop: str = "end_turn") -> Answer:
    """Stream a message of texts and calls, each in two pieces."""
    return Answer(events=list(events(*blocks, stop=stop)))


def events(*blocks: str | Event, stop: str = "end_turn") -> Iterator[Event]:
    """Give the events of a message."""
    yield {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        },
    }
    yield {"type": "ping"}
    for index, block in enumerate(blocks):
        yield from _block_events(index, block)
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 2},
    }
    yield {"type": "message_stop"}


def _block_events(index: int, block: str | Event) -> Iterator[Event]:
    if isinstance(block, str):
        start: Event = {"type": "text", "text": ""}
        text, kind, member = block, "text_delta", "text"
    else:
        start = {key: block[key] for key in ("type", "id", "name")} | {"input": {}}
        text, kind, member = block["text"], "input_json_delta", "partial_json"
    half = len(text) // 2
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for piece in (text[:half], text[half:]):
        delta = {"type": kind, member: piece}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}
