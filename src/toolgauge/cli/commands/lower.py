"""``toolgauge lower``: make tools acceptable to one target."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, warn_of_problems
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import write_files
from toolgauge.cli.options import SourceWord
from toolgauge.cli.output import say_text, terminal, warn
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import counted, escaped, visible
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from toolgauge.lowering import Lowered
    from toolgauge.rules import Target

_PIPED_WIDTH = 80


class LowerFormat(StrEnum):
    """What ``lower`` prints."""

    TEXT = "text"
    JSON = "json"
    WIRE = "wire"


async def lower(
    *,
    source: SourceWord = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            "-t",
            metavar="NAME",
            help="The provider to lower for; toolgauge targets lists them.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of stdout."),
    ] = None,
    map_file: Annotated[
        Path | None,
        typer.Option("--map", metavar="FILE", help="Write what toolgauge restore needs to a file."),
    ] = None,
    shape: Annotated[
        LowerFormat,
        typer.Option(
            "--format",
            "-f",
            help="text: the tools, and on stderr what was lost; wire: the tools; "
            "json: one document with everything.",
        ),
    ] = LowerFormat.TEXT,
    connection: Connection,
) -> int:
    """Rewrite tools so that a provider accepts them, and tell what that loses.

    Prints the tools as the provider's request wants them. With the map,
    toolgauge restore turns the model's calls back into calls of the tools as
    they were. The exit code is 1 when a tool cannot be lowered.
    """
    from toolgauge.lowering import lower as lower_tools

    chosen = _known(target)
    async with connection.open(connection.source(source)) as opened:
        raw = [entry.standalone for entry in opened.entries]
        with sign_of_life(f"lowering {counted(len(raw), 'tool')} of {visible(opened.label)}"):
            lowered = lower_tools(raw, chosen)
    _write(lowered, shape, output, map_file)
    warn_of_problems([each for each in opened.problems if each.index is None])
    if shape is LowerFormat.WIRE:
        for each in lowered.refused:
            warn(visible(f"refused {each.tool}: {each.reason}; {each.fix}"))
    elif shape is LowerFormat.TEXT:
        from toolgauge.cli.reports.lowered import to_text

        width, color = terminal(sys.stderr, _PIPED_WIDTH)
        sys.stderr.write(to_text(lowered, opened.label, width=width, color=color))
    return FINDINGS if lowered.refused else GOOD


COMMAND = Command(
    run=lower,
    rank=70,
    examples="""\
  toolgauge lower tools.json --target openai-strict > strict.json
  toolgauge lower tools.json -t gemini-parameters -o gemini.json --map calls.map.json
  toolgauge lower toolgauge.demo:tools -t anthropic-strict --format json
  toolgauge lower -t openai-strict -- npx -y @modelcontextprotocol/server-everything
""",
)


def _known(name: str) -> Target:
    """Find the one target, and check that tools can be lowered for it."""
    from toolgauge.lowering import NoPasses
    from toolgauge.lowering import lower as lower_tools
    from toolgauge.rules import UnknownTarget, select

    try:
        found = select([name])
        wanted = name.strip().lower().replace("_", "-")
        chosen = next((each for each in found if each.name == wanted), None)
        if chosen is None:
            members = ", ".join(each.name for each in found)
            raise WrongUsage(f"{name!r} is a group; name one target of it: {members}")
        lower_tools([], chosen)
    except UnknownTarget as error:
        raise WrongUsage(f"{error} (toolgauge targets lists them)") from error
    except NoPasses as error:
        raise WrongUsage(str(error)) from error
    return chosen


def _write(
    lowered: Lowered, shape: LowerFormat, output: Path | None, map_file: Path | None
) -> None:
    """Write the result and the map: both files, or neither."""
    written = _document(lowered) if shape is LowerFormat.JSON else _rows(lowered.wire())
    document = escaped(written.decode())
    files = [] if output is None else [(output, document.encode())]
    if map_file is not None:
        files.append((map_file, escaped(dump_json(lowered.to_map()).decode() + "\n").encode()))
    write_files(*files)
    if output is None:
        say_text(document)


def _document(lowered: Lowered) -> bytes:
    """Return everything as ``--format json`` prints it."""
    document = {
        "target": lowered.target,
        "tools": lowered.wire(),
        "losses": [each.to_json() for each in lowered.losses],
        "refused": [each.to_json() for each in lowered.refused],
        "map": lowered.to_map(),
    }
    return dump_json(document) + b"\n"


def _rows(tools: list[dict[str, object]]) -> bytes:
    """Write one array with a tool on each line, so that a diff shows tools."""
    return b"[\n" + b",\n".join(map(dump_json, tools)) + b"\n]\n" if tools else b"[]\n"
