"""JSON-RPC lines over the pipes of a child process, as streams of the SDK.

The SDK has such a transport too. Ours differs in what a gate must know: the
exit code and the last words of a server that died, what it printed on stdout
that is no message, a bound on the length of a line, and the end of the whole
process group. Framing and parsing of messages are the SDK's.

Source: MCP 2025-11-25, basic/transports, "stdio".
"""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from toolgauge.contract.jsontext import dump_json
from toolgauge.upstream.lines import LineBuffer
from toolgauge.upstream.process import run_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from toolgauge.upstream.process import Child
    from toolgauge.upstream.source import CommandSource

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Longest line read from a server. A list of tools is one line."""

Incoming: TypeAlias = SessionMessage | Exception


@dataclass(slots=True)
class StdioPipe:
    """The two streams to a server, and what went wrong on the way.

    Attributes:
        noise: How many lines on stdout were not JSON-RPC messages.
        first_noise: The first of them, cut short.
        overlong: Whether the server was cut off for a line past the bound.
    """

    child: Child
    read: MemoryObjectReceiveStream[Incoming]
    write: MemoryObjectSendStream[SessionMessage]
    noise: int = 0
    first_noise: str = ""
    overlong: bool = False
    _lines: LineBuffer = field(default_factory=lambda: LineBuffer(MAX_LINE_BYTES))

    def lines(self, chunk: bytes) -> list[bytes]:
        """Cut what has arrived into lines; keep the unfinished rest.

        Raises:
            OverflowError: The unfinished line is longer than the bound.
        """
        try:
            return self._lines.feed(chunk)
        except OverflowError:
            self.overlong = True
            raise

    def parse(self, line: bytes) -> SessionMessage | None:
        """Read one message; a line that is none is counted and skipped."""
        if not line.strip():
            return None
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            self.noise += 1
            self.first_noise = self.first_noise or line[:200].decode("utf-8", "replace").strip()
            return None


@asynccontextmanager
async def open_stdio(source: CommandSource, env: Mapping[str, str]) -> AsyncIterator[StdioPipe]:
    """Start the server and give the streams to it. Its end closes them.

    Raises:
        ServerFailed: The program is missing or cannot be started.
    """
    to_us, read = anyio.create_memory_object_stream[Incoming](0)
    write, from_us = anyio.create_memory_object_stream[SessionMessage](0)
    async with to_us, read, write, from_us, run_child(source, env) as child:
        pipe = StdioPipe(child, read, write)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read_stdout, pipe, to_us)
            tasks.start_soon(_write_stdin, pipe, from_us, to_us)
            yield pipe
            tasks.cancel_scope.cancel()


async def _read_stdout(pipe: StdioPipe, to_us: MemoryObjectSendStream[Incoming]) -> None:
    """Pass messages on until the server ends; then close, which wakes every waiter."""
    stdout = pipe.child.process.stdout
    assert stdout is not None  # noqa: S101 - opened with a pipe
    async with to_us:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError, OverflowError):
            async for chunk in stdout:
                for line in pipe.lines(chunk):
                    if (message := pipe.parse(line)) is not None:
                        await to_us.send(message)


async def _write_stdin(
    pipe: StdioPipe,
    from_us: MemoryObjectReceiveStream[SessionMessage],
    to_us: MemoryObjectSendStream[Incoming],
) -> None:
    """Write messages; a server that no longer reads has ended, so say that it did."""
    stdin = pipe.child.process.stdin
    assert stdin is not None  # noqa: S101 - opened with a pipe
    try:
        async with from_us:
            async for message in from_us:
                # Our writer and not pydantic's, which turns a number that no
                # double holds into a string.
                wire = message.message.model_dump(by_alias=True, exclude_unset=True)
                await stdin.send(dump_json(wire) + b"\n")
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        await to_us.aclose()
