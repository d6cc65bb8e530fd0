"""A call through the gateway enters few modules of ours: what only passes on is none of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

import toolgauge
from tests.serve.mcp import counting
from tests.serve.mcp.wires import call, initialize
from toolgauge.envelope import LogRecord, Recorder
from toolgauge.serve.mcp import serve_mcp_stdio
from toolgauge.upstream import CommandSource

if TYPE_CHECKING:
    from types import FrameType

pytestmark = pytest.mark.anyio

HOUSE = Path(toolgauge.__file__).parent
PATIENCE_S = 60.0
WARMING = 4


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


class Entered:
    """The modules of the house whose functions run while it watches."""

    def __init__(self) -> None:
        self.modules: Counter[str] = Counter()

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(HOUSE):
            self.modules[path.relative_to(HOUSE).as_posix()] += 1


async def one_call(tmp_path: Path, recorder: Recorder | None) -> Counter[str]:
    """Serve a server over stdio as ``toolgauge stdio`` does, and watch a call that is warm."""
    source = CommandSource((sys.executable, counting.__file__, str(tmp_path / "runs"), "older"))
    (theirs, to_us), (from_us, ours) = os.pipe(), os.pipe()
    os.set_blocking(theirs, False)
    serving = serve_mcp_stdio(source, streams=(theirs, ours), recorder=recorder)
    task = asyncio.create_task(serving)

    async def answered(line: bytes) -> Any:
        os.write(to_us, line + b"\n")
        answer = json.loads(await asyncio.to_thread(os.read, from_us, 1_000_000))
        await asyncio.sleep(0)  # what comes after the answer belongs to it
        return answer

    try:
        await answered(initialize())
        for number in range(WARMING):
            await answered(call("pay", number, key="k", amount=1))
        with Entered() as entered:
            answer = await answered(call("pay", 99, key="k", amount=1))
    finally:
        os.close(to_us)
        await asyncio.wait_for(task, PATIENCE_S)
        for each in (theirs, from_us, ours):
            os.close(each)
    assert "paid" in str(answer)
    return entered.modules


async def test_with_a_log(tmp_path: Path) -> None:
    """From the line of the client to the line of its answer, and of the log."""
    records: list[LogRecord] = []

    def write(record: LogRecord) -> None:
        record.to_line()
        records.append(record)

    modules = await one_call(tmp_path, Recorder(write=write))

    assert WARMING + 2 == len(records)
    assert {"serve/mcp/relay.py", "gate/contract_check.py", "upstream/pipes.py"} <= modules.keys()
    assert len(modules) <= 14, sorted(modules)


async def test_without_a_log(tmp_path: Path) -> None:
    """One fewer."""
    modules = await one_call(tmp_path, None)

    assert len(modules) <= 13, sorted(modules)
