"""Lines over descriptors: any kind of them, whole lines, nothing else on them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from toolgauge import Gate, Tool
from toolgauge.contract import Bounds
from toolgauge.envelope.messages import TOO_LONG
from toolgauge.serve import lines as module
from toolgauge.serve import serve_stdio
from toolgauge.serve.lines import LineReader, LineWriter
from toolgauge.serve.stdio import private_streams, serve_lines
from toolgauge.serve.stopping import stop_on_signals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Give a pipe; what is still open is closed at the end."""
    ends = os.pipe()
    yield ends
    for end in ends:
        close(end)


def close(descriptor: int) -> None:
    """Close a descriptor that may be closed already."""
    try:
        os.close(descriptor)
    except OSError:
        return


async def all_lines(reader: LineReader) -> list[Any]:
    """Read to the end."""
    found: list[Any] = []
    while (line := await reader.next()) is not None:
        found.append(line)
    return found


async def test_lines_come_from_a_pipe(pipe: tuple[int, int]) -> None:
    """Empty ones separate and are none; the last needs no end."""
    os.write(pipe[1], b"a\n\n \r\nb\r\ntoo long a line\nc")
    os.close(pipe[1])

    assert [b"a", b"b\r", TOO_LONG, b"c"] == await all_lines(LineReader(pipe[0], 5))


async def test_lines_come_from_a_regular_file_and_from_nothing(tmp_path: Path) -> None:
    """No event loop waits for these, and none has to."""
    place = tmp_path / "lines"
    place.write_bytes(b"a\nb\n" + b"x" * 200_000)
    for name, expected in ((str(place), [b"a", b"b", TOO_LONG]), (os.devnull, [])):
        descriptor = os.open(name, os.O_RDONLY)
        assert expected == await all_lines(LineReader(descriptor, 100_000))
        os.close(descriptor)


async def test_lines_come_from_a_socket() -> None:
    """As under a supervisor that gives one."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"a\nb\n")
        theirs.shutdown(socket.SHUT_WR)

        assert [b"a", b"b"] == await all_lines(LineReader(ours.fileno(), 10))


async def test_a_loop_that_waits_for_no_descriptors_is_helped_by_a_thread(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows; what goes wrong in the thread is told here."""

    def refuse(*_: object) -> None:
        raise NotImplementedError

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "add_reader", refuse)
    monkeypatch.setattr(loop, "add_writer", refuse)
    await LineWriter(pipe[1]).write(b"a")
    os.close(pipe[1])

    assert [b"a"] == await all_lines(LineReader(pipe[0], 10))
    os.close(pipe[0])
    with pytest.raises(OSError, match="Bad file descriptor"):
        await LineReader(pipe[0], 10).next()


