"""The options that several commands share, each defined once."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from toolgauge.cli.running import Format
from toolgauge.contract import DEFAULT_BOUNDS, Bounds

_SOURCE_HELP = "Where the tools are: a JSON file, package.module:attribute, or a URL."

SourceWord = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SOURCE | -- COMMAND ARG...]", help=_SOURCE_HELP, show_default=False),
]
CallArguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SOURCE] [TOOL] [ARGS] [-- COMMAND ARG...]",
        help=f"{_SOURCE_HELP} Then the tool's name, and its arguments as JSON text, "
        "- for stdin, or @FILE.",
        show_default=False,
    ),
]
ToolName = Annotated[
    str | None,
    typer.Option("--tool", "-t", metavar="NAME", help="The tool, where it is no word of its own."),
]
ArgumentsText = Annotated[
    str | None,
    typer.Option("--args", "-a", metavar="ARGS", help="Arguments: JSON text, - or @FILE."),
]
OutputFormat = Annotated[
    Format, typer.Option("--format", "-f", help="text for people, json for programs.")
]
AssertFormats = Annotated[
    bool,
    typer.Option(
        "--assert-formats", help='Check "format" (date, email, ...) too; an annotation otherwise.'
    ),
]
ConnectTimeout = Annotated[
    float,
    typer.Option(
        "--connect-timeout",
        metavar="SECONDS",
        min=0.001,
        help="Longest wait for a server to start and to answer first.",
    ),
]
CallTimeout = Annotated[
    float,
    typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Longest run of one call."),
]
Headers = Annotated[
    list[str] | None,
    typer.Option(
        "--header", "-H", metavar="'NAME: VALUE'", help="Send a header to a URL; repeatable."
    ),
]
Env = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME[=VALUE]",
        help="Give a server process a variable, or hand on one of ours; repeatable.",
    ),
]

CONNECT_TIMEOUT_S = DEFAULT_BOUNDS.connect_timeout_s
CALL_TIMEOUT_S = DEFAULT_BOUNDS.handler_timeout_s


def bounds_of(connect_timeout_s: float, call_timeout_s: float = CALL_TIMEOUT_S) -> Bounds:
    """Give the default bounds with the time-outs that were asked for."""
    return replace(
        DEFAULT_BOUNDS, connect_timeout_s=connect_timeout_s, handler_timeout_s=call_timeout_s
    )
