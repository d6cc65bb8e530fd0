"""What the gate costs in front of an MCP server, and what ``/mcp`` serves by itself.

    python bench/gateway.py [--quick] [--rounds N] [--seconds S] [--json FILE]

Latency: the official SDK's client calls a server over stdio directly and through
``toolgauge stdio``, in turn, so that whatever else the machine does falls on both.
Throughput: one tool in process over HTTP, against the official SDK's server and
FastMCP, each without sessions and with JSON answers where it has them. Linux only.
"""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, and holds names of the standard library.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import argparse
import asyncio
import importlib.util
import json
import shutil
import statistics
import subprocess
import time
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Any, Self

from bench import _load, _table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.client.session import ClientSession

ROOT = Path(__file__).resolve().parent.parent
CONNECTIONS = 16
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"

STDIO: dict[str, tuple[str, dict[str, Any]]] = {
    "small SDK server": ("add", {"a": 1, "b": 2}),
    "mcp-server-time": ("get_current_time", {"timezone": "UTC"}),
    "server-everything": ("echo", {"message": "hello"}),
}


def command_of(server: str) -> list[str] | None:
    """Give the command of a server; ``None`` where it is not installed."""
    if server == "small SDK server":
        return [sys.executable, "-m", "bench._gateway_server", "stdio"]
    if server == "mcp-server-time":
        return [sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"]
    beside = Path(sys.executable).parent / "node"
    node = str(beside) if beside.exists() else shutil.which("node")
    found = sorted((ROOT / ".pytest_cache" / "d" / "server-everything").glob(f"*/{EVERYTHING}"))
    return [node, str(found[-1]), "stdio"] if node and found else None


async def connected(stack: AsyncExitStack, command: Sequence[str]) -> ClientSession:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    params = StdioServerParameters(command=command[0], args=list(command[1:]), cwd=str(ROOT))
    nowhere = stack.enter_context(Path("/dev/null").open("w"))  # noqa: ASYNC230, SIM115 - the stack closes it
    streams = await stack.enter_async_context(stdio_client(params, errlog=nowhere))
    session = await stack.enter_async_context(ClientSession(*streams))
    await session.initialize()
    return session


async def measure_stdio(server: str, command: Sequence[str], calls: int) -> dict[str, Any]:
    """Call directly and through the gateway, in turn; with and without a log."""
    name, arguments = STDIO[server]
    gateway = [sys.executable, "-m", "toolgauge", "stdio", "--no-log", "--", *command]
    times: dict[str, list[float]] = {"direct": [], "gateway": []}
    async with AsyncExitStack() as stack:
        sessions = {
            "direct": await connected(stack, command),
            "gateway": await connected(stack, gateway),
        }
        for session in sessions.values():
            await session.list_tools()
            found = await session.call_tool(name, arguments)
            assert not found.is_error, found
        for place in range(calls + 20):
            for kind, session in sessions.items():
                began = time.perf_counter()
                await session.call_tool(name, arguments)
                if place >= 20:
                    times[kind].append(time.perf_counter() - began)
    return {
        "server": server,
        "direct_s": statistics.median(times["direct"]),
        "gateway_s": statistics.median(times["gateway"]),
    }


class Process:
    """One of our processes that is told things by line."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def tell(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a process of the benchmark died; its error is above")
        return json.loads(line)


def request_of() -> bytes:
    """One call as a client without a session sends it."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "add", "arguments": {"a": 1, "b": 2}},
    }
    request = _load.request_bytes("/mcp", json.dumps(body, separators=(",", ":")).encode())
    head = b"accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\n"
    return request.replace(b"accept: */*\r\n", head)


def measure_http(peers: Sequence[str], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Drive all servers in turn, each round in another order."""
    spec = {
        "http": "httptools" if importlib.util.find_spec("httptools") else "h11",
        "loop": "uvloop" if importlib.util.find_spec("uvloop") else "asyncio",
    }
    request = request_of()
    results: dict[str, list[dict[str, float]]] = {peer: [] for peer in peers}
    with ExitStack() as stack:
        load = stack.enter_context(Process("bench._load"))
        servers = {
            peer: stack.enter_context(Process("bench._gateway_server", "http", peer))
            for peer in peers
        }
        ports = {}
        for peer, server in servers.items():
            server.tell(spec)
            ports[peer] = server.hear()
        for peer in peers:
            status, body = answered(ports[peer], request)
            assert status == 200, (peer, status, body)
            text = json.loads(body)["result"]["content"][0]["text"]
            assert (status, text) == (200, "3"), (peer, status, body)
        for round_ in range(options.rounds):
            for peer in peers if round_ % 2 else reversed(peers):
                order = {
                    "port": ports[peer],
                    "pid": servers[peer].pid,
                    "request": request.decode("latin-1"),
                    "connections": CONNECTIONS,
                    "seconds": options.seconds,
                }
                load.tell(order)
                results[peer].append(load.hear())
    return [
        {
            "server": peer,
            "per_second": statistics.median(each["per_second"] for each in rounds),
            "cpu_per_request": statistics.median(each["cpu_per_request"] for each in rounds),
        }
        for peer, rounds in results.items()
    ]


def answered(port: int, request: bytes) -> tuple[int, bytes]:
    """Ask until the server has started."""
    for _ in range(200):
        try:
            return _load.ask(port, request)
        except ConnectionError:
            time.sleep(0.05)
    raise SystemExit("a server of the benchmark does not answer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few calls, short rounds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds, options.calls = 1, 0.3, 20
    libraries = ("toolgauge", "mcp", "fastmcp", "uvicorn")
    print(_table.machine(libraries))
    print(f"load average before: {_table.load_average()}")

    stdio = []
    for server in STDIO:
        command = command_of(server)
        if command is None:
            print(f"{server} is not installed; the tests install it")
            continue
        stdio.append(asyncio.run(measure_stdio(server, command, options.calls)))
    _table.print_table(
        "One call over stdio, median, official client",
        ("server", "direct", "through the gateway", "ratio"),
        [
            (
                each["server"],
                f"{each['direct_s'] * 1e3:.2f} ms",
                f"{each['gateway_s'] * 1e3:.2f} ms",
                _table.ratio(each["gateway_s"] / each["direct_s"]),
            )
            for each in stdio
        ],
    )

    peers = ["ours", "sdk"] + (["fastmcp"] if importlib.util.find_spec("fastmcp") else [])
    http = measure_http(peers, options)
    rates = {each["server"]: each["per_second"] for each in http}
    _table.print_table(
        f"One tool in process over HTTP, {CONNECTIONS} connections",
        ("server", "calls per second", "server CPU per call", "ours is"),
        [
            (
                each["server"],
                f"{each['per_second']:,.0f}",
                f"{each['cpu_per_request'] * 1e6:.0f} µs",
                _table.ratio(rates["ours"] / each["per_second"]),
            )
            for each in http
        ],
    )
    worst = max(each["gateway_s"] / each["direct_s"] for each in stdio)
    targets = [
        _table.target("a call through the gateway, of a direct one", worst, 2, at_least=False),
        _table.target(
            "calls/s, of the SDK's MCPServer", rates["ours"] / rates["sdk"], 3, at_least=True
        ),
    ]
    if "fastmcp" in rates:
        ratio = rates["ours"] / rates["fastmcp"]
        targets.append(_table.target("calls/s, of FastMCP", ratio, 2, at_least=True))
    _table.print_targets(targets)
    report = {"machine": _table.machine(libraries), "stdio": stdio, "http": http}
    _table.write_json(options.json, {**report, "targets": targets})


if __name__ == "__main__":
    main()
