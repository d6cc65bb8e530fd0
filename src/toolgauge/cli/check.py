"""``toolgauge check``: will every target accept these tools?"""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli import options
from toolgauge.cli.agreement import with_disagreements
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.findings import counted
from toolgauge.cli.opening import opened, to_line
from toolgauge.cli.paths import is_file, rereadable
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.running import FINDINGS, GOOD, Format, finish
from toolgauge.cli.text import say_json, terminal, visible, warn
from toolgauge.cli.words import to_sources
from toolgauge.upstream import FileSource, SourceUnreadable
from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.cli.opening import Opened
    from toolgauge.cli.reports.evidence import Checked
    from toolgauge.rules import Report
    from toolgauge.upstream import Source, SourceProblem

_PIPED_WIDTH = 100


class CheckFormat(StrEnum):
    """How ``check`` writes what it found."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"


class Severity(StrEnum):
    """How much a finding counts for."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class FailOn(StrEnum):
    """What makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"
    NEVER = "never"


Targets = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        "-t",
        metavar="NAME",
        help="A target or group (all, providers, runtimes, clients, specifications, strict); "
        "repeatable. All targets by default.",
    ),
]
CheckFormatOption = Annotated[
    CheckFormat, typer.Option("--format", "-f", help="text for people, the others for programs.")
]
FailOnOption = Annotated[
    FailOn, typer.Option("--fail-on", help="The least severe finding that makes the exit code 1.")
]
Prefix = Annotated[
    str, typer.Option("--prefix", metavar="TEXT", help="What a client puts before each name.")
]
Conservative = Annotated[
    bool,
    typer.Option("--conservative", help="Limits that sources contradict each other about count."),
]
SeverityOption = Annotated[
    Severity | None,
    typer.Option(
        "--severity",
        show_default=False,
        help="The least severe findings to show: warnings in text, github and markdown, "
        "everything in the others.",
    ),
]

EXAMPLES = """\b
Examples:
  toolgauge check tools.json
  toolgauge check tools.json --target openai-strict --target anthropic
  toolgauge check toolgauge.demo:tools --prefix mcp__demo__ --fail-on warning
  toolgauge check tools.json --format sarif > toolgauge.sarif
  toolgauge check --target clients -- npx -y @modelcontextprotocol/server-everything
"""

_FOR_PEOPLE = (CheckFormat.TEXT, CheckFormat.GITHUB, CheckFormat.MARKDOWN)


def check(
    ctx: typer.Context,
    *,
    source: options.SourceWord = None,
    target: Targets = None,
    shape: CheckFormatOption = CheckFormat.TEXT,
    fail_on: FailOnOption = FailOn.ERROR,
    severity: SeverityOption = None,
    prefix: Prefix = "",
    conservative: Conservative = False,
    connect_timeout: options.ConnectTimeout = options.CONNECT_TIMEOUT_S,
    header: options.Headers = None,
    env: options.Env = None,
) -> None:
    """Ask every model provider, runtime and client whether it will accept the tools.

    Nothing is sent anywhere: the targets' limits come with toolgauge. A file may
    be in any provider's shape, and findings point into it as it is. The exit
    code is 1 when anything is at or above --fail-on.
    """
    least = severity or (Severity.WARNING if shape in _FOR_PEOPLE else Severity.ADVICE)

    async def work() -> int:
        from toolgauge.cli.reports.evidence import Checked

        names = _known(target or ["all"])
        sources = to_sources(source or [], ctx.obj)
        results: list[Checked] = []
        broken = 0
        for each in sources:
            with rereadable(each) as held:
                async with opened(
                    held, options.bounds_of(connect_timeout), header, env
                ) as upstream:
                    report = _checked(upstream, names, prefix, conservative=conservative)
                held_text = _text(held)
            broken += _tell_unreported(upstream.problems, report)
            results.append(
                Checked(
                    report=report,
                    label=upstream.label,
                    severity=least,
                    fail_on=fail_on,
                    uri=_uri(each),
                    text=held_text,
                    places=tuple(entry.path for entry in upstream.entries),
                )
            )
        _write(results, shape)
        is_bad = any(each.fails for each in results) or (broken and fail_on is not FailOn.NEVER)
        return FINDINGS if is_bad else GOOD

    finish(work(), Format.JSON if shape is CheckFormat.JSON else Format.TEXT)


def _known(names: Sequence[str]) -> Sequence[str]:
    """Ask for the targets before a source is opened.

    Raises:
        WrongUsage: There is no target or group of a name.
    """
    from toolgauge.rules import UnknownTarget, select

    try:
        select(names)
    except UnknownTarget as error:
        raise WrongUsage(f"{error} (toolgauge targets lists them)") from error
    return names


def _checked(upstream: Opened, names: Sequence[str], prefix: str, *, conservative: bool) -> Report:
    """Check the definitions as they stand in the source, and the validators behind them."""
    from toolgauge.rules import check as check_tools

    raw = [entry.raw for entry in upstream.entries]
    with sign_of_life(f"checking {counted(len(raw), 'tool')} of {visible(upstream.label)}"):
        report = check_tools(raw, names, prefix=prefix, conservative=conservative)
        is_alike = len(upstream.tools) == len(raw)
        return with_disagreements(report, upstream.tools) if is_alike else report


def _tell_unreported(problems: Sequence[SourceProblem], report: Report) -> int:
    """Warn of what is wrong with the source and no finding says; count broken tools."""
    reported = {each.index for each in report.findings}
    left = [each for each in problems if each.index is None or each.index not in reported]
    for each in left:
        warn(f"warning: {visible(to_line(each))}")
    return sum(each.index is not None for each in left)


def _uri(source: Source) -> str | None:
    """Name a file relative to the working directory, as code scanning wants it."""
    if not isinstance(source, FileSource):
        return None
    try:
        return Path(os.path.relpath(source.path)).as_posix()
    except (OSError, ValueError):  # another drive, or a working directory that is gone
        return source.path.absolute().as_uri()


def _text(source: Source) -> str | None:
    """Read a file once more, as text."""
    if not isinstance(source, FileSource) or not is_file(source.path):
        return None
    try:
        data = read_bounded(source.path, MAX_FILE_BYTES)
    except (OSError, SourceUnreadable):
        return None  # it was there a moment ago; findings have no lines then
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _write(results: Sequence[Checked], shape: CheckFormat) -> None:
    """Write everything in the format that was asked for."""
    from toolgauge.cli.reports import github, junit, markdown, sarif, text

    match shape:
        case CheckFormat.TEXT:
            width, color = terminal(sys.stdout, _PIPED_WIDTH)
            written = text.to_text(results, width=width, color=color)
        case CheckFormat.JSON:
            several = [{"source": each.label, **each.to_json()} for each in results]
            say_json(results[0].to_json() if len(results) == 1 else {"sources": several})
            return
        case CheckFormat.SARIF:
            written = sarif.to_sarif(results)
        case CheckFormat.JUNIT:
            written = junit.to_junit(results)
        case CheckFormat.GITHUB:
            written = github.to_github(results)
        case CheckFormat.MARKDOWN:
            written = markdown.to_markdown(results)
    sys.stdout.write(written)
