"""A server that a test scripts, behind a wire in this process."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from toolgauge.contract import DEFAULT_BOUNDS, Bounds
from toolgauge.serve.mcp.contracts import Contracts
from toolgauge.serve.mcp.conversations import Conversations
from toolgauge.serve.mcp.relay import Slots
from toolgauge.upstream import RequestRefused, ServerFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from toolgauge.upstream import UrlSource
    from toolgauge.upstream.peer import Dial

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
ENVELOPE = {
    VERSION_KEY: "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
UNKNOWN = {"error": {"code": -32601, "message": "unknown"}}


def tool(name: str, *allowed: str, **more: Any) -> dict[str, Any]:
    """Write a tool whose one argument has these values."""
    schema = {"type": "object", "properties": {"unit": {"enum": list(allowed)}}}
    return {"name": name, "inputSchema": schema, **more}


class Script:
    """What the server does. A test changes it while the server runs.

    Attributes:
        era: Which methods it knows.
        pages: Results of ``tools/list``; the cursor is the number of a page.
        result: What a call gives.
        heard: Methods, in order.
        refusal: What a method gives that it does not know.
        wires: The connections to it.
        connect: Connects to it.
        source: Where it is, if it is at a URL.
        between: Gives messages that come before the next answer.
        answers: What it was answered.
        waits: Whether a call is answered only after a question of its own was.
    """

    def __init__(self, era: str = "older") -> None:
        self.era = era
        self.pages: list[dict[str, Any]] = [{"tools": [tool("convert", "c")]}]
        self.result: Any = {"content": []}
        self.refusal: dict[str, Any] = UNKNOWN
        self.heard: list[str] = []
        self.wires: list[ScriptedWire] = []
        self.connect: Dial = self.dial
        self.source: UrlSource
        self.between: Callable[[], list[dict[str, Any]]] = list
        self.answers: list[dict[str, Any]] = []
        self.waits = False

    def lists(self) -> int:
        """Count how often the whole list was asked for."""
        return self.heard.count("tools/list")

    def answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request with a ``result`` or an ``error``."""
        if method == "tools/list":
            place = int(params.get("cursor") or 0)
            return {"result": self.pages[place]} if place < len(self.pages) else UNKNOWN
        if method == "tools/call":
            return {"result": self.result}
        if method == "initialize" and self.era == "older":
            info = {"name": "scripted", "version": "1"}
            return {"result": {**HANDSHAKE, "capabilities": {"tools": {}}, "serverInfo": info}}
        if method == "server/discover" and self.era == "newer":
            supported = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
            return {"result": {"resultType": "complete", **supported}}
        return self.refusal

    @asynccontextmanager
    async def dial(self, *, older: bool = False) -> AsyncIterator[ScriptedWire]:
        """Connect to it."""
        del older
        wire = ScriptedWire(self)
        self.wires.append(wire)
        yield wire


class ScriptedWire:
    """One connection."""

    label = "scripted"

    def __init__(self, script: Script) -> None:
        self._script = script
        self._said: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._held: list[dict[str, Any]] = []

    async def send(self, frame: dict[str, Any], headers: object = None) -> None:
        del headers
        if "method" not in frame:
            self._script.answers.append(frame)
            while self._held:
                self._said.put_nowait(self._held.pop())
            return
        self._script.heard.append(frame["method"])
        if "id" not in frame:
            return
        answer = self._script.answer(frame["method"], frame.get("params") or {})
        for told in self._script.between():
            self._said.put_nowait({"jsonrpc": "2.0", **told})
        answer = {"jsonrpc": "2.0", "id": frame["id"], **answer}
        if self._script.waits and frame["method"] == "tools/call":
            self._held.append(answer)
        else:
            self._said.put_nowait(answer)

    async def receive(self) -> dict[str, Any]:
        frame = await self._said.get()
        if frame is None:
            raise await self.failure("is gone")
        return frame

    async def failure(self, reason: str) -> ServerFailed:
        return ServerFailed(self.label, reason)

    def noted(self, reason: str) -> str:
        return reason

    noise = None
    may_be_older = False

    def die(self) -> None:
        self._said.put_nowait(None)


class Nobody:
    """A client that is not asked and not told anything."""

    async def ask(self, method: str, params: Any) -> Any:
        raise RequestRefused(-32601, method)

    async def tell(self, method: str, params: Any) -> None:
        return


@asynccontextmanager
async def greeting(script: Script, bounds: Bounds = DEFAULT_BOUNDS) -> AsyncIterator[Conversations]:
    """Run what opens conversations with the server."""
    contracts = Contracts(formats=False, bounds=bounds)
    conversations = Conversations(script.connect, contracts, bounds, Slots(100))
    async with conversations.running():
        yield conversations
