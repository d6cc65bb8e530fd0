"""``toolgauge lock``: write down what the tools are, to compare with later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli import options
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.findings import counted
from toolgauge.cli.locks import is_lock
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.paths import is_stream
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import say, say_json, visible, warn
from toolgauge.cli.words import to_source
from toolgauge.cli.writing import read_if_there, write_files
from toolgauge.upstream import SourceUnreadable

if TYPE_CHECKING:
    from toolgauge.cli.opening import Opened

LOCK_FILE = Path("toolgauge.lock")

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The lock file.")]
Check = Annotated[
    bool,
    typer.Option("--check", help="Write nothing; exit 1 when the file is not what would be."),
]

EXAMPLES = """\b
Examples:
  toolgauge lock toolgauge.demo:tools
  toolgauge lock toolgauge.demo:tools --check
  toolgauge lock https://example.com/mcp -o servers/example.lock
  toolgauge lock -- npx -y @modelcontextprotocol/server-everything
"""


def lock(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    output: Output = LOCK_FILE,
    check: Check = False,
    shape: options.OutputFormat = Format.TEXT,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Write the tools' contracts to a file that belongs into version control.

    The same tools give the same bytes, whatever order the source lists them in.
    toolgauge diff compares the file with what the tools have become. A tool that
    is broken is left out, and makes the exit code 1.
    """

    async def work() -> int:
        found = to_source(source or [], ctx.obj)
        async with opened(found, options.bounds_of(connect_timeout), header, env) as upstream:
            wanted = _wanted(upstream)
        # What takes our output has nothing to compare with; what is only read may be a pipe.
        before = read_if_there(output) if check or not is_stream(output) else None
        _keep_others(output, before)
        is_current = before is not None and _is_same(before, wanted)
        is_written = not check and not is_current
        if is_written:
            write_files((output, wanted))
        _tell(output, upstream, shape, is_current=is_current, is_written=is_written)
        if check and not is_current:
            warn(_what_to_do(before))
        return FINDINGS if upstream.problems or (check and not is_current) else GOOD

    finish(work(), shape)


def _wanted(upstream: Opened) -> bytes:
    """Write the lock.

    Raises:
        SourceUnreadable: Python code gave a definition that JSON cannot carry.
    """
    from toolgauge.changes import dump_lock, lock_of

    try:
        return dump_lock(lock_of(upstream.tools))
    except (TypeError, ValueError, RecursionError) as error:
        reason = f"gives a tool that is not JSON: {error}"
        raise SourceUnreadable(upstream.label, reason) from error


def _keep_others(output: Path, before: bytes | None) -> None:
    """Overwrite nothing but locks.

    Raises:
        WrongUsage: The file is something else.
    """
    if before and not is_lock(before):
        raise WrongUsage(f"{output} is there and is no lock; delete it or give another -o FILE")


def _is_same(before: bytes, wanted: bytes) -> bool:
    """Compare, whatever line ends version control gave the file."""
    return before.replace(b"\r\n", b"\n") == wanted


def _tell(
    output: Path, upstream: Opened, shape: Format, *, is_current: bool, is_written: bool
) -> None:
    """Say what became of the file."""
    if shape is Format.JSON:
        say_json(
            {
                "file": str(output),
                "source": upstream.label,
                "tools": len(upstream.tools),
                "current": is_current,
                "written": is_written,
                "problems": [each.to_json() for each in upstream.problems],
            }
        )
        return
    tools = f"{counted(len(upstream.tools), 'tool')} of {visible(upstream.label)}"
    name = visible(str(output))
    if is_written:
        # Beside the lock itself, where that goes into a pipe.
        tell = warn if is_stream(output) else say
        tell(f"wrote {name}: {tools}")
    else:
        say(f"{name} is {'current' if is_current else 'not current'}: {tools}")
    tell_problems(upstream.problems)


def _what_to_do(before: bytes | None) -> str:
    """Say how to bring the file up to date."""
    if before is None:
        return "there is no such lock yet; the same command without --check writes it"
    return "toolgauge diff shows what changed; the same command without --check writes it anew"
