"""No call reaches a tool unless it was validated, and none runs twice, whatever is sent.

A tool counts its runs behind every kind of transport, while generated clients send good
frames and bad ones, cut and joined anywhere. ``TOOLGAUGE_LONG=1`` runs over 20,000
sequences; the usual run is short, of a fixed seed.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Self

import httpx2
import pytest

from tests.envelope.transports import Stdio, open_http, start
from tests.profile import IS_LONG
from tests.serve.mcp.frames import ENVELOPE, Sequences, cut, dumped
from tests.serve.mcp.wires import HEADERS

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = range(8 if IS_LONG else 1)
SEQUENCES = 250 if IS_LONG else 40
AT_ONCE = 8
EXIT_S = 5.0
PATIENCE_S = 120.0
LOCAL = ("tests.serve.mcp.counting:tools",)
WAYS = {
    "older server": ("mcp", False, "older"),
    "newer server": ("mcp", False, "newer"),
    "older server, newer client": ("mcp", True, "older"),
    "newer server, newer client": ("mcp", True, "newer"),
    "local": ("mcp", False, None),
    "local, newer client": ("mcp", True, None),
    "canonical": ("canonical", False, None),
}


def source(file: Path, era: str | None) -> tuple[str, ...]:
    """Give the source whose one tool counts."""
    if era is None:
        return LOCAL
    return ("--", sys.executable, "-m", "tests.serve.mcp.counting", str(file), era)


def runs_in(file: Path) -> Counter[str]:
    """Read which calls ran, and how often."""
    if not file.exists():
        return Counter()
    return Counter(map(json.loads, file.read_text("utf-8").splitlines()))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_over_stdio(
    way: tuple[str, bool, str | None], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answered success ran once, all else never, and the end comes with the input's."""
    dialect, is_newer, era = way
    chooses = random.Random(f"stdio {way} {seed}")
    made = Sequences(chooses, dialect, is_newer=is_newer)
    file = tmp_path / "runs"
    monkeypatch.setenv("COUNTING_FILE", str(file))
    with (tmp_path / "stderr").open("wb") as stderr:
        words = ("--dialect", dialect, *source(file, era))
        with Stdio(start("stdio", *words, stderr=stderr), tmp_path) as opened:
            if not is_newer and dialect == "mcp":
                opened.send(made.handshake() + b"\n")
            for _ in range(SEQUENCES):
                raw = b"".join(frame + b"\n" for frame in made.sequence())
                for piece in cut(raw, chooses):
                    opened.send(piece)
            fence = made.valid()
            opened.send(fence + b"\n")
            answers = [*opened.up_to(json.loads(fence)["id"])]
            closed_s = time.monotonic()
            answers += opened.rest()
            assert 0 == opened.process.wait(EXIT_S)
            assert time.monotonic() - closed_s < EXIT_S

    wrong = made.judge(answers, runs_in(file))
    assert not wrong, wrong[:5]
    assert "Traceback" not in (tmp_path / "stderr").read_text("utf-8", "replace")


@pytest.mark.anyio
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
async def test_over_http(
    way: tuple[str, bool, str | None], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, with several requests at a time and each frame a body."""
    dialect, is_newer, era = way
    made = Sequences(random.Random(f"http {way} {seed}"), dialect, is_newer=is_newer)
    file = tmp_path / "runs"
    monkeypatch.setenv("COUNTING_FILE", str(file))
    with open_http(tmp_path / "log", source=source(file, era)) as opened:
        async with Client(opened.url, dialect, is_newer=is_newer) as client:
            if not is_newer and dialect == "mcp":
                await client.initialize(made)
            for begin in range(0, SEQUENCES, AT_ONCE):
                waves = [made.sequence() for _ in range(begin, min(begin + AT_ONCE, SEQUENCES))]
                await asyncio.gather(*(client.send_all(each) for each in waves))
            await client.settle()

    wrong = made.judge(client.answers, runs_in(file))
    assert not wrong, wrong[:5]
    assert not client.leaks, client.leaks[:3]


class Client:
    """Posts frames, and keeps what is answered."""

    def __init__(self, url: str, dialect: str, *, is_newer: bool) -> None:
        self._path = "rpc" if dialect == "canonical" else "mcp"
        self._is_newer = is_newer
        self._headers = dict(HEADERS)
        self._http = httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S)
        self._tasks: list[asyncio.Task[None]] = []
        self.answers: list[Any] = []
        self.leaks: list[str] = []

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.__aexit__()

    async def initialize(self, made: Sequences) -> None:
        """Begin a session."""
        answer = await self._post(made.handshake())
        if "mcp-session-id" in answer.headers:
            self._headers["mcp-session-id"] = answer.headers["mcp-session-id"]
        await self._post(dumped({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    async def send_all(self, frames: list[bytes]) -> None:
        """Send the frames of a sequence without waiting for one before the next."""
        for frame in frames:
            for line in frame.split(b"\n"):
                self._tasks.append(asyncio.create_task(self._sent(line)))
                await asyncio.sleep(0)

    async def settle(self) -> None:
        """Wait for all answers."""
        await asyncio.gather(*self._tasks)

    async def _sent(self, raw: bytes) -> None:
        await self._post(raw)

    async def _post(self, raw: bytes) -> httpx2.Response:
        headers = dict(self._headers)
        if self._is_newer:
            headers |= modern_headers(raw)
        headers["content-type"] = "application/json"
        answer = await self._http.post(self._path, content=raw, headers=headers)
        if any(word in answer.text for word in ("pydantic", "validation error", "Traceback")):
            self.leaks.append(answer.text)
        if "event-stream" in answer.headers.get("content-type", ""):
            lines = [line[5:] for line in answer.text.splitlines() if line.startswith("data:")]
            self.answers += [json.loads(line) for line in lines if line.strip()]
        elif answer.content and answer.headers["content-type"] == "application/json":
            found = json.loads(answer.content)
            self.answers += [found] if "jsonrpc" in found else []
        return answer


def modern_headers(raw: bytes) -> dict[str, str]:
    """Give what a client of 2026-07-28 repeats in headers."""
    headers = {"mcp-protocol-version": str(ENVELOPE["io.modelcontextprotocol/protocolVersion"])}
    try:
        message = json.loads(raw)
    except ValueError:
        return headers
    if isinstance(message, dict) and isinstance(message.get("method"), str):
        headers["mcp-method"] = message["method"].strip() or "x"
        params = message.get("params")
        if isinstance(params, dict) and isinstance(params.get("name"), str):
            headers["mcp-name"] = params["name"]
    return headers
