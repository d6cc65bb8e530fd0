"""The line loop of the gateway: each line is handled once, whatever handling it does."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.envelope.transports import PATIENCE_S
from tests.serve.mcp.test_each_call_once import runs_in, source
from tests.serve.mcp.wires import call, initialize, open_mcp_stdio
from toolgauge.serve.lines import LineWriter
from toolgauge.serve.mcp.stdio_lines import LineLoop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


class Now:
    """Handles each line synchronously, and remembers it."""

    def __init__(self) -> None:
        self.handled: list[bytes] = []
        self.at_work = 0
        self.is_asking = False
        self.on: Callable[[bytes], None] = lambda _: None

    def answer_at_once(self, line: bytes) -> bool:
        self.handled.append(line)
        self.on(line)
        return True

    async def answer(self, line: bytes) -> bytes | None:
        return line

    def answer_too_long(self) -> bytes:
        return b"too long"

    def end(self) -> None:
        return

    def cut_short(self) -> None:
        self.at_work = 0


@asynccontextmanager
async def loop_of(lines: Now, max_in_flight: int = 2) -> AsyncIterator[tuple[int, LineLoop]]:
    """Give where to write to a loop, and the loop."""
    (theirs, to_loop), (from_loop, ours) = os.pipe(), os.pipe()
    os.set_blocking(theirs, False)
    loop = LineLoop(theirs, LineWriter(ours), lines, max_bytes=100, max_in_flight=max_in_flight)
    assert loop.start()
    try:
        yield to_loop, loop
    finally:
        for each in (theirs, from_loop, ours):
            os.close(each)


async def run(loop: LineLoop) -> None:
    """Run to the end of the input."""
    await asyncio.wait_for(loop.run(asyncio.Event(), 0.1), PATIENCE_S)


@pytest.mark.anyio
@pytest.mark.parametrize("bad", [b"first", b"second", b"third"])
async def test_a_line_that_raises_costs_itself_alone(bad: bytes) -> None:
    """It is not handled again, and neither is any other."""
    lines = Now()

    def on(line: bytes) -> None:
        if line == bad:
            raise RuntimeError("broken")

    lines.on = on
    async with loop_of(lines) as (to_loop, loop):
        os.write(to_loop, b"first\nsecond\nthird\n")
        os.close(to_loop)
        await run(loop)

    assert [b"first", b"second", b"third"] == lines.handled


@pytest.mark.anyio
async def test_what_a_line_settles_does_not_handle_others_again() -> None:
    """A cancellation settles a call while its own line is handled."""
    lines = Now()
    async with loop_of(lines) as (to_loop, loop):
        lines.on = lambda _: loop.settled()
        os.write(to_loop, b"".join(b"%d\n" % number for number in range(50)))
        os.close(to_loop)
        await run(loop)

    assert [b"%d" % number for number in range(50)] == lines.handled


@pytest.mark.anyio
async def test_lines_past_the_bound_are_handled_after_the_end_of_the_input() -> None:
    """Also the last one, which has no end of line."""
    lines = Now()

    def on(_: bytes) -> None:
        lines.at_work += 1
        asyncio.get_running_loop().call_soon(leave)

    async with loop_of(lines, 1) as (to_loop, loop):

        def leave() -> None:
            lines.at_work -= 1
            loop.settled()

        lines.on = on
        os.write(to_loop, b"one\ntwo\nthree")
        os.close(to_loop)
        await run(loop)

    assert [b"one", b"two", b"three"] == lines.handled


@pytest.mark.anyio
async def test_a_question_to_the_client_keeps_the_loop_reading() -> None:
    """Its answer is a line, and may stand behind the bound."""
    lines = Now()

    def on(line: bytes) -> None:
        if line == b"answer":
            lines.at_work, lines.is_asking = 0, False
            loop.settled()
        elif line == b"call":
            lines.at_work += 1
            asyncio.get_running_loop().call_soon(ask)

    def ask() -> None:
        lines.is_asking = True
        loop.settled()

    async with loop_of(lines, 1) as (to_loop, loop):
        lines.on = on
        os.write(to_loop, b"call\nnext\nanswer\n")
        os.close(to_loop)
        await run(loop)

    assert [b"call", b"next", b"answer"] == lines.handled


@pytest.mark.parametrize("era", ["older", None])
def test_calls_beyond_the_limit_wait(
    era: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client may write as many as it likes at a time; each is answered, and runs once."""
    monkeypatch.setenv("COUNTING_FILE", str(tmp_path / "runs"))
    count, answers = 3_000, list[Any]()
    with open_mcp_stdio(tmp_path, *source(tmp_path / "runs", era)) as stdio:
        stdio.asked(initialize())
        stdio.send(
            b"".join(call("pay", n, key=str(n), amount=1) + b"\n" for n in range(1, count + 1))
        )
        answers = stdio.rest()

    assert list(range(1, count + 1)) == sorted(each["id"] for each in answers)
    assert all("result" in each and not each["result"].get("isError") for each in answers)
    assert {1} == set(runs_in(tmp_path / "runs").values())
    assert count == len(runs_in(tmp_path / "runs"))
