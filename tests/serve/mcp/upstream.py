"""A server over stdio that does what its tools are called, in plain JSON-RPC.

``python upstream.py older`` shakes hands and knows no other way; ``newer`` wants the
envelope of 2026-07-28 on every request. A file as the second argument makes it stay
when its input is closed and when it is sent SIGTERM; each process writes its pid there.
"""

# A script: what a tool does is its name.
# ruff: noqa: C901, D103, PLR0911, PLR0912

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
ERA = sys.argv[1] if len(sys.argv) > 1 else "older"
OBJECT = {"type": "object"}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

TOOLS: list[Any] = [
    {"name": "twice", "inputSchema": NUMBER, "outputSchema": NUMBER},
    {"name": "wrong", "inputSchema": OBJECT, "outputSchema": NUMBER},
    {"name": "silent", "inputSchema": OBJECT, "outputSchema": NUMBER},
    {"name": "sorry", "inputSchema": OBJECT, "outputSchema": NUMBER},
    {"name": "hang", "inputSchema": OBJECT},
    {"name": "die", "inputSchema": OBJECT},
    {"name": "ask", "inputSchema": OBJECT},
    {"name": "ask_for_ever", "inputSchema": OBJECT},
    {"name": "step", "inputSchema": OBJECT},
    {"name": "grow", "inputSchema": OBJECT},
    {"name": "cancelled", "inputSchema": OBJECT},
    {"name": "refuse", "inputSchema": OBJECT},
    {"name": "seen", "inputSchema": OBJECT},
    {"name": "broken", "inputSchema": "no schema", "annotations": 5, "icons": {"odd": True}},
    {"description": "has no name"},
    7,
]
SEEN: list[Any] = []
CANCELLED: list[Any] = []
ANSWERS: dict[str, Any] = {}
ARRIVED = threading.Condition()
TURN = threading.Lock()


def send(message: dict[str, Any]) -> None:
    with TURN:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def tell(method: str, **params: Any) -> None:
    send({"method": method, "params": params})


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def ask(method: str, **params: Any) -> Any:
    ident = f"q{len(ANSWERS)}"
    with ARRIVED:
        ANSWERS[ident] = None
        send({"id": ident, "method": method, "params": params})
        ARRIVED.wait_for(lambda: ANSWERS[ident] is not None, 20)
    return ANSWERS[ident]


def call(ident: Any, params: dict[str, Any]) -> dict[str, Any] | None:
    name, args = params["name"], params.get("arguments", {})
    if name == "twice":
        return text("ok", structuredContent={"n": 2 * args["n"]}, extra={"kept": True})
    if name == "wrong":
        return text("ok", structuredContent={"n": "secret-of-the-result"})
    if name == "silent":
        return text("ok")
    if name == "sorry":
        return text("it failed", isError=True)
    if name == "hang":
        return None
    if name == "die":
        os._exit(7)
    if name == "ask":
        return asked(params)
    if name == "ask_for_ever":
        return {"resultType": "input_required", "requestState": "again"}
    if name == "step":
        token = params.get("_meta", {}).get("progressToken")
        tell("notifications/progress", progressToken=token, progress=1, total=2)
        tell("notifications/message", level="info", data="half way")
        tell("notifications/message", level="debug", data="details")
        return text("stepped")
    if name == "grow":
        TOOLS.append({"name": "late", "inputSchema": OBJECT})
        tell("notifications/tools/list_changed")
        return text("grown")
    if name == "cancelled":
        return text(json.dumps(CANCELLED))
    if name == "seen":
        return text(json.dumps(SEEN))
    return text(name)


def asked(params: dict[str, Any]) -> dict[str, Any]:
    form = {"message": "Your name?", "requestedSchema": OBJECT}
    if ERA == "older":
        found = ask("elicitation/create", **form)
        return text(json.dumps(found.get("result", found.get("error"))))
    given = params.get("inputResponses")
    if given:
        return text(json.dumps([given["name"], params.get("requestState")]))
    request = {"method": "elicitation/create", "params": form}
    return {
        "resultType": "input_required",
        "inputRequests": {"name": request},
        "requestState": "state",
    }


def page(params: dict[str, Any]) -> dict[str, Any]:
    start = int(params.get("cursor", 0))
    result: dict[str, Any] = {"tools": TOOLS[start : start + 8]}
    if start + 8 < len(TOOLS):
        result["nextCursor"] = str(start + 8)
    return result


def answer(message: dict[str, Any]) -> None:
    method, params, ident = message["method"], message.get("params", {}), message["id"]
    SEEN.append([method, params.get("clientInfo", {}).get("name")])
    has_envelope = VERSION_KEY in params.get("_meta", {})
    result: Any = {}
    if method == "initialize" and ERA == "newer":
        send({"id": ident, "error": {"code": -32022, "message": "no handshakes"}})
        return
    if ERA == "older" and (has_envelope or method == "server/discover"):
        send({"id": ident, "error": {"code": -32601, "message": "unknown"}})
        return
    if ERA == "newer" and not has_envelope:
        send({"id": ident, "error": {"code": -32602, "message": "no envelope"}})
        return
    if method == "initialize":
        result = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}, "logging": {}, "prompts": {}},
            "serverInfo": {"name": "upstream", "version": "1"},
            "instructions": "Be kind.",
        }
    elif method == "server/discover":
        result = {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}},
            "instructions": "Be kind.",
            "ttlMs": 0,
            "cacheScope": "private",
        }
    elif method == "tools/list":
        result = page(params)
    elif method == "prompts/get" and params.get("name") == "none":
        send({"id": ident, "error": {"code": -32602, "message": "no prompt", "data": {"odd": 1}}})
        return
    elif method == "prompts/get":
        result = {"messages": [], "odd": {"kept": True}}
    elif method == "subscriptions/listen":
        key = "io.modelcontextprotocol/subscriptionId"
        tell("notifications/subscriptions/acknowledged", _meta={key: ident}, notifications={})
        return
    elif method == "tools/call":
        if params["name"] == "refuse":
            send({"id": ident, "error": {"code": -32050, "message": "not today", "data": [1]}})
            return
        result = call(ident, params)
        if result is None:
            return
    if ERA == "newer" and method != "initialize":
        result = {"resultType": "complete", **result}
    send({"id": ident, "result": result})


def main() -> None:
    if len(sys.argv) > 2:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with Path(sys.argv[2]).open("a") as file:
            file.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "method" not in message:
            with ARRIVED:
                ANSWERS[message["id"]] = message
                ARRIVED.notify_all()
        elif "id" not in message:
            if message["method"] == "notifications/cancelled":
                CANCELLED.append(message["params"]["requestId"])
            SEEN.append([message["method"], None])
        else:
            threading.Thread(target=answer, args=(message,), daemon=True).start()
    if len(sys.argv) > 2:
        threading.Event().wait()


if __name__ == "__main__":
    main()
