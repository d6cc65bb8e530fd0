"""``toolgauge manifest``: keep the tools section of AGENTS.md and CLAUDE.md true."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli import options
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.findings import counted
from toolgauge.cli.marked import BrokenMarkers, take_apart
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.paths import is_file, is_there
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import say, say_json, visible, warn
from toolgauge.cli.words import to_source
from toolgauge.cli.writing import read_if_there, write_files
from toolgauge.upstream import SourceUnreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.cli.opening import Opened

DEFAULT_FILES = (Path("AGENTS.md"), Path("CLAUDE.md"))
_MAX_FILE_BYTES = 16 * 1024 * 1024
"""Largest file that is refreshed; models read a thousandth of that."""

Files = Annotated[
    list[Path] | None,
    typer.Option(
        "--file",
        "-o",
        metavar="FILE",
        help="The file to refresh; repeatable. AGENTS.md and CLAUDE.md, those that exist, "
        "by default; AGENTS.md where neither does.",
        show_default=False,
    ),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Write nothing; exit 1 when a file is not what would be."),
]

EXAMPLES = """\b
Examples:
  toolgauge manifest toolgauge.demo:tools
  toolgauge manifest tools.json --file docs/TOOLS.md
  toolgauge manifest tools.json --check
  toolgauge manifest -- npx -y @modelcontextprotocol/server-everything
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """One file: what it is to hold, and whether it does."""

    path: Path
    wanted: bytes
    is_current: bool


def manifest(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    files: Files = None,
    check: Check = False,
    shape: options.OutputFormat = Format.TEXT,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Write the tools section of AGENTS.md or CLAUDE.md: name, description, input schema.

    The section stands between two markers, and is added at the end of a file
    that has none; everything outside them stays byte for byte. The schema is the
    one that goes to the model. A tool that is broken is left out, and makes the
    exit code 1.
    """

    async def work() -> int:
        found = to_source(source or [], ctx.obj)
        paths = _distinct(files or _default_files())
        async with opened(found, options.bounds_of(connect_timeout), header, env) as upstream:
            section = _section(upstream)
        pages = [_page(path, section) for path in paths]
        stale = [page for page in pages if not page.is_current]
        if not check:
            write_files(*((page.path, page.wanted) for page in stale))
        _tell(pages, upstream, shape, is_check=check)
        if check and stale:
            warn(f"to refresh: {visible(_command(source or [], found.label, files, ctx.obj))}")
        return FINDINGS if upstream.problems or (check and stale) else GOOD

    finish(work(), shape)


def _default_files() -> list[Path]:
    """Give the files that are there, or the one to begin with."""
    return [path for path in DEFAULT_FILES if is_there(path)] or [DEFAULT_FILES[0]]


def _distinct(paths: Sequence[Path]) -> list[Path]:
    """Keep one path to each file: CLAUDE.md is often a link to AGENTS.md.

    Raises:
        WrongUsage: A path is none, or its links lead in a circle.
    """
    kept: dict[Path, Path] = {}
    for path in paths:
        try:
            kept.setdefault(path.resolve(), path)
        except (OSError, ValueError, RuntimeError) as error:
            raise WrongUsage(f"{path} is not a path to a file") from error
    return list(kept.values())


def _section(upstream: Opened) -> str:
    """Write the section.

    Raises:
        SourceUnreadable: Python code gave a definition that JSON cannot carry.
    """
    from toolgauge.wire import render_manifest

    try:
        section = render_manifest(upstream.tools)
        section.encode()
    except (TypeError, ValueError, RecursionError) as error:
        reason = f"gives a tool that is not JSON: {error}"
        raise SourceUnreadable(upstream.label, reason) from error
    return section


def _page(path: Path, section: str) -> _Page:
    """Work out what a file is to hold.

    Raises:
        WrongUsage: It is no file, too large, or its markers are broken.
    """
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


def _tell(pages: Sequence[_Page], upstream: Opened, shape: Format, *, is_check: bool) -> None:
    """Say what became of the files."""
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
                "source": upstream.label,
                "tools": len(upstream.tools),
                "problems": [each.to_json() for each in upstream.problems],
            }
        )
        return
    tools = f"{counted(len(upstream.tools), 'tool')} of {visible(upstream.label)}"
    for page in pages:
        name = visible(str(page.path))
        if page.is_current:
            say(f"{name} is current: {tools}")
        else:
            say(f"{name} is not current: {tools}" if is_check else f"wrote {name}: {tools}")
    tell_problems(upstream.problems)


def _command(
    words: Sequence[str], label: str, files: Sequence[Path] | None, command: Sequence[str] | None
) -> str:
    """Write the command that refreshes, without what may hold a token or a key.

    That is a URL's query, and the arguments of a server's command.
    """
    made = ["toolgauge", "manifest", *(label if "://" in each else each for each in words)]
    for path in files or ():
        made += ["--file", str(path)]
    if not command:
        return shlex.join(made)
    return shlex.join([*made, "--", label]) + (" …" if len(command) > 1 else "")
