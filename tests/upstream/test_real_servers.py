from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import pytest

from toolgauge.contract.bounds import Bounds
from toolgauge.contract.results import CallResult
from toolgauge.gate import Gate
from toolgauge.upstream import CommandSource, ServerFailed, UrlSource, open_source

pytestmark = pytest.mark.anyio

SLOW_START = Bounds(connect_timeout_s=60.0)


@asynccontextmanager
async def serving(everything: tuple[str, str], mode: str) -> AsyncIterator[tuple[str, int]]:
    """Run the example server over HTTP; give its origin and its process group."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(  # noqa: ASYNC220 - it does not block
        [*everything, mode],
        env={**os.environ, "PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # node may run behind a launcher: end both
    )
    try:
        with anyio.fail_after(30):
            while not await _accepts(port):  # noqa: ASYNC110 - another process tells nothing
                await anyio.sleep(0.02)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


async def _accepts(port: int) -> bool:
    """Ask whether something listens."""
    try:
        stream = await anyio.connect_tcp("127.0.0.1", port)
    except OSError:
        return False
    await stream.aclose()
    return True


async def test_mcp_server_time_is_listed_and_called() -> None:
    """The reference server from PyPI, over stdio."""
    command = CommandSource((sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"))
    async with open_source(command, bounds=SLOW_START) as upstream:
        assert upstream.handle_call is not None
        good = await upstream.handle_call("get_current_time", {"timezone": "UTC"})
        bad = await upstream.handle_call("get_current_time", {"timezone": "Mars/Olympus"})
        unknown = await upstream.handle_call("no_such_tool", {})

        assert {"get_current_time", "convert_time"} == {tool["name"] for tool in upstream.tools}
        assert all("inputSchema" in tool for tool in upstream.tools)
        assert () == upstream.problems
        assert isinstance(good, CallResult)
        assert isinstance(bad, CallResult)
        assert isinstance(unknown, CallResult)
        assert "UTC" == json.loads(good.content[0]["text"])["timezone"]
        assert not good.is_error
        assert bad.is_error
        assert unknown.is_error


async def test_real_servers_stand_behind_the_gate(everything: tuple[str, str]) -> None:
    """List, validate, call: broken arguments stop at the gate, good ones arrive."""
    time = CommandSource((sys.executable, "-m", "mcp_server_time"))
    async with open_source(time, bounds=SLOW_START) as upstream:
        gate = Gate(upstream.tools, upstream.handle_call)
        refused = await gate.call("get_current_time", {"timezone": 5})

        assert [("/timezone", "required")] == [
            (issue.pointer, issue.keyword) for issue in gate.validate("get_current_time", {})
        ]
        assert ["type"] == [issue.keyword for issue in refused.issues]
        assert not (await gate.call("get_current_time", {"timezone": "UTC"})).is_error
    async with open_source(CommandSource((*everything, "stdio")), bounds=SLOW_START) as upstream:
        gate = Gate(upstream.tools, upstream.handle_call)
        summed = await gate.call("get-sum", {"a": 2, "b": 40})

        assert {"/a", "/b"} == {issue.pointer for issue in gate.validate("get-sum", {"a": "2"})}
        assert "42" in summed.content[0]["text"]


async def test_server_everything_is_listed_and_called_over_stdio(
    everything: tuple[str, str],
) -> None:
    """The reference server from npm: another SDK, the older era."""
    async with open_source(CommandSource((*everything, "stdio")), bounds=SLOW_START) as upstream:
        assert upstream.handle_call is not None
        echoed = await upstream.handle_call("echo", {"message": "héllo ★"})

        assert {"echo", "get-sum"} <= {tool["name"] for tool in upstream.tools}
        assert isinstance(echoed, CallResult)
        assert [{"type": "text", "text": "Echo: héllo ★"}] == list(echoed.content)


@pytest.mark.parametrize(("mode", "path"), [("streamableHttp", "mcp"), ("sse", "sse")])
async def test_server_everything_is_listed_and_called_over_http(
    everything: tuple[str, str], mode: str, path: str
) -> None:
    """Both HTTP transports; structured content arrives."""
    async with serving(everything, mode) as (origin, _):
        url = f"{origin}/{path}?token=urlsecret999"
        async with open_source(UrlSource(url), bounds=SLOW_START) as upstream:
            assert upstream.handle_call is not None
            where = {"location": "Chicago"}
            weather = await upstream.handle_call("get-structured-content", where)

            assert isinstance(weather, CallResult)
            assert weather.structured["temperature"] == 36
            assert f"{origin}/{path}" == upstream.label


@pytest.mark.parametrize(("mode", "path"), [("streamableHttp", "mcp"), ("sse", "sse")])
async def test_a_url_server_that_dies_fails_calls_at_once(
    everything: tuple[str, str], mode: str, path: str
) -> None:
    """The connection's context survives, so a web page in front of it does too."""
    async with (
        serving(everything, mode) as (origin, group),
        open_source(UrlSource(f"{origin}/{path}"), bounds=SLOW_START) as upstream,
    ):
        assert upstream.handle_call is not None
        os.killpg(group, signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(ServerFailed):
                await upstream.handle_call("echo", {"message": "x"})
