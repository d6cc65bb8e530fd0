"""The application: its commands, ``--version``, and the entry point."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

import toolgauge
from toolgauge.cli.command import command_names, load_command, to_typer
from toolgauge.cli.output import open_missing_streams, say, use_utf8
from toolgauge.cli.running import reporting_system_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXIT_CODES = """\b
Exit codes:
  0  all good
  1  findings: broken arguments, an error of the tool, a flawed tool,
     a tool that cannot be lowered, a breaking change
  2  wrong usage
  3  the source could not be read or reached
"""


class _Commands(Mapping[str, Any]):
    """The files in ``commands`` by name, in the order of the help page.

    A command is loaded when it is looked up.
    """

    def __getitem__(self, name: str) -> Any:
        if name not in command_names():
            raise KeyError(name)
        return to_typer(name, load_command(name))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(command_names(), key=lambda name: load_command(name).rank))

    def __len__(self) -> int:
        return len(command_names())


class _Group(TyperGroup):
    """The group of the commands in ``commands``."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands()  # type: ignore[assignment]  # it is only read


_app = typer.Typer(
    name="toolgauge",
    cls=_Group,
    epilog=_EXIT_CODES,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        say(f"toolgauge {toolgauge.__version__}")
        raise typer.Exit


@_app.callback()
def _toolgauge(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Look at tools, check calls against their contracts, and run them.

    Ask whether every model provider and client will accept them, make them
    acceptable, and tell whether a change of them breaks callers.

    SOURCE is one of: a JSON file with tools (of MCP, OpenAI, Anthropic, Gemini
    or Bedrock); package.module:attribute; the URL of an MCP server; or
    -- COMMAND ARG... for an MCP server over stdio, at the end of the line.
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code.

    Args:
        argv: The words after the program's name; those of this process by
            default.
    """
    open_missing_streams()
    use_utf8()
    # Libraries log what our own one-line errors already report.
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for name in ("mcp", "client", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with reporting_system_errors():
        _app(args=list(sys.argv[1:] if argv is None else argv), prog_name="toolgauge")
