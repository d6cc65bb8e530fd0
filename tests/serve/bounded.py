"""A server process with bounds of its own, for tests of connections and sessions.

``python bounded.py PARSER BOUNDS DESCRIPTORS [COMMAND...]`` runs ``toolgauge.serve.run``
with ``httptools`` or ``h11``, with ``Bounds`` from JSON, and where DESCRIPTORS is not 0,
with that many file descriptors left; in front of the command where there is one. It
prints its URL. A line on its input takes all descriptors that are left, a second one
gives them back.
"""

# A script: it prints.
# ruff: noqa: T201

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolgauge.contract import Bounds

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """A running server process."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.url: str = url
        self._process = process
        address = urlsplit(url)
        assert address.port is not None
        self.address: tuple[str, int] = ("127.0.0.1", address.port)

    def connect(self) -> socket.socket:
        """Open a connection, with a time-out that no test reaches."""
        return socket.create_connection(self.address, timeout=20)

    def exchange(self, *parts: bytes) -> bytes:
        """Send, and read until the server closes the connection."""
        with self.connect() as connection:
            for part in parts:
                try:
                    connection.sendall(part)
                except ConnectionError:
                    break
            return read_all(connection)

    def tell(self) -> None:
        """Write a line to the process, and wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline()

    def cpu_s(self) -> float:
        """Return the CPU time that the process has used, in seconds."""
        # This is clock_getcpuclockid(3) of Linux.
        return time.clock_gettime((~self._process.pid << 3) | 2)

    def memory_bytes(self) -> int:
        """Return the resident memory of the process."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        line = next(each for each in status.splitlines() if each.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def descriptors(self) -> int:
        """Return how many file descriptors the process has open."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))

    def processes(self) -> int:
        """Return how many processes it has started that are still there."""
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        return sum(len(_read(each / "children").split()) for each in tasks)

    def stop(self) -> str:
        """End the process; return what it wrote to stderr."""
        self._process.terminate()
        return self._process.communicate(timeout=20)[1]


def _read(path: Path) -> str:
    """Read a file of /proc; empty where its thread has ended."""
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


def read_all(connection: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    found = b""
    while True:
        try:
            part = connection.recv(65_536)
        except ConnectionResetError:
            return found
        if not part:
            return found
        found += part


def until(is_so: Callable[[], bool]) -> bool:
    """Wait for something that comes by itself, for a long time."""
    deadline = time.monotonic() + 30
    while not (found := is_so()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def is_closed(connection: socket.socket) -> bool:
    """Wait until something arrives; tell whether it is the end."""
    readable, _, _ = select.select([connection], [], [], 20)
    return bool(readable) and not connection.recv(1)


@contextmanager
def bounded_server(
    *source: str, parser: str = "httptools", descriptors: int = 0, **bounds: Any
) -> Iterator[Server]:
    """Run a server process."""
    command = [sys.executable, "-m", "tests.serve.bounded"]
    command += [parser, json.dumps(bounds), str(descriptors), *source]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, text=True
    ) as process:
        assert process.stdout is not None
        server = Server(process, process.stdout.readline().strip())
        try:
            yield server
        finally:
            if process.poll() is None:
                server.stop()


def main() -> None:
    """Run the server."""
    parser, bounds, descriptors = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
    if parser == "h11":
        sys.modules["httptools"] = None  # type: ignore[assignment]  # cannot be imported
    import asyncio
    import resource

    if descriptors:
        used = len(list(Path("/proc/self/fd").iterdir()))
        limits = (used + descriptors, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    from toolgauge.contract import Bounds

    asyncio.run(serve(Bounds(**bounds), sys.argv[4:]))


async def serve(bounds: Bounds, command: list[str]) -> None:
    """Serve two tools, or the command."""
    from toolgauge.contract import Tool
    from toolgauge.serve import run
    from toolgauge.upstream import CommandSource, Upstream, open_source

    def on_ready(url: str) -> None:
        print(url, flush=True)
        threading.Thread(target=take_turns, daemon=True).start()

    async def served(upstream: Upstream) -> None:
        await run(
            upstream.tools,
            upstream.handle_call,
            port=0,
            allow_execute=True,
            on_ready=on_ready,
            bounds=bounds,
            upstream=upstream,
        )

    if command:
        async with open_source(CommandSource(command=tuple(command)), bounds=bounds) as upstream:
            await served(upstream)
        return
    echo = Tool(name="echo", handler=lambda arguments: arguments)
    big = Tool(name="big", handler=lambda _: "x" * 10_000_000)
    await served(Upstream(label="tools", tools=[echo, big]))


def take_turns() -> None:
    """Take every descriptor at one line, give them back at the next."""
    taken: list[int] = []
    for _ in sys.stdin:
        if taken:
            while taken:
                os.close(taken.pop())
        else:
            try:
                while True:
                    taken.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                pass
        print("done", flush=True)


if __name__ == "__main__":
    main()
