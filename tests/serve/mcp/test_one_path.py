"""Every call of every transport, era and source passes one function, once."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp.server import Server

from tests.serve.mcp import counting
from tests.serve.mcp.counting import SCHEMA, handle, tools
from tests.serve.mcp.frames import ENVELOPE, dumped
from tests.serve.mcp.wires import HEADERS, initialize, message
from toolgauge import Gate
from toolgauge.agent import run_tools
from toolgauge.gate import ContractCheck
from toolgauge.serve import create_app, serve_stdio
from toolgauge.serve.mcp import create_mcp_app, serve_mcp_stdio
from toolgauge.serve.mcp.app import endpoint_of
from toolgauge.serve.settings import Settings
from toolgauge.upstream import CommandSource, ModuleSource, open_source

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

ARGUMENTS = {"key": "k", "amount": 1}
PAY = {"name": "pay", "arguments": ARGUMENTS}
NEWER = {
    **HEADERS,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "pay",
}
PATIENCE_S = 60.0


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[object]:
    """Give the arguments of the calls that passed the function."""
    found: list[object] = []
    admit = ContractCheck.admit

    def spied(self: ContractCheck, tool: Any, arguments: object) -> Any:
        found.append(arguments)
        return admit(self, tool, arguments)

    monkeypatch.setattr(ContractCheck, "admit", spied)
    monkeypatch.setenv("COUNTING_FILE", str(tmp_path / "runs"))
    return found


def runs(tmp_path: Path) -> int:
    """Count what ran."""
    return len((tmp_path / "runs").read_text("utf-8").splitlines())


def command(tmp_path: Path, era: str) -> CommandSource:
    """Give the server that counts, as a process."""
    words = (sys.executable, counting.__file__, str(tmp_path / "runs"), era)
    return CommandSource(words)


SERVER: Server[Any] = Server("counting", version="1")


def served() -> Server[Any]:
    """Make a server object of the SDK with the same tool."""
    import mcp_types as types

    async def listed(ctx: Any, params: Any) -> Any:
        del ctx, params
        return types.ListToolsResult(tools=[types.Tool(name="pay", input_schema=SCHEMA)])

    async def called(ctx: Any, params: Any) -> Any:
        del ctx
        text = handle(dict(params.arguments or {}))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    return Server("counting", version="1", on_list_tools=listed, on_call_tool=called)


@asynccontextmanager
async def client_of(app: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve an application without a network."""
    transport = httpx2.ASGITransport(app=app)
    headers = {"content-type": "application/json"}
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers
    ) as client:
        yield client


async def over_mcp(app: Any, *, is_newer: bool) -> str:
    """Call the tool over MCP in one of the eras."""
    async with app.running(), client_of(app) as client:
        if is_newer:
            raw = message("tools/call", 1, _meta=ENVELOPE, **PAY)
            return (await client.post("/", content=raw, headers=NEWER)).text
        opening = await client.post("/", content=initialize(), headers=HEADERS)
        session = {**HEADERS, "mcp-session-id": opening.headers["mcp-session-id"]}
        raw = message("tools/call", 1, **PAY)
        return (await client.post("/", content=raw, headers=session)).text


@pytest.mark.anyio
async def test_in_process(seen: list[object], tmp_path: Path) -> None:
    """A call, and a model's message."""
    await Gate(tools()).call("pay", ARGUMENTS)
    use = {"type": "tool_use", "id": "t", "name": "pay", "input": ARGUMENTS}
    await run_tools({"role": "assistant", "content": [use]}, Gate(tools()))

    assert [ARGUMENTS, ARGUMENTS] == seen
    assert 2 == runs(tmp_path)


