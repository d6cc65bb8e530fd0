"""Both transports of the canonical dialect, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, Self

import httpx2

from tests.cli.conftest import program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[2]
SOURCE = "tests.envelope.specimens:tools"
PATIENCE_S = 60.0
FENCE_ID = "fence"


def call(tool: str, given: Any = None, ident: Any = 1, **members: Any) -> bytes:
    """Write a call in the canonical dialect."""
    params = {"tool": f"mcp.tool:{tool}", "input": {} if given is None else given}
    message = {"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": params}
    return json.dumps(message | members, ensure_ascii=False).encode()


FENCE = call("echo", {"fence": True}, FENCE_ID)
"""Its answer shows that the server still serves."""


class Transport(Protocol):
    """What the tests ask of either transport."""

    log_folder: Path

    def ask(self, raw: bytes, *, is_answered: bool = True) -> Any:
        """Send a message and give its answer as parsed JSON, ``None`` for none.

        Fails where there is an answer and none is due, or more than one, and where
        the server does not answer another message after it.
        """


def records(folder: Path) -> list[dict[str, Any]]:
    """Give the records of the newest log under a ``--log-dir``."""
    place = folder / "mcp_server" / "envelope_validation"
    text = (place / "envelope_validation.latest.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


class Http:
    """``POST /rpc`` of a server process."""

    def __init__(self, process: subprocess.Popen[bytes], url: str, log_folder: Path) -> None:
        self.process = process
        self.url = url
        self.log_folder = log_folder
        self.client = httpx2.Client(
            base_url=url, timeout=PATIENCE_S, headers={"content-type": "application/json"}
        )

    def post(self, raw: bytes, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        """Send one body."""
        return self.client.post("rpc", content=raw, headers=headers)

    def ask(self, raw: bytes, *, is_answered: bool = True) -> Any:
        answer = self.post(raw)
        assert FENCE_ID == self.post(FENCE).json()["id"]
        assert bool(answer.content) is is_answered, answer.content
        return answer.json() if is_answered else None


class Stdio:
    """The pipes of a process."""

    def __init__(self, process: subprocess.Popen[bytes], log_folder: Path) -> None:
        self.process = process
        self.log_folder = log_folder
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin: IO[bytes] = process.stdin
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stdout: IO[bytes]) -> None:
        for line in stdout:
            self._lines.put(line)
        self._lines.put(None)

    def send(self, raw: bytes) -> None:
        """Send bytes as they are."""
        self.stdin.write(raw)
        self.stdin.flush()

    def line(self) -> Any:
        """Give the next line, parsed; ``None`` at the end."""
        line = self._lines.get(timeout=PATIENCE_S)
        if line is None:
            return None
        assert line.endswith(b"\n")
        return json.loads(line.decode("utf-8"))

    def up_to(self, ident: object) -> Iterator[Any]:
        """Give the lines up to the answer to a request, which is the last of them."""
        while (line := self.line()) is not None:
            yield line
            if line["id"] == ident:
                return

    def ask(self, raw: bytes, *, is_answered: bool = True) -> Any:
        self.send(raw + b"\n" + FENCE + b"\n")
        found = [self.line() for _ in range(1 + is_answered)]
        fences = [each for each in found if each["id"] == FENCE_ID]
        assert 1 == len(fences), found
        return next((each for each in found if each is not fences[0]), None)

    def rest(self) -> list[Any]:
        """Close our end, and give what still comes."""
        self.stdin.close()
        return list(iter(self.line, None))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.stdin.close()
        _end(self.process)
        self._reader.join(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


def start(*words: str, stderr: int | IO[bytes] = subprocess.DEVNULL, **options: Any) -> Any:
    """Start our program with pipes."""
    return subprocess.Popen(
        program(*words),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        **options,
    )


def open_stdio(folder: Path, *words: str, source: str = SOURCE, **options: Any) -> Stdio:
    """Start a process that speaks the canonical dialect over its pipes."""
    dialect = ("--dialect", "canonical", "--log-dir", str(folder))
    return Stdio(start("stdio", source, *dialect, *words, **options), folder)


@contextlib.contextmanager
def open_http(
    folder: Path, *words: str, source: tuple[str, ...] = (SOURCE,), **options: Any
) -> Iterator[Http]:
    """Start a server process, wait until it answers, and end it."""
    fixed = ("--port", "0", "--format", "json", "--allow-execute", "--log-dir", str(folder))
    process = start("serve", *fixed, *words, *source, **options)
    try:
        process.stdin.close()
        # The specimens print as they are imported.
        while not (line := process.stdout.readline()).startswith(b"{"):
            assert line, "the server ended"
        http = Http(process, json.loads(line)["url"], folder)
        with http.client:
            yield http
    finally:
        process.terminate()
        _end(process)
        process.stdout.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end, and make it if it does not come."""
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(15)
        raise


PYTHON = sys.executable
