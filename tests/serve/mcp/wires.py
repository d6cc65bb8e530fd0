"""Both transports of the MCP dialect, each a process of its own, as the canonical ones are."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.envelope import transports

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import httpx2

HEADERS = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}


def message(method: str, ident: Any = None, **params: Any) -> bytes:
    """Write a request, or a notification where there is no id."""
    whole: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if ident is not None:
        whole["id"] = ident
    if params:
        whole["params"] = params
    return json.dumps(whole, ensure_ascii=False).encode()


def call(name: str, ident: Any = 1, **arguments: Any) -> bytes:
    """Write a call of a tool."""
    return message("tools/call", ident, name=name, arguments=arguments)


def initialize(version: str = "2025-11-25", ident: Any = 0, **capabilities: Any) -> bytes:
    """Write a handshake."""
    info = {"name": "test", "version": "1"}
    return message(
        "initialize", ident, protocolVersion=version, capabilities=capabilities, clientInfo=info
    )


FENCE = call("echo", transports.FENCE_ID, fence=True)


class McpHttp(transports.Http):
    """``POST /mcp`` of a server process, by a client without a session."""

    def post(self, raw: bytes, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        return self.client.post("mcp", content=raw, headers={**HEADERS, **(headers or {})})

    def ask(self, raw: bytes, *, is_answered: bool = True) -> Any:
        answer = self.post(raw)
        assert transports.FENCE_ID == self.post(FENCE).json()["id"]
        assert bool(answer.content) is is_answered, answer.content
        return answer.json() if is_answered else None


class McpStdio(transports.Stdio):
    """The pipes of a process."""

    def ask(self, raw: bytes, *, is_answered: bool = True) -> Any:
        self.send(raw + b"\n" + FENCE + b"\n")
        found = [self.line() for _ in range(1 + is_answered)]
        fences = [each for each in found if each["id"] == transports.FENCE_ID]
        assert 1 == len(fences), found
        return next((each for each in found if each is not fences[0]), None)

    def asked(self, raw: bytes) -> Any:
        """Send one line, and give the next one."""
        self.send(raw + b"\n")
        return self.line()


def open_mcp_stdio(folder: Path, *source: str, **options: Any) -> McpStdio:
    """Start a process that speaks MCP over its pipes."""
    words = source or (transports.SOURCE,)
    process: subprocess.Popen[bytes] = transports.start(
        "stdio", "--log-dir", str(folder), *words, **options
    )
    return McpStdio(process, folder)


@contextmanager
def open_mcp_http(folder: Path, *words: str, **options: Any) -> Iterator[McpHttp]:
    """Start a server process of the specimens, wait until it answers, and end it."""
    with transports.open_http(folder, *words, **options) as opened:
        http = McpHttp(opened.process, opened.url, folder)
        with http.client:
            yield http
