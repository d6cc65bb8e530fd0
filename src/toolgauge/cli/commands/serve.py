"""``toolgauge serve``: the explorer page, the HTTP API and ``/mcp`` in front of a source."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, warn_of_problems
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.options import (
    CALL_TIMEOUT_S,
    AssertFormats,
    CallTimeout,
    Format,
    OutputFormat,
    Recording,
    SourceWord,
)
from toolgauge.cli.output import output, say, say_json, warn
from toolgauge.cli.running import GOOD

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.cli.connection import Opened

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_AUTH_VARIABLE = "TOOLGAUGE_AUTH_TOKEN"


async def serve(
    *,
    source: SourceWord = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65_535, help="The port; 0 takes a free one.")
    ] = 8642,
    allow_execute: Annotated[
        bool, typer.Option("--allow-execute", help="Let the page run tools; off otherwise.")
    ] = False,
    auth_token: Annotated[
        str | None,
        typer.Option(
            "--auth-token",
            metavar="TEXT",
            envvar=_AUTH_VARIABLE,
            help="Calls must bring this token. In the environment other users do not see it.",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="Answer to this host name as well; repeatable."
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="The title of the page.")
    ] = None,
    recording: Recording,
    log_tab: Annotated[
        bool,
        typer.Option("--log-tab", help="Show the newest lines of the contract log in the page."),
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    shape: OutputFormat = Format.TEXT,
    assert_formats: AssertFormats = False,
    timeout_s: CallTimeout = CALL_TIMEOUT_S,
    connection: Connection,
) -> int:
    """Serve the explorer page, the HTTP API and an MCP endpoint in front of a source.

    The page is at /, MCP at /mcp (where the MCP SDK is installed), the canonical
    dialect at /rpc.

    Everybody who reaches the page can list tools and validate arguments. Tools
    run only with --allow-execute, from the page, over /mcp and over /rpc. The
    server answers to this machine alone unless --host and --allow-host say otherwise.
    """
    from toolgauge.serve import AddressInUse, LogFeed, run
    from toolgauge.upstream.process import ending_together

    if auth_token is not None and not auth_token.strip():
        raise WrongUsage("--auth-token is empty; leave it out, or give a token")
    if auth_token is None and _AUTH_VARIABLE in os.environ:
        # Options take an empty variable for none, and calls would need no token.
        raise WrongUsage(f"{_AUTH_VARIABLE} is empty; unset it, or give a token")
    found = connection.source(source)
    bounds = connection.bounds(timeout_s)
    feed = LogFeed() if log_tab else None
    with ending_together(), recording.recorder(feed) as recorder:
        async with connection.open(found, bounds) as opened:
            warn_of_problems(opened.problems)
            if allow_execute and auth_token is None and host not in _LOOPBACK:
                warn(f"warning: everybody who reaches {host} can run these tools; see --auth-token")
            try:
                await run(
                    opened.upstream.tools,
                    opened.upstream.handle_call,
                    host=host,
                    port=port,
                    auth_token=auth_token,
                    allow_hosts=tuple(allow_host or ()),
                    on_ready=_announcer(opened, shape, allow_execute, open_page),
                    allow_execute=allow_execute,
                    title=title or f"toolgauge: {opened.label}",
                    formats=assert_formats,
                    bounds=bounds,
                    recorder=recorder,
                    log_feed=feed,
                    upstream=opened.upstream,
                )
            except AddressInUse as error:
                raise WrongUsage(str(error)) from error
    return GOOD


COMMAND = Command(
    run=serve,
    rank=10,
    examples="""\
  toolgauge serve toolgauge.demo:tools --allow-execute --open
  toolgauge serve tools.json --port 9000
  toolgauge serve --allow-execute -- python -m mcp_server_time
""",
)


def _announcer(
    opened: Opened, shape: Format, allow_execute: bool, open_page: bool
) -> Callable[[str], None]:
    """Return the function that prints the address once requests are answered."""
    from toolgauge.serve.running import has_endpoint

    can_run = opened.upstream.handle_call is not None or any(tool.handler for tool in opened.tools)

    def announce(url: str) -> None:
        mcp = f"{url}mcp" if has_endpoint() else None
        if shape is Format.JSON:
            say_json(
                {
                    "url": url,
                    "mcp": mcp,
                    "rpc": f"{url}rpc",
                    "source": opened.label,
                    "tools": len(opened.tools),
                    "executes": allow_execute and can_run,
                    "problems": [problem.to_json() for problem in opened.problems],
                }
            )
        else:
            say(f"toolgauge: {opened.summary} at {url}")
            shown = f"MCP at {mcp}, " if mcp else ""
            say(f"toolgauge: {shown}the canonical dialect at {url}rpc")
        output().flush()
        if not can_run:
            warn("this source only describes its tools; there is nothing to execute")
        elif not allow_execute:
            warn("execution is off; --allow-execute turns it on")
        if open_page:
            typer.launch(url)

    return announce
