"""Clients that hang up, do not read, or come to an endpoint that cannot start."""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import pytest
from mcp.shared.exceptions import MCPError

from tests.serve.mcp.wires import call, message
from toolgauge.contract import Tool
from toolgauge.serve.lines import LineWriter
from toolgauge.serve.mcp import backends, create_mcp_app
from toolgauge.serve.mcp.backends import OutboundCaller
from toolgauge.serve.mcp.stdio_lines import LineLoop
from toolgauge.upstream import RequestRefused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


class Channel:
    """One of the SDK's channels to a client that does as it is told here."""

    def __init__(self, *, is_reading: bool) -> None:
        self._is_reading = is_reading
        self.heard: list[str] = []

    async def send_raw_request(self, method: str, params: Any, opts: Any = None) -> Any:
        raise MCPError(code=-1, message=method, data={"params": params, "opts": opts})

    async def notify(self, method: str, params: Any, opts: Any = None) -> None:
        del params, opts
        if not self._is_reading:
            await anyio.sleep_forever()
        self.heard.append(method)


async def test_a_client_that_does_not_read_holds_its_server_up_for_a_while_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Then the message is dropped, and that is logged."""
    monkeypatch.setattr(backends, "_SLOW_S", 0.01)
    reading, deaf = Channel(is_reading=True), Channel(is_reading=False)
    await OutboundCaller(reading).tell("notifications/message", {})
    await OutboundCaller(deaf).tell("notifications/message", {})

    assert ["notifications/message"] == reading.heard
    assert [] == deaf.heard
    assert 1 == caplog.text.count("does not read")


async def test_what_a_client_refuses_is_refused_in_its_own_words() -> None:
    """Code, message and data are the client's."""
    with pytest.raises(RequestRefused) as caught:
        await OutboundCaller(Channel(is_reading=True)).ask("roots/list", None)

    assert (-1, "roots/list") == (caught.value.code, caught.value.message)
    assert {"params": None, "opts": None} == caught.value.data


def scope_of(body: bytes) -> dict[str, Any]:
    """Give the scope of a POST."""
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    headers.append((b"content-length", b"%d" % len(body)))
    return {"type": "http", "method": "POST", "path": "/", "headers": headers}


async def test_a_call_ends_when_its_client_hangs_up() -> None:
    """Nothing is sent to nobody, and the handler is cancelled."""
    ended = anyio.Event()

    async def slow(_: object) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    body, sent = call("slow"), list[Any]()
    waiting = [{"type": "http.disconnect"}, {"type": "http.request", "body": body}]

    async def receive() -> Any:
        return waiting.pop()

    async def send(found: Any) -> None:
        sent.append(found)

    app = create_mcp_app([Tool(name="slow", handler=slow)])
    async with app.running():
        await app(scope_of(body), receive, send)

        assert ended.is_set()
    assert [] == sent


async def test_an_endpoint_that_cannot_start_says_so_each_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An internal error, without the reason, which is logged."""

    def failing() -> NoReturn:
        raise RuntimeError("secret-of-the-server")

    app = create_mcp_app([Tool(name="a", handler=str)])
    monkeypatch.setattr(app._backend, "running", failing)
    body, sent = message("ping", 1), list[Any]()

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(found: Any) -> None:
        sent.append(found)

    for _ in range(2):
        await app(scope_of(body), receive, send)

    assert [500, 500] == [each["status"] for each in sent if "status" in each]
    assert "secret" not in str(sent)
    assert "secret-of-the-server" in caplog.text


async def test_what_fails_after_the_answer_has_begun_is_logged_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A second answer would break the connection."""
    body, sent = message("ping", 1), list[Any]()

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(found: Any) -> None:
        sent.append(found)
        if found["type"] == "http.response.body":
            raise RuntimeError("broken")

    app = create_mcp_app([Tool(name="a", handler=str)])
    async with app.running():
        await app(scope_of(body), receive, send)

    assert 2 == len(sent)
    assert "once it was answered" in caplog.text


class Echo:
    """Answers lines with themselves; some of them fail, some wait."""

    at_work = 0
    is_asking = False

    def __init__(self) -> None:
        self.has_ended = False
        self.was_cut = asyncio.Event()

    def answer_at_once(self, line: bytes) -> bool:
        del line
        return False

    async def answer(self, line: bytes) -> bytes | None:
        if line == b"fail":
            raise RuntimeError("broken")
        if line == b"wait":
            await self.was_cut.wait()
        return None if line == b"quiet" else line

    def answer_too_long(self) -> bytes:
        return b"too long"

    def end(self) -> None:
        self.has_ended = True

    def cut_short(self) -> None:
        self.was_cut.set()


@asynccontextmanager
async def loop_of(lines: Echo) -> AsyncIterator[tuple[int, int, LineLoop]]:
    """Give where to write to a loop, where to read from it, and the loop."""
    (theirs, to_loop), (from_loop, ours) = os.pipe(), os.pipe()
    os.set_blocking(theirs, False)
    try:
        loop = LineLoop(theirs, LineWriter(ours), lines, max_bytes=100, max_in_flight=2)
        assert loop.start()
        yield to_loop, from_loop, loop
    finally:
        for each in (theirs, to_loop, from_loop, ours):
            try:
                os.close(each)
            except OSError:
                continue


async def test_a_line_whose_answer_fails_does_not_stop_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Lines past the bound in flight wait, and all that can be answered is."""
    lines = Echo()
    async with loop_of(lines) as (to_loop, from_loop, loop):
        os.write(to_loop, b"fail\nquiet\n\n" + b"x" * 200 + b"\none\ntwo\nthree\nfour")
        os.close(to_loop)
        await loop.run(asyncio.Event(), 1.0)
        found = os.read(from_loop, 1000).splitlines()

    assert [b"four", b"one", b"three", b"too long", b"two"] == sorted(found)
    assert lines.has_ended
    assert "a message failed" in caplog.text


async def test_what_is_at_work_at_the_end_is_cut_short() -> None:
    """Once the time for it is over; it is answered all the same."""
    lines, stop = Echo(), asyncio.Event()
    async with loop_of(lines) as (to_loop, from_loop, loop):
        os.write(to_loop, b"wait\nwait\nthird\n")
        running = asyncio.create_task(loop.run(stop, 0.05))
        await asyncio.sleep(0)
        stop.set()
        await running
        found = os.read(from_loop, 1000).splitlines()

    assert b"wait" in found


async def test_a_client_that_closes_its_end_of_our_output_ends_the_loop(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Quietly: there is nobody to tell."""
    caplog.set_level(logging.INFO)
    async with loop_of(Echo()) as (to_loop, from_loop, loop):
        os.close(from_loop)
        os.write(to_loop, b"one\n" + b"x" * 200 + b"\n")
        await loop.run(asyncio.Event(), 1.0)

    assert "the client is gone" in caplog.text


async def test_a_file_cannot_be_waited_for(tmp_path: Path) -> None:
    """It is read in another way."""
    path = tmp_path / "lines"
    path.write_bytes(b"one\n")
    with path.open("rb") as file:
        loop = LineLoop(file.fileno(), LineWriter(1), Echo(), max_bytes=100, max_in_flight=1)

        assert loop.start() is False
