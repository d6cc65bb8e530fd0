"""``toolgauge manifest``: keep the tools section of AGENTS.md and CLAUDE.md current."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, has_problem, requiring_json, warn_of_problems
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import is_file, is_there, read_if_there, write_files
from toolgauge.cli.marked import BrokenMarkers, take_apart
from toolgauge.cli.options import Format, OutputFormat, SourceWord
from toolgauge.cli.output import say, say_json, warn
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.cli.connection import Opened, has_problem

DEFAULT_FILES = (Path("AGENTS.md"), Path("CLAUDE.md"))
_MAX_FILE_BYTES = 16 * 1024 * 1024
"""Largest file that is refreshed; models read a thousandth of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """One file: what it is to hold, and whether it does."""

    path: Path
    wanted: bytes
    is_current: bool


async def manifest(
    *,
    source: SourceWord = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--file",
            "-o",
            metavar="FILE",
            help="The file to refresh; repeatable. AGENTS.md and CLAUDE.md, those that exist, "
            "by default; AGENTS.md where neither does.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 when a file is not what would be."),
    ] = False,
    shape: OutputFormat = Format.TEXT,
    connection: Connection,
) -> int:
    """Write the tools section of AGENTS.md or CLAUDE.md: name, description, input schema.

    The section stands between two markers, and is added at the end of a file
    that has none; everything outside them stays byte for byte. The schema is the
    one that goes to the model. A tool that is broken is left out, and makes the
    exit code 1.
    """
    from toolgauge.wire import render_manifest

    found = connection.source(source)
    default = [path for path in DEFAULT_FILES if is_there(path)] or [DEFAULT_FILES[0]]
    paths = _distinct(files or default)
    async with connection.open(found) as opened:
        with requiring_json(opened.label, "gives a tool that is"):
            section = render_manifest(opened.tools)
            section.encode()
    pages = [_page(path, section) for path in paths]
    stale = [page for page in pages if not page.is_current]
    if not check:
        write_files(*((page.path, page.wanted) for page in stale))
    _write(pages, opened, shape, is_check=check)
    if check and stale:
        command = _command(source or [], found.label, files or [], connection.command)
        warn(f"to refresh: {visible(command)}")
    return FINDINGS if has_problem(opened.problems) or (check and stale) else GOOD


COMMAND = Command(
    run=manifest,
    rank=110,
    examples="""\
  toolgauge manifest toolgauge.demo:tools
  toolgauge manifest tools.json --file docs/TOOLS.md
  toolgauge manifest tools.json --check
  toolgauge manifest -- npx -y @modelcontextprotocol/server-everything
""",
)


def _distinct(paths: Sequence[Path]) -> list[Path]:
    """Keep one path to each file: CLAUDE.md is often a link to AGENTS.md."""
    kept: dict[Path, Path] = {}
    for path in paths:
        try:
            kept.setdefault(path.resolve(), path)
        except (OSError, ValueError, RuntimeError) as error:
            raise WrongUsage(f"{path} is not a path to a file") from error
    return list(kept.values())


def _page(path: Path, section: str) -> _Page:
    """Build what a file is to hold."""
    if is_there(path) and not is_file(path):
        raise WrongUsage(f"{path} is not a file")
    before = read_if_there(path) or b""
    if len(before) > _MAX_FILE_BYTES:
        raise WrongUsage(f"{path} is larger than {_MAX_FILE_BYTES} bytes")
    try:
        marked = take_apart(before)
    except BrokenMarkers as error:
        raise WrongUsage(f"{path} cannot be refreshed: {error}") from error
    wanted = marked.with_section(section)
    return _Page(path=path, wanted=wanted, is_current=wanted == before)


def _write(pages: Sequence[_Page], opened: Opened, shape: Format, *, is_check: bool) -> None:
    """Report what became of the files."""
    if shape is Format.JSON:
        say_json(
            {
                "files": [
                    {
                        "file": str(page.path),
                        "current": page.is_current,
                        "written": not (is_check or page.is_current),
                    }
                    for page in pages
                ],
                "source": opened.label,
                "tools": len(opened.tools),
                "problems": [each.to_json() for each in opened.problems],
            }
        )
        return
    for page in pages:
        name = visible(str(page.path))
        if page.is_current or is_check:
            say(f"{name} is {'current' if page.is_current else 'not current'}: {opened.summary}")
        else:
            say(f"wrote {name}: {opened.summary}")
    warn_of_problems(opened.problems)


def _command(
    words: Sequence[str], label: str, files: Sequence[Path], command: Sequence[str] | None
) -> str:
    """Write the command that refreshes, without what may hold a token or a key.

    That is a URL's query, and the arguments of a server's command.
    """
    made = ["toolgauge", "manifest", *(label if "://" in each else each for each in words)]
    for path in files:
        made += ["--file", str(path)]
    if not command:
        return shlex.join(made)
    return shlex.join([*made, "--", label]) + (" …" if len(command) > 1 else "")
