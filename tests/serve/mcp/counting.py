"""A server over stdio that writes down each run of its one tool, whoever asked for it.

``python counting.py FILE older|newer``. It is as lenient as a careless server may be:
it runs calls without an id, in batches, and under names that only look like
``tools/call``, and it checks no arguments. A gateway must let none of that arrive.

As a module, ``tools`` and ``handle`` are the same tool in process; ``COUNTING_FILE`` says
where its runs are written.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

ENVELOPE = "io.modelcontextprotocol/protocolVersion"
SCHEMA = {
    "type": "object",
    "properties": {"key": {"type": "string"}, "amount": {"type": "integer", "minimum": 1}},
    "required": ["key", "amount"],
    "additionalProperties": False,
}
PAY = {"name": "pay", "inputSchema": SCHEMA}


def ran(file: str, arguments: object) -> None:
    """Write a run down before anything else can happen."""
    with Path(file).open("a", encoding="utf-8") as out:
        key = arguments.get("key") if isinstance(arguments, dict) else None
        out.write(json.dumps(key) + "\n")


def handle(arguments: dict[str, Any]) -> str:
    """Run the tool in process."""
    ran(os.environ["COUNTING_FILE"], arguments)
    return "paid"


def tools() -> list[Any]:
    """Return the tool with its handler."""
    from toolgauge.contract import Tool

    return [Tool(name="pay", input_schema=SCHEMA, handler=handle)]


def send(message: dict[str, Any]) -> None:
    """Write a message."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(message: Any, file: str, era: str) -> None:
    """Take one message, whatever it is."""
    if isinstance(message, list):
        for each in message:
            answer(each, file, era)
    elif isinstance(message, dict) and "method" in message:
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        found = outcome(str(message["method"]), params, file, era)
        if era == "newer" and "result" in found:
            found["result"].setdefault("resultType", "complete")
        if message.get("id") is not None:
            send({"id": message["id"], **found})


def outcome(method: str, params: dict[str, Any], file: str, era: str) -> dict[str, Any]:
    """Do what a method says."""
    if method.strip().lower().replace("_", "/").endswith("tools/call"):
        ran(file, params.get("arguments"))
        return {"result": {"content": [{"type": "text", "text": "paid"}]}}
    if method == "initialize" and era == "older":
        info = {"name": "counting", "version": "1"}
        version = params.get("protocolVersion", "2025-11-25")
        spoken = {"protocolVersion": version, "capabilities": {"tools": {}}}
        return {"result": {**spoken, "serverInfo": info}}
    if method == "server/discover" and era == "newer":
        return {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}}
    if method in {"initialize", "server/discover"}:
        return {"error": {"code": -32601, "message": "unknown"}}
    return {"result": {"tools": [PAY]} if method == "tools/list" else {}}


def main() -> None:
    """Answer until the input closes."""
    file, era = sys.argv[1:3]
    for line in sys.stdin:
        answer(json.loads(line), file, era)


if __name__ == "__main__":
    main()