async def test_a_thread_that_comes_too_late_tells_nobody(pipe: tuple[int, int]) -> None:
    """The read was given up meanwhile, or the loop has ended."""
    task = asyncio.create_task(module._in_thread(lambda: os.read(pipe[0], 1)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    threads = [each for each in threading.enumerate() if each.daemon]
    os.write(pipe[1], b"x")
    for thread in threads:
        await anyio.to_thread.run_sync(thread.join, 0.5)


async def test_writes_of_many_tasks_do_not_mix(pipe: tuple[int, int]) -> None:
    """However large they are, and however slowly they are read."""
    writer, sizes = LineWriter(pipe[1]), [1, 5_000, 70_000, 300_000]
    expected = sorted(bytes([65 + place]) * size for place, size in enumerate(sizes))

    async def write_all() -> None:
        async with anyio.create_task_group() as group:
            for line in expected:
                group.start_soon(writer.write, line)
        os.close(pipe[1])

    async with anyio.create_task_group() as group:
        group.start_soon(write_all)
        found = await all_lines(LineReader(pipe[0], 1_000_000))

    assert expected == sorted(found)


async def test_a_write_that_is_given_up_still_ends_its_line(pipe: tuple[int, int]) -> None:
    """Or the next one would stand on it."""
    writer = LineWriter(pipe[1])
    writing = asyncio.create_task(writer.write(b"a" * 300_000))
    await asyncio.sleep(0.01)
    writing.cancel()
    reading = asyncio.create_task(all_lines(LineReader(pipe[0], 1_000_000)))
    with pytest.raises(asyncio.CancelledError):
        await writing
    await writer.write(b"b")
    os.close(pipe[1])

    assert [b"a" * 300_000, b"b"] == await reading


async def test_writes_that_wait_hear_of_a_reader_that_goes(pipe: tuple[int, int]) -> None:
    """Each of them, and whoever gave up waiting is not missed."""
    writer = LineWriter(pipe[1])
    writes = [asyncio.create_task(writer.write(b"a" * 300_000)) for _ in range(3)]
    await asyncio.sleep(0.01)
    writes[1].cancel()
    os.close(pipe[0])

    found = await asyncio.gather(*writes, return_exceptions=True)
    kinds = [type(each) for each in found]
    assert [BrokenPipeError, asyncio.CancelledError, BrokenPipeError] == kinds


async def test_a_reader_that_is_gone_breaks_the_pipe_for_good(pipe: tuple[int, int]) -> None:
    """Nothing is written after half a line."""
    os.close(pipe[0])
    writer = LineWriter(pipe[1])

    for _ in range(2):
        with pytest.raises(BrokenPipeError):
            await writer.write(b"a")


class Served:
    """The loop over two pipes, with an answer of the test's own."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.began = asyncio.Event()
        self.release = asyncio.Event()
        self.at_work = 0
        self.most_at_work = 0
        self.was_cut_short = False

    async def answer(self, line: bytes) -> bytes | None:
        if line == b"raise":
            raise LookupError
        if line == b"cancel":
            asyncio.current_task().cancel()  # type: ignore[union-attr]
            await asyncio.sleep(0)
        if line == b"silent":
            return None
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        self.began.set()
        if line == b"slow":
            await self.release.wait()
        self.at_work -= 1
        return line.upper()

    def cut_short(self) -> None:
        self.was_cut_short = True

    async def run(self, given: int, taken: int, **options: Any) -> None:
        usual: dict[str, Any] = {"max_in_flight": 10, "drain_s": 0.05}
        await serve_lines(
            LineReader(given, 100),
            LineWriter(taken),
            self.answer,
            answer_too_long=lambda: b"TOO LONG",
            stop=self.stop,
            cut_short=self.cut_short,
            **usual | options,
        )
        close(taken)


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """Give two pipes: read and write end of the input, then of the output."""
    ends = (*os.pipe(), *os.pipe())
    yield ends
    for end in ends:
        close(end)


async def test_each_line_is_answered(pipes: tuple[int, int, int, int]) -> None:
    """Unless there is nothing to say, or answering it failed, which is logged."""
    served = Served()
    os.write(pipes[1], b"a\nsilent\nraise\ncancel\n" + b"x" * 200 + b"\nb\n")
    os.close(pipes[1])

    await served.run(pipes[0], pipes[3])

    found = await all_lines(LineReader(pipes[2], 100))
    assert [b"A", b"B", b"TOO LONG"] == sorted(found)


async def test_no_more_lines_are_at_work_than_may_be(pipes: tuple[int, int, int, int]) -> None:
    """The others wait to be read."""
    served = Served()
    os.write(pipes[1], b"slow\n" * 9)
    os.close(pipes[1])
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: served.run(pipes[0], pipes[3], max_in_flight=3))
        await served.began.wait()
        served.release.set()

    assert 3 == served.most_at_work
    assert 9 == len(await all_lines(LineReader(pipes[2], 100)))


@pytest.mark.parametrize("ends_first", [True, False])
async def test_when_it_is_to_stop_what_is_at_work_is_cut_short(
    pipes: tuple[int, int, int, int], ends_first: bool
) -> None:
    """After its time; also where the input has ended before."""
    served = Served()
    os.write(pipes[1], b"slow\n")
    if ends_first:
        os.close(pipes[1])
    async with anyio.create_task_group() as group:
        group.start_soon(served.run, pipes[0], pipes[3])
        await served.began.wait()
        served.stop.set()

    assert served.was_cut_short
    assert [] == await all_lines(LineReader(pipes[2], 100))


async def test_when_it_is_to_stop_what_ends_in_time_is_answered(
    pipes: tuple[int, int, int, int],
) -> None:
    """And nothing is cut short."""
    served = Served()
    os.write(pipes[1], b"slow\n")
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: served.run(pipes[0], pipes[3], drain_s=10))
        await served.began.wait()
        served.stop.set()
        served.release.set()

    assert not served.was_cut_short
    assert [b"SLOW"] == await all_lines(LineReader(pipes[2], 100))


async def test_it_ends_when_nobody_reads_the_answers(pipes: tuple[int, int, int, int]) -> None:
    """What is still at work is given up."""
    served = Served()
    os.close(pipes[2])
    os.write(pipes[1], b"slow\na\n")

    with anyio.fail_after(5):
        await served.run(pipes[0], pipes[3])


async def test_the_end_of_one_line_is_not_that_of_the_others(
    pipes: tuple[int, int, int, int],
) -> None:
    """Not even where its code cancels its own task, or exits."""
    served = Served()
    os.write(pipes[1], b"slow\ncancel\n")
    async with anyio.create_task_group() as group:
        group.start_soon(served.run, pipes[0], pipes[3])
        await served.began.wait()
        os.write(pipes[1], b"a\n")
        assert b"A" == await LineReader(pipes[2], 100).next()
        served.release.set()
        os.close(pipes[1])

    assert [b"SLOW"] == await all_lines(LineReader(pipes[2], 100))


def exits(_: Any) -> Any:
    """End the program."""
    raise SystemExit(2)


def echo(args: Any) -> Any:
    """Give the arguments back."""
    return args


CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"tool": "mcp.tool:echo", "input": {"a": 1}},
}


async def test_a_gate_is_served_over_the_processs_own_streams(
    pipes: tuple[int, int, int, int],
) -> None:
    """Which are as before afterwards."""
    crash = CALL | {"id": 2, "params": {"tool": "mcp.tool:exits", "input": {}}}
    lines = [json.dumps(crash), json.dumps(CALL), "x" * 2_000, ""]
    os.write(pipes[1], "\n".join(lines).encode())
    os.close(pipes[1])
    before = os.dup(0), os.dup(1)
    os.dup2(pipes[0], 0)
    os.dup2(pipes[3], 1)
    try:
        tools = [Tool(name="echo", handler=echo), Tool(name="exits", handler=exits)]
        gate = Gate(tools, bounds=Bounds(max_body_bytes=1_000))
        await serve_stdio(gate)
        assert os.fstat(1).st_ino == os.fstat(pipes[3]).st_ino
    finally:
        for number, descriptor in enumerate(before):
            os.dup2(descriptor, number)
            os.close(descriptor)
    os.close(pipes[3])

    found = [json.loads(line) for line in await all_lines(LineReader(pipes[2], 10_000))]
    assert {None, 1, 2} == {each["id"] for each in found}
    assert 3 == len(found)


def test_private_streams_are_given_back(pipes: tuple[int, int, int, int]) -> None:
    """What is printed meanwhile does not reach them."""
    before = os.dup(1)
    os.dup2(pipes[3], 1)
    try:
        with private_streams() as (_, ours):
            os.write(1, b"to standard error\n")
            os.write(ours, b"message\n")
        os.write(1, b"after\n")
    finally:
        os.dup2(before, 1)
        os.close(before)

    assert b"message\nafter\n" == os.read(pipes[2], 100)


async def test_a_signal_sets_the_event_and_is_raised_again() -> None:
    """For whoever handled it before."""
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with stop_on_signals() as stop:
            signal.raise_signal(signal.SIGTERM)
            await asyncio.wait_for(stop.wait(), 5)
            assert [] == heard
    finally:
        signal.signal(signal.SIGTERM, before)

    assert [signal.SIGTERM] == heard


async def test_outside_of_the_main_thread_there_are_no_signals() -> None:
    """Python takes none there."""

    async def inside() -> bool:
        with stop_on_signals() as stop:
            return stop.is_set()

    assert not await anyio.to_thread.run_sync(lambda: asyncio.run(inside()))
