"""``toolgauge stdio``: a source for one client over standard input and output."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli import options, recording
from toolgauge.cli.arguments import read_env, read_headers
from toolgauge.cli.leaving import leaving_stuck_threads
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.running import GOOD, Format, finish
from toolgauge.cli.words import to_source
from toolgauge.gate import Gate
from toolgauge.upstream.opening import need_sdk

if TYPE_CHECKING:
    from toolgauge.contract import Bounds
    from toolgauge.gate import Recorder
    from toolgauge.upstream import Source


class Dialect(StrEnum):
    """What is spoken."""

    MCP = "mcp"
    CANONICAL = "canonical"


DialectName = Annotated[
    Dialect,
    typer.Option(
        "--dialect",
        "-d",
        help="mcp: the Model Context Protocol. canonical: calls by params.tool and params.input.",
    ),
]

EXAMPLES = """\b
Examples:
  toolgauge stdio toolgauge.demo:tools
  toolgauge stdio --no-log -- python -m mcp_server_time
  toolgauge stdio tools.json --dialect canonical < messages.jsonl
"""


def stdio(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    dialect: DialectName = Dialect.MCP,
    log_dir: recording.LogDir = recording.DEFAULT_LOG_DIR,
    log_max_bytes: recording.LogMaxBytes = recording.DEFAULT_MAX_BYTES,
    no_log: recording.NoLog = False,
    deterministic_ids: recording.DeterministicIds = None,
    assert_formats: options.AssertFormats = False,
    timeout: options.CallTimeout = options.CALL_TIMEOUT_S,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Serve a source to one client over standard input and output.

    One message per line. Arguments that break a tool's input schema never reach the
    tool, and answers that break its output schema never reach the client. Whatever
    the source itself prints goes to standard error.
    """

    async def work() -> int:
        from toolgauge.serve.stdio import private_streams

        found = to_source(source or [], ctx.obj)
        bounds = options.bounds_of(connect_timeout, timeout)
        made = recording.recorder_of(log_dir, log_max_bytes, deterministic_ids, no_log=no_log)
        # The source's own code runs only when the streams are out of its reach.
        with made as recorder, private_streams() as streams:
            asked = _Asked(
                source=found,
                bounds=bounds,
                headers=tuple(header or ()),
                env=tuple(env or ()),
                formats=assert_formats,
            )
            speak = _speak_mcp if dialect is Dialect.MCP else _speak_canonical
            await speak(asked, recorder, streams)
        return GOOD

    with leaving_stuck_threads():
        finish(work(), Format.TEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the options ask for, whichever dialect is spoken."""

    source: Source
    bounds: Bounds
    headers: tuple[str, ...]
    env: tuple[str, ...]
    formats: bool


async def _speak_canonical(asked: _Asked, recorder: Recorder, streams: tuple[int, int]) -> None:
    """Serve the canonical dialect."""
    from toolgauge.serve.stdio import serve_stdio

    async with opened(asked.source, asked.bounds, asked.headers, asked.env) as upstream:
        tell_problems(upstream.problems)
        gate = Gate(
            upstream.provider, upstream.handle_call, formats=asked.formats, bounds=asked.bounds
        )
        await serve_stdio(gate, recorder=recorder, streams=streams)


async def _speak_mcp(asked: _Asked, recorder: Recorder, streams: tuple[int, int]) -> None:
    """Serve MCP.

    Raises:
        MissingExtra: The SDK is not there.
    """
    need_sdk(asked.source.label, "toolgauge.serve.mcp")
    from toolgauge.serve.mcp import serve_mcp_stdio

    await serve_mcp_stdio(
        asked.source,
        bounds=asked.bounds,
        headers=read_headers(asked.headers),
        env=read_env(asked.env),
        formats=asked.formats,
        recorder=recorder,
        streams=streams,
    )
