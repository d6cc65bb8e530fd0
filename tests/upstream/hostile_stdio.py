"""A server over pipes that says more than any client may hear. Its argument says how.

It writes bytes by itself: nothing here may be slower than the one who reads.
"""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import count
from typing import Any

MODE = sys.argv[1]
BLOCK = b"x" * 65_536
MIB = 1024 * 1024
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "hostile", "version": "1"},
}
TOOL = {"name": "ok", "inputSchema": {"type": "object"}}


def write(data: bytes, descriptor: int = 1) -> None:
    """Write everything."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def say(frame: dict[str, Any]) -> None:
    """Write a message."""
    write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")


def tell(method: str, params: dict[str, Any], times: int, **more: Any) -> None:
    """Write a message very often; with ``id``, each as a request of its own."""
    frame = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    for _ in range(times):
        write((frame + b"\n") * 100)


def page(cursor: str | None) -> dict[str, Any]:
    """Write a page of a list."""
    number = int(cursor) if cursor and cursor.isdigit() else 0
    more = {"nextCursor": str(number + 1)}
    if MODE == "pages-of-bytes":
        return {"tools": [{**TOOL, "name": f"t{number}", "description": "x" * MIB}], **more}
    if MODE == "pages-of-values":
        return {"tools": [{**TOOL, "name": f"t{number}", "x": [[]] * 100_000}], **more}
    if MODE == "pages-of-tools":
        tools = [{"name": f"t{number}-{each}"} for each in range(20_000)]
        return {"tools": tools, **more}
    if MODE == "pages":
        return {"tools": [{**TOOL, "name": f"t{number}"}], **more}
    if MODE == "same-cursor":
        return {"tools": [TOOL], "nextCursor": "again"}
    return {"tools": [TOOL, *({**TOOL, "name": name} for name in KINDS)]}


def _line_without_end(ident: int, token: object) -> None:
    write(b'{"jsonrpc":"2.0","id":1,"result":{"content":"')
    while True:
        write(BLOCK)


def _progress_without_end(ident: int, token: object) -> None:
    for number in count():
        params = {"progressToken": token, "progress": number}
        say({"method": "notifications/progress", "params": params})
        time.sleep(0.01)


def _dense(ident: int, token: object) -> None:
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[' % ident)
    write(b"[]," * 3_000_000 + b"[]]}}\n")


def _logs(ident: int, token: object) -> None:
    tell("notifications/message", {"level": "info", "data": "x" * 1_000}, 1_000)


def _progress(ident: int, token: object) -> None:
    params = {"progressToken": token, "progress": 1, "message": "x" * 1_000}
    tell("notifications/progress", params, 1_000)


def _answers(ident: int, token: object) -> None:
    answer = {"id": 10_000, "result": {"content": ["x" * 1_000]}}
    write((json.dumps({"jsonrpc": "2.0", **answer}).encode() + b"\n") * 100_000)


def _stderr(ident: int, token: object) -> None:
    for _each in range(200 * 16):
        write(BLOCK, 2)


def _noise(ident: int, token: object) -> None:
    for _each in range(100):
        write(b"x\n" * 32_768)


KINDS = {
    "line": _line_without_end,
    "dense": _dense,
    "stderr": _stderr,
    "noise": _noise,
    "logs": _logs,
    "progress": _progress,
    "answers": _answers,
    "progress-for-ever": _progress_without_end,
}


def main() -> None:
    """Answer line by line."""
    for line in sys.stdin.buffer:
        frame = json.loads(line)
        ident, params = frame.get("id"), frame.get("params") or {}
        if ident is None or "method" not in frame:
            continue
        if frame["method"] == "initialize":
            if MODE == "asks":
                for number in count():
                    say({"id": f"q{number}", "method": "roots/list", "params": {"x": "x" * 1_000}})
            say({"id": ident, "result": HANDSHAKE})
        elif frame["method"] == "tools/list":
            say({"id": ident, "result": page(params.get("cursor"))})
        elif frame["method"] == "tools/call":
            if params["name"] in KINDS:
                KINDS[params["name"]](ident, (params.get("_meta") or {}).get("progressToken"))
            say({"id": ident, "result": {"content": []}})
        else:
            say({"id": ident, "error": {"code": -32601, "message": "unknown"}})


main()
