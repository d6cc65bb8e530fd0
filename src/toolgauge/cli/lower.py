"""``toolgauge lower``: make tools acceptable to one target."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli import options
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.findings import counted
from toolgauge.cli.opening import opened, tell_problems
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import escaped, say_text, terminal, visible, warn
from toolgauge.cli.words import to_source
from toolgauge.cli.writing import write_files
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


TargetName = Annotated[
    str,
    typer.Option(
        "--target",
        "-t",
        metavar="NAME",
        help="The provider to lower for; toolgauge targets lists them.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of stdout."),
]
MapFile = Annotated[
    Path | None,
    typer.Option("--map", metavar="FILE", help="Write what toolgauge restore needs to a file."),
]
LowerFormatOption = Annotated[
    LowerFormat,
    typer.Option(
        "--format",
        "-f",
        help="text: the tools, and on stderr what was lost; wire: the tools; "
        "json: one document with everything.",
    ),
]

EXAMPLES = """\b
Examples:
  toolgauge lower tools.json --target openai-strict > strict.json
  toolgauge lower tools.json -t gemini-parameters -o gemini.json --map calls.map.json
  toolgauge lower toolgauge.demo:tools -t anthropic-strict --format json
  toolgauge lower -t openai-strict -- npx -y @modelcontextprotocol/server-everything
"""


def lower(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    target: TargetName,
    output: Output = None,
    map_file: MapFile = None,
    shape: LowerFormatOption = LowerFormat.TEXT,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Rewrite tools so that a provider accepts them, and tell what that loses.

    Prints the tools as the provider's request wants them. With the map,
    toolgauge restore turns the model's calls back into calls of the tools as
    they were. The exit code is 1 when a tool cannot be lowered.
    """

    async def work() -> int:
        from toolgauge.lowering import lower as lower_tools

        chosen = _known(target)
        found = to_source(source or [], ctx.obj)
        async with opened(found, options.bounds_of(connect_timeout), header, env) as upstream:
            raw = [entry.raw for entry in upstream.entries]
            with sign_of_life(f"lowering {counted(len(raw), 'tool')} of {visible(upstream.label)}"):
                lowered = lower_tools(raw, chosen)
            problems, label = upstream.problems, upstream.label
        _write(lowered, shape, output, map_file)
        tell_problems([each for each in problems if each.index is None])
        if shape is not LowerFormat.JSON:
            _tell(lowered, label, is_short=shape is LowerFormat.WIRE)
        return FINDINGS if lowered.refused else GOOD

    finish(work(), Format.JSON if shape is LowerFormat.JSON else Format.TEXT)


def _known(name: str) -> Target:
    """Find the one target, and ask whether there is a way to lower for it.

    Raises:
        WrongUsage: There is no such target, it is a group, or it has no passes.
    """
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
    """Give everything as ``--format json`` prints it."""
    return (
        dump_json(
            {
                "target": lowered.target,
                "tools": lowered.wire(),
                "losses": [each.to_json() for each in lowered.losses],
                "refused": [each.to_json() for each in lowered.refused],
                "map": lowered.to_map(),
            }
        )
        + b"\n"
    )


def _rows(tools: list[dict[str, object]]) -> bytes:
    """Write one array with a tool on each line, so that a diff shows tools."""
    if not tools:
        return b"[]\n"
    return b"[\n" + b",\n".join(map(dump_json, tools)) + b"\n]\n"


def _tell(lowered: Lowered, label: str, *, is_short: bool) -> None:
    """Say on stderr what became of the tools; in short, only which were refused."""
    if is_short:
        for each in lowered.refused:
            warn(visible(f"refused {each.tool}: {each.reason}; {each.fix}"))
        return
    from toolgauge.cli.reports.lowered import to_text

    width, color = terminal(sys.stderr, _PIPED_WIDTH)
    sys.stderr.write(to_text(lowered, label, width=width, color=color))
