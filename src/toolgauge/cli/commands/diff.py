"""``toolgauge diff``: what changed in the tools, and whom does it break?"""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, requiring_json, warn_of_problems
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.locks import read_side
from toolgauge.cli.options import AssertFormats
from toolgauge.cli.output import say_json, say_text, terminal
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.changes import Changes
    from toolgauge.cli.locks import Side
    from toolgauge.upstream import Source

_PIPED_WIDTH = 80


class DiffFormat(StrEnum):
    """How ``diff`` writes what changed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class Allow(StrEnum):
    """What keeps the exit code 0."""

    NONE = "none"
    COMPATIBLE = "compatible"
    ANY = "any"


async def diff(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OLD [NEW | -- COMMAND ARG...]",
            help="Each a lock file or a SOURCE: a JSON file, package.module:attribute, or a URL.",
        ),
    ] = None,
    shape: Annotated[
        DiffFormat,
        typer.Option(
            "--format", "-f", help="text for people, json for programs, markdown for pull requests."
        ),
    ] = DiffFormat.TEXT,
    allow: Annotated[
        Allow,
        typer.Option(
            "--allow",
            help="What keeps the exit code 0. none: no change at all; compatible: changes that "
            "are proven to break nobody, and reworded texts; any: every change.",
        ),
    ] = Allow.COMPATIBLE,
    assert_formats: AssertFormats = False,
    connection: Connection,
) -> int:
    """Compare two lists of tools by what callers may send and what they get.

    A breaking change comes with a witness: arguments that the old tool accepts
    and the new one refuses. What is neither proven to break anybody nor to break
    nobody is unproven, and counts as breaking. --header and --env go to both.
    """
    from toolgauge.changes import compare

    sources = _two(words or [], connection.command)
    old, new = [await read_side(each, connection) for each in sources]
    doing = f"comparing {counted(len(old.tools), 'tool')} with {len(new.tools)}"
    with requiring_json(f"{old.label} and {new.label}", "a tool is"), sign_of_life(doing):
        changes = compare(old.tools, new.tools, formats=assert_formats)
    _write(old, new, changes, shape)
    if shape is not DiffFormat.JSON:
        warn_of_problems([*old.problems, *new.problems])
    return GOOD if _is_allowed(changes, allow) else FINDINGS


COMMAND = Command(
    run=diff,
    rank=100,
    examples="""\
  toolgauge diff toolgauge.lock toolgauge.demo:tools
  toolgauge diff old.json new.json --format markdown > comment.md
  toolgauge diff approved.lock https://example.com/mcp --allow none
  toolgauge diff toolgauge.lock -- npx -y @modelcontextprotocol/server-everything
""",
)


def _two(words: Sequence[str], command: Sequence[str] | None) -> list[Source]:
    """Find OLD and NEW; a command after ``--`` is NEW."""
    from toolgauge.upstream import parse_source

    given = len(words) + (command is not None)
    if given != 2:  # noqa: PLR2004 - OLD and NEW
        raise WrongUsage(f"give two sources, OLD and NEW; here is {given or 'none'}")
    sources = [parse_source([word]) for word in words]
    return sources if command is None else [*sources, parse_source(["--", *command])]


def _is_allowed(changes: Changes, allow: Allow) -> bool:
    """Check whether everything that changed is allowed."""
    if allow is Allow.COMPATIBLE:
        return changes.verdict not in {"breaking", "unproven"}
    return allow is Allow.ANY or not changes.changes


def _write(old: Side, new: Side, changes: Changes, shape: DiffFormat) -> None:
    """Write everything in the format that was asked for."""
    if shape is DiffFormat.JSON:
        problems = [
            {"side": side, **each.to_json()}
            for side, held in (("old", old), ("new", new))
            for each in held.problems
        ]
        say_json({"old": old.label, "new": new.label, **changes.to_json(), "problems": problems})
        return
    from toolgauge.cli.reports.changed import Compared, to_markdown, to_text

    compared = Compared(old=old.label, new=new.label, changes=changes)
    if shape is DiffFormat.MARKDOWN:
        say_text(to_markdown(compared))
    else:
        width, color = terminal(sys.stdout, _PIPED_WIDTH)
        say_text(to_text(compared, width=width, color=color))
