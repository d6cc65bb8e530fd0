"""What a server over pipes may send: its memory is bounded, and so is its tool list."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolgauge.contract import Bounds
from toolgauge.upstream import CommandSource, ServerFailed, open_source, process
from toolgauge.upstream.paging import read_pages

ROOT = Path(__file__).parents[2]
SERVER = str(Path(__file__).parent / "hostile_stdio.py")
MAX_MIB = 150


def command(mode: str) -> CommandSource:
    """Give the command of a server."""
    return CommandSource((sys.executable, SERVER, mode))


def outcomes(*names: str) -> dict[str, Any]:
    """Make calls in one process and one session: error, MiB and seconds of each."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.upstream.calling"),
            *names,
            *("--", sys.executable, SERVER, "-"),
        ],
        capture_output=True,
        check=True,
        cwd=ROOT,
        timeout=300,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return dict(zip(names, found, strict=True))


def test_what_a_server_says_unasked_fills_no_memory() -> None:
    """A hundred megabytes of notifications, of answers to nothing, or of text; 200 of stderr."""
    found = outcomes("stderr", "noise", "logs", "progress", "answers", "ok")

    assert [None] * len(found) == [each[0] for each in found.values()]
    assert sum(each[1] for each in found.values()) < MAX_MIB
    assert sum(each[2] for each in found.values()) < 30


def test_an_answer_of_too_many_values_fails_its_call_alone() -> None:
    """The next one has its result."""
    found = outcomes("dense", "ok")

    assert "1,000,000 JSON values" in found["dense"][0]
    assert found["ok"][0] is None
    assert found["dense"][1] < MAX_MIB


def test_a_line_without_an_end_ends_the_server() -> None:
    """Each call that waits for it hears the bound, and so does each later one."""
    found = outcomes("line", "ok")

    assert "33,554,432 bytes" in found["line"][0]
    assert "33,554,432 bytes" in found["ok"][0]
    assert found["line"][1] < MAX_MIB


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mode", "bound"),
    [
        ("pages-of-bytes", "33,554,432 bytes"),
        ("pages-of-values", "1,000,000 JSON values"),
        ("pages-of-tools", "100,000 tools"),
        ("pages", "1000 pages"),
        ("same-cursor", "again"),
    ],
)
async def test_a_list_without_an_end_is_cut_off(mode: str, bound: str) -> None:
    """What was read is kept, and the bound is named."""
    async with open_source(command(mode)) as upstream:
        assert upstream.tools
        assert bound in upstream.problems[-1].message


@pytest.mark.anyio
async def test_a_list_that_takes_too_long_is_cut_off() -> None:
    """Pages that each come in time do not add up without limit."""
    read = 0

    async def page(_: str | None) -> dict[str, Any]:
        nonlocal read
        if read == 2:
            await anyio.sleep_forever()
        read += 1
        return {"tools": [{"name": f"t{read}"}], "nextCursor": str(read)}

    async def never(_: str | None) -> dict[str, Any]:
        await anyio.sleep_forever()
        return {}

    listed = await read_pages(page, 0.2)
    with pytest.raises(TimeoutError) as late:
        await read_pages(never, 0.2)

    assert 2 == len(listed.entries)
    assert listed.is_cut
    assert listed.fault is not None
    assert "within 0.2 s" in listed.fault
    assert (0.2,) == late.value.args


@pytest.mark.anyio
async def test_a_server_that_asks_for_ever_fills_no_memory() -> None:
    """It never answers the handshake, nor reads what it is told."""
    with pytest.raises(ServerFailed) as failed:
        async with open_source(command("asks"), bounds=Bounds(connect_timeout_s=3.0)):
            pass

    assert "within 3 s" in failed.value.reason


def test_the_end_of_stderr_is_all_that_is_kept() -> None:
    """A constant, so that nobody needs to guess."""
    assert 64 * 1024 == process.MAX_TAIL_BYTES
