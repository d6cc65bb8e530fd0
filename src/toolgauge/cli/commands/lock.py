"""``toolgauge lock``: write down what the tools are, to compare with later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, has_problem, requiring_json, warn_of_problems
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import is_stream, read_if_there, write_files
from toolgauge.cli.locks import is_lock
from toolgauge.cli.options import Format, OutputFormat, SourceWord
from toolgauge.cli.output import say, say_json, warn
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from toolgauge.cli.connection import Opened, has_problem


async def lock(
    *,
    source: SourceWord = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The lock file.")
    ] = Path("toolgauge.lock"),
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 when the file is not what would be."),
    ] = False,
    shape: OutputFormat = Format.TEXT,
    connection: Connection,
) -> int:
    """Write the tools' contracts to a file that belongs into version control.

    The same tools give the same bytes, whatever order the source lists them in.
    toolgauge diff compares the file with what the tools have become. A tool that
    is broken is left out, and makes the exit code 1.
    """
    from toolgauge.changes import dump_lock, lock_of

    async with connection.open(connection.source(source)) as opened:
        with requiring_json(opened.label, "gives a tool that is"):
            wanted = dump_lock(lock_of(opened.tools))
    # What takes our output has nothing to compare with; what is only read may be a pipe.
    before = read_if_there(output) if check or not is_stream(output) else None
    if before and not is_lock(before):
        raise WrongUsage(f"{output} is there and is no lock; delete it or give another -o FILE")
    # Version control may have changed the line ends.
    is_current = before is not None and before.replace(b"\r\n", b"\n") == wanted
    is_written = not check and not is_current
    if is_written:
        write_files((output, wanted))
    _write(output, opened, shape, is_current=is_current, is_written=is_written)
    if check and not is_current:
        shows = (
            "there is no such lock yet" if before is None else "toolgauge diff shows what changed"
        )
        again = "writes it" if before is None else "writes it anew"
        warn(f"{shows}; the same command without --check {again}")
    return FINDINGS if has_problem(opened.problems) or (check and not is_current) else GOOD


COMMAND = Command(
    run=lock,
    rank=90,
    examples="""\
  toolgauge lock toolgauge.demo:tools
  toolgauge lock toolgauge.demo:tools --check
  toolgauge lock https://example.com/mcp -o servers/example.lock
  toolgauge lock -- npx -y @modelcontextprotocol/server-everything
""",
)


def _write(
    output: Path, opened: Opened, shape: Format, *, is_current: bool, is_written: bool
) -> None:
    """Report what became of the file."""
    if shape is Format.JSON:
        say_json(
            {
                "file": str(output),
                "source": opened.label,
                "tools": len(opened.tools),
                "current": is_current,
                "written": is_written,
                "problems": [each.to_json() for each in opened.problems],
            }
        )
        return
    name = visible(str(output))
    if is_written:
        # Beside the lock itself, where that goes into a pipe.
        tell = warn if is_stream(output) else say
        tell(f"wrote {name}: {opened.summary}")
    else:
        say(f"{name} is {'current' if is_current else 'not current'}: {opened.summary}")
    warn_of_problems(opened.problems)
