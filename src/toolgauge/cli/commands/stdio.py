"""``toolgauge stdio``: a source for one client over standard input and output."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, warn_of_problems
from toolgauge.cli.options import CALL_TIMEOUT_S, AssertFormats, CallTimeout, Recording, SourceWord
from toolgauge.cli.running import GOOD


class Dialect(StrEnum):
    """The protocol of the messages."""

    MCP = "mcp"
    CANONICAL = "canonical"


async def stdio(
    *,
    source: SourceWord = None,
    dialect: Annotated[
        Dialect,
        typer.Option(
            "--dialect",
            "-d",
            help="mcp: the Model Context Protocol. "
            "canonical: calls by params.tool and params.input.",
        ),
    ] = Dialect.MCP,
    recording: Recording,
    assert_formats: AssertFormats = False,
    timeout_s: CallTimeout = CALL_TIMEOUT_S,
    connection: Connection,
) -> int:
    """Serve a source to one client over standard input and output.

    One message per line. Arguments that break a tool's input schema never reach the
    tool, and answers that break its output schema never reach the client. Whatever
    the source itself prints goes to standard error.
    """
    from toolgauge.gate import Gate
    from toolgauge.serve.stdio import private_streams, serve_stdio
    from toolgauge.upstream.opening import need_sdk

    found = connection.source(source)
    bounds = connection.bounds(timeout_s)
    # The source's own code runs only when the streams are out of its reach.
    with recording.recorder() as recorder, private_streams() as streams:
        if dialect is Dialect.MCP:
            need_sdk(found.label, "toolgauge.serve.mcp")
            from toolgauge.serve.mcp import serve_mcp_stdio

            await serve_mcp_stdio(
                found,
                bounds=bounds,
                headers=connection.headers(),
                env=connection.variables(),
                formats=assert_formats,
                recorder=recorder,
                streams=streams,
            )
            return GOOD
        async with connection.open(found, bounds) as opened:
            warn_of_problems(opened.problems)
            upstream = opened.upstream
            gate = Gate(upstream.tools, upstream.handle_call, formats=assert_formats, bounds=bounds)
            await serve_stdio(gate, recorder=recorder, streams=streams)
    return GOOD


COMMAND = Command(
    run=stdio,
    rank=20,
    examples="""\
  toolgauge stdio toolgauge.demo:tools
  toolgauge stdio --no-log -- python -m mcp_server_time
  toolgauge stdio tools.json --dialect canonical < messages.jsonl
""",
)
