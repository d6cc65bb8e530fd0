"""The ways in and out that the other tests do not take by themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

import toolgauge.serve.mcp as room
from tests.cli.conftest import program
from tests.serve.mcp.wires import call, initialize, message, open_mcp_stdio
from toolgauge.contract import Bounds
from toolgauge.upstream import (
    CommandSource,
    RequestRefused,
    ServerFailed,
    UrlSource,
    messages,
    pipes,
    streams,
)
from toolgauge.upstream.peer import conversing

if TYPE_CHECKING:
    from toolgauge.upstream.peer import Dial, Wire

pytestmark = pytest.mark.anyio

UPSTREAM = str(Path(__file__).parent / "upstream.py")
SHOUTING = "print('hello'); print('{'); print('[1]'); print(); import time; time.sleep(60)"


class Deaf:
    """Hears nothing."""

    async def asked(self, method: str, params: Any) -> Any:
        raise RequestRefused(-32601, method)

    async def told(self, method: str, params: Any) -> None:
        return


@pytest.fixture(params=[True, False], ids=["pipes", "streams"])
def has_pipes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Use pipes of our own, and the event loop's, as where there is no other way."""
    monkeypatch.setattr(pipes, "HAS_PIPES", request.param)
    return bool(request.param)


def dial(*words: str) -> Dial:
    """Make a dial of a Python program."""
    return pipes.dial_command(CommandSource((sys.executable, *words)), {})


async def test_a_process_is_spoken_to(has_pipes: bool) -> None:
    """Requests, refusals, large messages, and the end of it."""
    async with dial(UPSTREAM)() as wire, conversing(wire, Deaf()) as peer:
        arguments = {"n": 1, "blob": "x" * 3_000_000}
        params = {"name": "twice", "arguments": arguments}
        result = await peer.request(peer.next_id(), "tools/call", params)
        with pytest.raises(RequestRefused) as refused:
            await peer.request(peer.next_id(), "tools/call", {"name": "refuse"})
        with pytest.raises(ServerFailed) as failed:
            await peer.request(peer.next_id(), "tools/call", {"name": "die"})
        with pytest.raises(ServerFailed):
            await peer.request(peer.next_id(), "ping", None)
        await peer.notify("notifications/odd", None)

    assert {"n": 2} == result["structuredContent"]
    assert (-32050, [1]) == (refused.value.code, refused.value.data)
    assert "exit code 7" in failed.value.reason


async def test_noise_is_skipped_and_told(has_pipes: bool) -> None:
    """What is no message is not an answer."""
    async with dial("-u", "-c", SHOUTING)() as wire, conversing(wire, Deaf()) as peer:
        with anyio.move_on_after(5):
            while not wire.output.noise:  # type: ignore[attr-defined]  # noqa: ASYNC110 - another process tells nothing
                await anyio.sleep(0.01)
        told = await peer.late("is late")

    assert "'hello'" in str(told)


async def test_a_line_without_an_end_is_cut_off(
    has_pipes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is gone then, and the reason is told."""
    endless = "import sys\nwhile True: sys.stdout.write('x' * 100000)"
    monkeypatch.setattr(messages, "MAX_LINE_BYTES", 1_000)
    async with dial("-c", endless)() as wire:
        with pytest.raises(ServerFailed) as failed:
            await wire.receive()

    assert "too long" in failed.value.reason


async def test_a_server_that_reads_no_more_is_gone(has_pipes: bool) -> None:
    """Whoever writes to it hears of it."""

    async def fill(wire: Wire) -> None:
        while True:
            await wire.send({"jsonrpc": "2.0", "method": "x", "params": {"x": "y" * 100_000}})
            await anyio.sleep(0.01)

    async with dial("-c", "import os, sys; os.close(0); sys.exit(3)")() as wire:
        with anyio.fail_after(20), pytest.raises(ServerFailed):
            await fill(wire)


async def test_a_url_that_nobody_answers_is_told() -> None:
    """Without the URL's own secrets."""
    url = UrlSource("http://127.0.0.1:9/mcp?token=urlsecret999")
    opening = streams.dial_url(url, Bounds(connect_timeout_s=2.0), {})
    async with opening() as wire, conversing(wire, Deaf()) as peer:
        with pytest.raises(RequestRefused) as refused:
            await peer.request(peer.next_id(), "initialize", {})

    assert "could not be reached" in refused.value.message
    assert "urlsecret999" not in refused.value.message


def test_messages_may_come_from_a_file(tmp_path: Path) -> None:
    """No event loop waits for a file."""
    lines = [initialize(), call("echo", 1), b"junk", call("hang", 2), message("ping", 3)]
    taken_back = message("notifications/cancelled", requestId=2)
    source = tmp_path / "messages.jsonl"
    source.write_bytes(b"\n".join([*lines, taken_back]) + b"\n")
    with source.open("rb") as stdin:
        done = subprocess.run(
            program("stdio", "tests.envelope.specimens:tools", "--no-log"),
            stdin=stdin,
            capture_output=True,
            check=False,
            cwd=Path(__file__).parents[3],
            timeout=60,
        )

    assert 0 == done.returncode
    assert 4 == len(done.stdout.splitlines())


def test_a_client_that_stops_reading_ends_the_gateway(tmp_path: Path) -> None:
    """Quietly."""
    with open_mcp_stdio(tmp_path) as stdio:
        stdio.asked(call("echo"))
        assert stdio.process.stdout is not None
        stdio.stdin.close()
        stdio.process.wait(10)

    assert 0 == stdio.process.returncode


def test_the_public_names_are_sorted_and_there() -> None:
    """What ``__all__`` lists exists."""
    assert sorted(room.__all__) == room.__all__
    assert all(hasattr(room, name) for name in room.__all__)