@pytest.mark.anyio
async def test_over_http_outside_of_mcp(seen: list[object], tmp_path: Path) -> None:
    """``/call`` and ``/rpc``."""
    async with client_of(create_app(tools(), allow_execute=True)) as client:
        called = await client.post("/tools/pay/call", json=ARGUMENTS)
        params = {"tool": "mcp.tool:pay", "input": ARGUMENTS}
        frame = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answered = await client.post("/rpc", json=frame)

    assert "paid" in called.text
    assert "paid" in answered.text
    assert [ARGUMENTS, ARGUMENTS] == seen
    assert 2 == runs(tmp_path)


@pytest.mark.anyio
@pytest.mark.parametrize("is_newer", [False, True])
async def test_over_mcp_to_tools_in_process(
    seen: list[object], tmp_path: Path, is_newer: bool
) -> None:
    """In both eras."""
    text = await over_mcp(create_mcp_app(tools()), is_newer=is_newer)

    assert "paid" in text
    assert [ARGUMENTS] == seen
    assert 1 == runs(tmp_path)


@pytest.mark.anyio
@pytest.mark.parametrize("is_newer", [False, True])
@pytest.mark.parametrize("behind", ["older", "newer", "object"])
async def test_over_mcp_to_a_server(
    seen: list[object],
    tmp_path: Path,
    is_newer: bool,
    behind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process of each era, and a server object, for clients of both eras."""
    monkeypatch.setattr(sys.modules[__name__], "SERVER", served())
    is_object = behind == "object"
    source = ModuleSource(__name__, "SERVER") if is_object else command(tmp_path, behind)
    async with open_source(source) as upstream:
        gate = Gate(upstream.tools, upstream.handle_call)
        app = endpoint_of(gate, Settings(allow_execute=True), upstream)
        text = await over_mcp(app, is_newer=is_newer)

    assert "paid" in text
    assert [ARGUMENTS] == seen
    assert 1 == runs(tmp_path)


async def over_stdio(serving: Any, lines: list[bytes]) -> list[Any]:
    """Send lines to what serves a pair of pipes, one after the other's answer."""
    (theirs, to_us), (from_us, ours) = os.pipe(), os.pipe()
    os.set_blocking(theirs, False)
    task = asyncio.create_task(serving((theirs, ours)))
    answers = []
    try:
        for line in lines:
            os.write(to_us, line + b"\n")
            raw = await asyncio.to_thread(os.read, from_us, 1_000_000)
            answers.append(json.loads(raw))
    finally:
        os.close(to_us)
        await asyncio.wait_for(task, PATIENCE_S)
        for each in (theirs, from_us, ours):
            os.close(each)
    return answers


@pytest.mark.anyio
@pytest.mark.parametrize("is_newer", [False, True])
@pytest.mark.parametrize("behind", ["older", "newer", "object", "module"])
async def test_over_stdio(
    seen: list[object],
    tmp_path: Path,
    is_newer: bool,
    behind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first call waits for the list; the second may be forwarded synchronously."""
    monkeypatch.setattr(sys.modules[__name__], "SERVER", served())
    source: Any = {
        "object": ModuleSource(__name__, "SERVER"),
        "module": ModuleSource("tests.serve.mcp.counting", "tools"),
    }.get(behind) or command(tmp_path, behind)
    extra = {"_meta": ENVELOPE} if is_newer else {}
    lines = [message("tools/call", number, **PAY, **extra) for number in (1, 2)]
    lines = lines if is_newer else [initialize(), *lines]
    answers = await over_stdio(lambda streams: serve_mcp_stdio(source, streams=streams), lines)

    assert 2 == sum("paid" in str(each) for each in answers)
    assert [ARGUMENTS, ARGUMENTS] == seen
    assert 2 == runs(tmp_path)


@pytest.mark.anyio
async def test_over_stdio_in_the_canonical_dialect(seen: list[object], tmp_path: Path) -> None:
    """The envelope of its own."""
    params = {"tool": "mcp.tool:pay", "input": ARGUMENTS}
    frame = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    gate = Gate(tools())
    await over_stdio(lambda streams: serve_stdio(gate, streams=streams), [dumped(frame)])

    assert [ARGUMENTS] == seen
    assert 1 == runs(tmp_path)
