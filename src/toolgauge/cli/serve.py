"""``toolgauge serve``: the explorer page, the HTTP API and ``/mcp`` in front of a source."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli import options, recording
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.findings import counted
from toolgauge.cli.leaving import leaving_stuck_threads
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.output import output
from toolgauge.cli.running import GOOD, Format, finish
from toolgauge.cli.text import say, say_json, visible, warn
from toolgauge.cli.words import to_source
from toolgauge.upstream.haste import ending_together

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.cli.opening import Opened

DEFAULT_PORT = 8642
_MAX_PORT = 65_535
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")]
Port = Annotated[
    int, typer.Option("--port", "-p", min=0, max=_MAX_PORT, help="The port; 0 takes a free one.")
]
_AUTH_VARIABLE = "TOOLGAUGE_AUTH_TOKEN"
AllowExecute = Annotated[
    bool, typer.Option("--allow-execute", help="Let the page run tools; off otherwise.")
]
AuthToken = Annotated[
    str | None,
    typer.Option(
        "--auth-token",
        metavar="TEXT",
        envvar=_AUTH_VARIABLE,
        show_default=False,
        help="Calls must bring this token. In the environment other users do not see it.",
    ),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host", metavar="NAME", help="Answer to this host name as well; repeatable."
    ),
]
Title = Annotated[
    str | None, typer.Option("--title", metavar="TEXT", help="The title of the page.")
]
LogTab = Annotated[
    bool,
    typer.Option("--log-tab", help="Show the newest lines of the contract log in the page."),
]
Open = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]


EXAMPLES = """\b
Examples:
  toolgauge serve toolgauge.demo:tools --allow-execute --open
  toolgauge serve tools.json --port 9000
  toolgauge serve --allow-execute -- python -m mcp_server_time
"""


def serve(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    host: Host = "127.0.0.1",
    port: Port = DEFAULT_PORT,
    allow_execute: AllowExecute = False,
    auth_token: AuthToken = None,
    allow_host: AllowHost = None,
    title: Title = None,
    log_dir: recording.LogDir = recording.DEFAULT_LOG_DIR,
    log_max_bytes: recording.LogMaxBytes = recording.DEFAULT_MAX_BYTES,
    no_log: recording.NoLog = False,
    deterministic_ids: recording.DeterministicIds = None,
    log_tab: LogTab = False,
    open_page: Open = False,
    shape: options.OutputFormat = Format.TEXT,
    assert_formats: options.AssertFormats = False,
    timeout: options.CallTimeout = options.CALL_TIMEOUT_S,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Serve the explorer page, the HTTP API and an MCP endpoint in front of a source.

    The page is at /, MCP at /mcp (where the MCP SDK is installed), the canonical
    dialect at /rpc.

    Everybody who reaches the page can list tools and validate arguments. Tools
    run only with --allow-execute, from the page, over /mcp and over /rpc. The
    server answers to this machine alone unless --host and --allow-host say otherwise.
    """

    async def work() -> int:
        if auth_token is not None and not auth_token.strip():
            raise WrongUsage("--auth-token is empty; leave it out, or give a token")
        if auth_token is None and _AUTH_VARIABLE in os.environ:
            # Options take an empty variable for none, and calls would need no token.
            raise WrongUsage(f"{_AUTH_VARIABLE} is empty; unset it, or give a token")
        found = to_source(source or [], ctx.obj)
        bounds = options.bounds_of(connect_timeout, timeout)
        feed = recording.feed_of(log_tab)
        made = recording.recorder_of(
            log_dir, log_max_bytes, deterministic_ids, no_log=no_log, feed=feed
        )
        with ending_together(), made as recorder:
            async with opened(found, bounds, header, env) as upstream:
                tell_problems(upstream.problems)
                _tell_exposure(host, allow_execute=allow_execute, has_token=auth_token is not None)
                await _run(
                    upstream.provider,
                    upstream.handle_call,
                    host=host,
                    port=port,
                    auth_token=auth_token,
                    allow_hosts=tuple(allow_host or ()),
                    on_ready=_announcer(
                        upstream, shape, allow_execute=allow_execute, open_page=open_page
                    ),
                    allow_execute=allow_execute,
                    title=title or f"toolgauge: {upstream.label}",
                    formats=assert_formats,
                    bounds=bounds,
                    recorder=recorder,
                    log_feed=feed,
                    upstream=upstream.upstream,
                )
        return GOOD

    with leaving_stuck_threads():
        finish(work(), shape)


async def _run(*tools: Any, **options: Any) -> None:
    """Serve until the process is asked to stop.

    Raises:
        WrongUsage: The address cannot be listened on.
    """
    from toolgauge.serve import AddressInUse, run

    try:
        await run(*tools, **options)
    except AddressInUse as error:
        raise WrongUsage(str(error)) from error


def _announcer(
    upstream: Opened, shape: Format, *, allow_execute: bool, open_page: bool
) -> Callable[[str], None]:
    """Make the function that tells the address once requests are answered."""
    from toolgauge.serve.running import has_endpoint

    can_run = upstream.handle_call is not None or any(tool.handler for tool in upstream.tools)

    def announce(url: str) -> None:
        if shape is Format.JSON:
            say_json(_to_json(upstream, url, executes=allow_execute and can_run))
        else:
            number = counted(len(upstream.tools), "tool")
            say(f"toolgauge: {number} of {visible(upstream.label)} at {url}")
            mcp = f"MCP at {url}mcp, " if has_endpoint() else ""
            say(f"toolgauge: {mcp}the canonical dialect at {url}rpc")
        output().flush()
        if not can_run:
            warn("this source only describes its tools; there is nothing to execute")
        elif not allow_execute:
            warn("execution is off; --allow-execute turns it on")
        if open_page:
            typer.launch(url)

    return announce


def _to_json(upstream: Opened, url: str, *, executes: bool) -> dict[str, Any]:
    """Give what is served as one JSON document."""
    from toolgauge.serve.running import has_endpoint

    return {
        "url": url,
        "mcp": f"{url}mcp" if has_endpoint() else None,
        "rpc": f"{url}rpc",
        "source": upstream.label,
        "tools": len(upstream.tools),
        "executes": executes,
        "problems": [problem.to_json() for problem in upstream.problems],
    }


def _tell_exposure(host: str, *, allow_execute: bool, has_token: bool) -> None:
    """Warn of tools that strangers could run."""
    if allow_execute and not has_token and host not in _LOOPBACK:
        warn(f"warning: everybody who reaches {host} can run these tools; see --auth-token")
