"""A gateway in front of a server that sends too much: its memory is flat, and it goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import program

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ROOT = Path(__file__).parents[3]
SERVER = ROOT / "tests" / "upstream" / "hostile_stdio.py"
MAX_MIB = 120
"""Above what the gateway needs by itself."""


class Gateway:
    """A gateway over pipes that has shaken hands."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.said: list[dict[str, Any]] = []
        client = {"name": "test", "version": "1"}
        self.say(
            id=1,
            method="initialize",
            params={"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client},
        )
        self.answer(1)
        self.say(method="notifications/initialized")
        self._before = self._status("VmRSS")

    def say(self, **frame: Any) -> None:
        """Send a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")
        self._process.stdin.flush()

    def call(self, ident: int, name: str) -> None:
        """Send a call."""
        params = {"name": name, "arguments": {}, "_meta": {"progressToken": "p"}}
        self.say(id=ident, method="tools/call", params=params)

    def answer(self, ident: int) -> dict[str, Any]:
        """Read up to the answer to a request."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            frame: dict[str, Any] = json.loads(line)
            if frame.get("id") == ident and "method" not in frame:
                return frame
        pytest.fail("the gateway has ended")

    def growth_mib(self) -> int:
        """Return how far its memory has been above what it was at first."""
        return (self._status("VmHWM") - self._before) // 1_024

    def _status(self, name: str) -> int:
        text = Path(f"/proc/{self._process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(name))


@contextmanager
def gateway(mode: str) -> Iterator[Gateway]:
    """Run a gateway in front of the server."""
    command = program("stdio", "--no-log", "--", sys.executable, str(SERVER), mode)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=dict(os.environ)
    ) as process:
        last = threading.Timer(120, process.kill)
        last.start()
        try:
            yield Gateway(process)
        finally:
            last.cancel()
            process.kill()


@pytest.mark.parametrize("name", ["logs", "progress"])
def test_what_a_client_does_not_read_is_not_kept(name: str) -> None:
    """A hundred thousand notifications wait in the server, not in the gateway."""
    with gateway("-") as opened:
        opened.call(2, name)
        end = time.monotonic() + 3
        while time.monotonic() < end and opened.growth_mib() < MAX_MIB:
            threading.Event().wait(0.05)
        unread = opened.growth_mib()
        answer = opened.answer(2)
        opened.call(3, "ok")

        assert {"content": []} == opened.answer(3)["result"]

    assert unread < MAX_MIB
    assert {"content": []} == answer["result"]


@pytest.mark.parametrize(
    ("mode", "bound"),
    [("pages-of-bytes", "33,554,432 bytes"), ("pages-of-tools", "100,000 tools")],
)
def test_a_list_without_an_end_is_cut_off(mode: str, bound: str) -> None:
    """A call of what is not in its first part fails with the bound; others are forwarded."""
    first = "t0" if mode == "pages-of-bytes" else "t0-0"
    with gateway(mode) as opened:
        opened.call(2, "unknown")
        refused = opened.answer(2)
        opened.call(3, first)
        forwarded = opened.answer(3)
        grown = opened.growth_mib()

    assert bound in refused["error"]["message"]
    assert {"content": []} == forwarded["result"]
    assert grown < 2 * MAX_MIB
