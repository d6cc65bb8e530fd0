"""The application: its commands, ``--version``, and the way in."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Annotated

import typer

import toolgauge
from toolgauge.cli.audit import EXAMPLES as AUDIT_EXAMPLES
from toolgauge.cli.audit import audit
from toolgauge.cli.call import EXAMPLES as CALL_EXAMPLES
from toolgauge.cli.call import call
from toolgauge.cli.check import EXAMPLES as CHECK_EXAMPLES
from toolgauge.cli.check import check
from toolgauge.cli.diff import EXAMPLES as DIFF_EXAMPLES
from toolgauge.cli.diff import diff
from toolgauge.cli.explain import EXAMPLES as EXPLAIN_EXAMPLES
from toolgauge.cli.explain import explain
from toolgauge.cli.list import EXAMPLES as LIST_EXAMPLES
from toolgauge.cli.list import list_tools
from toolgauge.cli.lock import EXAMPLES as LOCK_EXAMPLES
from toolgauge.cli.lock import lock
from toolgauge.cli.logs import EXAMPLES as LOGS_EXAMPLES
from toolgauge.cli.logs import logs
from toolgauge.cli.lower import EXAMPLES as LOWER_EXAMPLES
from toolgauge.cli.lower import lower
from toolgauge.cli.manifest import EXAMPLES as MANIFEST_EXAMPLES
from toolgauge.cli.manifest import manifest
from toolgauge.cli.restore import EXAMPLES as RESTORE_EXAMPLES
from toolgauge.cli.restore import restore
from toolgauge.cli.running import telling_system_errors
from toolgauge.cli.serve import EXAMPLES as SERVE_EXAMPLES
from toolgauge.cli.serve import serve
from toolgauge.cli.sources import SourceCommand
from toolgauge.cli.stdio import EXAMPLES as STDIO_EXAMPLES
from toolgauge.cli.stdio import stdio
from toolgauge.cli.targets import EXAMPLES as TARGETS_EXAMPLES
from toolgauge.cli.targets import list_targets
from toolgauge.cli.text import open_missing_streams, say, use_utf8
from toolgauge.cli.validate import EXAMPLES as VALIDATE_EXAMPLES
from toolgauge.cli.validate import validate

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_CODES = """\b
Exit codes:
  0  all good
  1  findings: broken arguments, an error of the tool, a flawed tool,
     a tool that cannot be lowered, a breaking change
  2  wrong usage
  3  the source could not be read or reached
"""

app: typer.Typer = typer.Typer(
    name="toolgauge",
    epilog=EXIT_CODES,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("serve", cls=SourceCommand, epilog=SERVE_EXAMPLES)(serve)
app.command("stdio", cls=SourceCommand, epilog=STDIO_EXAMPLES)(stdio)
app.command("list", cls=SourceCommand, epilog=LIST_EXAMPLES)(list_tools)
app.command("validate", cls=SourceCommand, epilog=VALIDATE_EXAMPLES)(validate)
app.command("call", cls=SourceCommand, epilog=CALL_EXAMPLES)(call)
app.command("check", cls=SourceCommand, epilog=CHECK_EXAMPLES)(check)
app.command("lower", cls=SourceCommand, epilog=LOWER_EXAMPLES)(lower)
app.command("restore", epilog=RESTORE_EXAMPLES)(restore)
app.command("lock", cls=SourceCommand, epilog=LOCK_EXAMPLES)(lock)
app.command("diff", cls=SourceCommand, epilog=DIFF_EXAMPLES)(diff)
app.command("manifest", cls=SourceCommand, epilog=MANIFEST_EXAMPLES)(manifest)
app.command("audit", cls=SourceCommand, epilog=AUDIT_EXAMPLES)(audit)
app.command("logs", epilog=LOGS_EXAMPLES)(logs)
app.command("explain", epilog=EXPLAIN_EXAMPLES)(explain)
app.command("targets", epilog=TARGETS_EXAMPLES)(list_targets)


def _show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        say(f"toolgauge {toolgauge.__version__}")
        raise typer.Exit


@app.callback()
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
    # Libraries log what our own messages already say in one sentence.
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for name in ("mcp", "client", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with telling_system_errors():
        app(args=list(sys.argv[1:] if argv is None else argv), prog_name="toolgauge")
