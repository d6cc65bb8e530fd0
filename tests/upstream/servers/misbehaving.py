"""An MCP server over stdio that does one thing wrong, named by its first argument.

It uses the standard library only, so that it starts fast and can do what the
SDK would never do. Everything after the mode is the mode's own argument.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

MODE = sys.argv[1]
GOOD = {"name": "good", "description": "Works.", "inputSchema": {"type": "object"}}
ECHO = {
    "name": "echo",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}
MODERN = {"modern", "late-and-modern"}
HEADERS = [
    {
        "name": "mirrored",
        "inputSchema": {
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        },
    },
    {
        "name": "refused",
        "inputSchema": {
            "type": "object",
            "properties": {"region": {"type": "object", "x-mcp-header": "bad name"}},
        },
    },
]
BAD = [
    {"description": "no name", "inputSchema": {"type": "object"}},
    {"name": "listed_schema", "inputSchema": [1, 2]},
    {"name": 7, "inputSchema": {"type": "object"}},
    "not even an object",
    {"name": "textless", "description": 5, "inputSchema": {"type": "object"}},
    GOOD,
]


def send(message: dict[str, Any]) -> None:
    """Write one message and flush it."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request: dict[str, Any], result: object) -> None:
    """Answer a request with a result."""
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request: dict[str, Any], code: int, text: str, data: object = None) -> None:
    """Answer a request with an error."""
    error = {"code": code, "message": text} | ({} if data is None else {"data": data})
    send({"jsonrpc": "2.0", "id": request["id"], "error": error})


def initialize(request: dict[str, Any]) -> None:
    """Shake hands as an older server does."""
    if MODE == "odd-handshake":
        answer(request, {"hello": "there"})
        return
    if MODE == "refuses-handshake":
        refuse(request, -32600, "no licence")
        return
    result = {
        "protocolVersion": request["params"]["protocolVersion"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": f"misbehaving-{MODE}", "version": "1"},
    }
    answer(request, result)


def discover(request: dict[str, Any]) -> None:
    """Answer the newer era's probe; the late one ignores the first."""
    discover.__dict__["asked"] = discover.__dict__.get("asked", 0) + 1
    if MODE == "late-and-modern" and discover.__dict__["asked"] == 1:
        return
    result = {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    answer(request, result)


def list_tools(request: dict[str, Any]) -> None:  # noqa: C901 - a branch for each mode
    """List tools in the way of the mode."""
    cursor = (request.get("params") or {}).get("cursor")
    if MODE == "bad-tools":
        answer(request, {"tools": [*BAD, GOOD]})
    elif MODE == "modern":
        assert request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
        answer(request, {"resultType": "complete", "tools": [*HEADERS, GOOD]})
    elif MODE == "endless":
        answer(request, {"tools": [GOOD], "nextCursor": str(int(cursor or 0) + 1)})
    elif MODE == "circle":
        answer(request, {"tools": [GOOD], "nextCursor": "again"})
    elif MODE == "pages":
        page = int(cursor or 0)
        tools = [{"name": f"tool_{page}", "inputSchema": {"type": "object"}}]
        answer(request, {"tools": tools} | ({"nextCursor": str(page + 1)} if page < 4 else {}))
    elif MODE == "second-page-fails" and cursor:
        refuse(request, -32603, "the database is gone")
    elif MODE == "second-page-fails":
        answer(request, {"tools": [GOOD], "nextCursor": "2"})
    elif MODE == "huge":
        padding = "x" * 1_000
        answer(
            request, {"tools": [{**GOOD, "name": f"t{i}", "_meta": padding} for i in range(5_000)]}
        )
    elif MODE == "no-list":
        answer(request, {"tools": {"good": {}}})
    elif MODE == "no-tools-method":
        refuse(request, -32601, "Method not found")
    else:
        answer(request, {"tools": [GOOD, ECHO]})


def call_tool(request: dict[str, Any]) -> None:
    """Run a tool in the way of the mode."""
    if MODE == "die-in-call":
        sys.stderr.write("Traceback: \x1b[31mboom\x1b[0m\n")
        sys.stderr.flush()
        os._exit(9)
    if MODE == "mute-call":
        return
    if MODE == "says":
        line = request["params"]["arguments"]["text"].replace("ID", str(request["id"]))
        sys.stdout.buffer.write(line.encode("latin-1") + b"\n")
        sys.stdout.buffer.flush()
    elif MODE == "odd-content":
        answer(request, {"content": "just text"})
    elif MODE == "input-required":
        answer(request, {"resultType": "input_required", "inputRequests": {}})
    elif MODE == "environment":
        text = json.dumps(dict(os.environ))
        answer(request, {"content": [{"type": "text", "text": text}]})
    elif MODE == "asks-back":
        send({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {}})
        reply = json.loads(sys.stdin.readline())
        text = "declined" if "error" in reply else "sampled"
        answer(request, {"content": [{"type": "text", "text": text}]})
    else:
        arguments = request["params"]["arguments"]
        unknown = {"type": "hologram", "vendor": {"nested": None}}
        content = [{"type": "text", "text": json.dumps(arguments)}, unknown]
        answer(
            request,
            {"content": content, "structuredContent": arguments, "isError": MODE == "is-error"},
        )


def handle(request: dict[str, Any]) -> None:
    """Answer one message; what is unknown is refused, as JSON-RPC asks."""
    method = request.get("method")
    if method != "initialize" and MODE == "old-and-strict" and not handle.__dict__.get("ready"):
        sys.exit("expected initialize")
    handle.__dict__["ready"] = True
    if method == "initialize" and MODE == "late-and-modern":
        supported = {"supported": ["2026-07-28"], "requested": "2025-11-25"}
        refuse(request, -32022, "Unsupported protocol version", supported)
    elif method == "initialize":
        initialize(request)
    elif method == "tools/list":
        list_tools(request)
    elif method == "tools/call":
        call_tool(request)
    elif method == "server/discover" and MODE in MODERN:
        discover(request)
    elif "id" in request and "method" in request and MODE != "ignores-unknown":
        refuse(request, -32601, "Method not found")


def start() -> None:
    """Do what the mode does before it serves."""
    if MODE == "noise":
        print("Server started on port 0")  # noqa: T201 - the very fault under test
        print('{"half": ', flush=True)  # noqa: T201
    elif MODE == "exits":
        sys.stderr.write("config.toml: no such file\n")
        sys.exit(3)
    elif MODE == "silent":
        sys.stderr.write("waiting for the database\n")
        sys.stderr.flush()
        for _ in sys.stdin:
            pass
    elif MODE == "chatty-stderr":
        for number in range(20_000):
            sys.stderr.write(f"line {number}\n")
        sys.stderr.flush()
    elif MODE == "overlong":
        sys.stdout.write("x" * 300_000)
        sys.stdout.flush()
    elif MODE in {"stubborn", "leaves-a-child"}:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(
            [sys.executable, "-c", "import signal; signal.pause()"],
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        Path(sys.argv[2]).write_text(f"{os.getpid()} {child.pid}", encoding="ascii")


def main() -> None:
    """Serve until stdin ends; the stubborn one stays."""
    start()
    for line in sys.stdin:
        handle(json.loads(line, parse_float=str))  # Python reads 1e400 as infinity
    if MODE == "stubborn":
        signal.pause()


main()
