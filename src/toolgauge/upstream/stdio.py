"""JSON-RPC lines over the pipes of a child process, as streams of the SDK.

The SDK has such a transport too. Ours differs in what a gate must know: the
exit code and the last words of a server that died, what it printed on stdout
that is no message, a bound on the length of a line, and the end of the whole
process group. Messages are read as strictly as elsewhere here.

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
from toolgauge.upstream.messages import Messages, unusable
from toolgauge.upstream.process import run_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp_types import JSONRPCMessage

    from toolgauge.upstream.messages import Frame
    from toolgauge.upstream.process import Child
    from toolgauge.upstream.source import CommandSource

Incoming: TypeAlias = SessionMessage | Exception


@dataclass(slots=True)
class StdioPipe:
    """The two streams to a server.

    Attributes:
        output: What it writes to stdout.
    """

    child: Child
    read: MemoryObjectReceiveStream[Incoming]
    write: MemoryObjectSendStream[SessionMessage]
    output: Messages = field(default_factory=Messages)


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
                for frame in pipe.output.feed(chunk):
                    if (message := _typed(frame)) is not None:
                        await to_us.send(SessionMessage(message))
                    else:
                        pipe.output.ignore(dump_json(frame))


def _typed(frame: Frame) -> JSONRPCMessage | None:
    """Give a message of the SDK; an answer that is none is an error of its request."""
    try:
        return jsonrpc_message_adapter.validate_python(frame, by_name=False)
    except ValueError:
        if "method" in frame or not isinstance(frame.get("id"), str | int):
            return None
        return _typed(unusable(frame["id"], "it is no JSON-RPC message"))


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
