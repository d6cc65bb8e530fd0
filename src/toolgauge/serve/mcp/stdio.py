"""MCP over standard input and output, in front of any source, for one client."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from toolgauge.contract import DEFAULT_BOUNDS
from toolgauge.gate import Gate, Slots
from toolgauge.serve.lines import LineReader, LineWriter
from toolgauge.serve.mcp.client import StdioClient
from toolgauge.serve.mcp.contracts import Contracts
from toolgauge.serve.mcp.conversations import Conversations
from toolgauge.serve.mcp.journal import Journal
from toolgauge.serve.mcp.lane import Lane
from toolgauge.serve.mcp.local import LocalServer
from toolgauge.serve.mcp.stdio_lines import Lines
from toolgauge.serve.mcp.stdio_servers import Elsewhere, Local
from toolgauge.serve.stdio import private_streams, serve_lines
from toolgauge.serve.stopping import DRAIN_S, UPSTREAM_DRAIN_S, stop_on_signals
from toolgauge.upstream import open_source
from toolgauge.upstream.haste import ending_together
from toolgauge.upstream.opening import dial_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.contract import Bounds
    from toolgauge.envelope.lines import Line
    from toolgauge.gate import Recorder
    from toolgauge.serve.mcp.stdio_servers import Server
    from toolgauge.upstream import Source

_LINES_PER_CALL = 10
"""How many lines may be at work for each call that may: a client must be able to answer
a question, or to take a call back, while all calls are at work."""


async def serve_mcp_stdio(  # noqa: PLR0913 - each is an option of the command line
    source: Source,
    *,
    bounds: Bounds = DEFAULT_BOUNDS,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    formats: bool = False,
    recorder: Recorder | None = None,
    streams: tuple[int, int] | None = None,
) -> None:
    """Serve a source to one client over standard input and output until they close.

    A server is started or connected to when the client sends its first request, and
    shakes hands with that client, not with us.

    SIGTERM and SIGINT stop the reading; calls in flight are still answered.

    Args:
        source: What to serve.
        bounds: Limits on messages, schemas, values and calls.
        headers: Sent with every request to a URL.
        env: Added to the variables that a server process gets.
        formats: Whether ``format`` is asserted; an annotation by default.
        recorder: Writes the log; none by default.
        streams: Descriptors to read from and write to; by default this process's
            own, which are private for as long as this runs.

    Raises:
        SourceError: The source cannot be opened.
    """
    if streams is None:
        with private_streams() as own:
            await serve_mcp_stdio(
                source,
                bounds=bounds,
                headers=headers,
                env=env,
                formats=formats,
                recorder=recorder,
                streams=own,
            )
        return
    writer = LineWriter(streams[1])
    client = StdioClient(writer)
    journal = Journal(recorder, transport="stdio", route="stdio")
    slots = Slots(bounds.max_calls_in_flight, waits=True)
    async with AsyncExitStack() as stack:
        haste = stack.enter_context(ending_together())
        dial = dial_of(source, bounds, headers or {}, env or {})
        if dial is None:
            opened = await stack.enter_async_context(
                open_source(source, bounds=bounds, headers=headers, env=env)
            )
            for problem in opened.problems:
                warning = f"warning: {problem.name or 'source'}: {problem.message}"
                sys.stderr.write(_printable(warning) + "\n")
            gate = Gate(opened.tools, opened.handle_call, formats=formats, bounds=bounds)
            server: Server = Local(LocalServer(gate), slots)
            drain_s = DRAIN_S
        else:
            contracts = Contracts(formats=formats, bounds=bounds)
            conversations = Conversations(dial, contracts, bounds, slots)
            await stack.enter_async_context(conversations.running())
            server = Elsewhere(conversations, client)
            drain_s = UPSTREAM_DRAIN_S
        lines = Lines(server, client, journal, bounds)
        try:
            await _serve(lines, writer, bounds, streams[0], drain_s)
        finally:
            # By a signal, or since the client has left: it does not wait long for us.
            haste.begin()


def _printable(text: str) -> str:
    """Escape what a terminal would act on instead of showing it."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


async def _serve(
    lines: Lines, writer: LineWriter, bounds: Bounds, descriptor: int, drain_s: float
) -> None:
    """Answer lines until there are no more."""
    max_in_flight = bounds.max_calls_in_flight * _LINES_PER_CALL
    with stop_on_signals() as stop:
        lane = Lane(
            descriptor,
            writer,
            lines,
            max_bytes=bounds.max_body_bytes,
            max_in_flight=max_in_flight,
        )
        if lane.start():
            lines.use(lane)
            await lane.run(stop, drain_s)
            return
        # A file, or a system whose event loop waits for no descriptors.
        await serve_lines(
            _Reader(descriptor, bounds.max_body_bytes, lines.end),
            writer,
            lines.answer,
            answer_too_long=lines.answer_too_long,
            max_in_flight=max_in_flight,
            stop=stop,
            cut_short=lines.cut_short,
            drain_s=drain_s,
        )


class _Reader(LineReader):
    """Tells when the client has closed its end."""

    def __init__(self, descriptor: int, max_bytes: int, on_end: Callable[[], None]) -> None:
        super().__init__(descriptor, max_bytes)
        self._on_end = on_end

    async def next(self) -> Line | None:
        line = await super().next()
        if line is None:
            self._on_end()
        return line
