"""``toolgauge check``: will every target accept these tools?"""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection, warn_of_problems
from toolgauge.cli.errors import WrongUsage
from toolgauge.cli.files import is_file, rereadable
from toolgauge.cli.options import SourceWord
from toolgauge.cli.output import say_json
from toolgauge.cli.progress import sign_of_life
from toolgauge.cli.running import FINDINGS, GOOD
from toolgauge.cli.text import counted, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.cli.connection import Opened
    from toolgauge.cli.reports.evidence import Checked
    from toolgauge.rules import Report
    from toolgauge.upstream import Source, SourceProblem


class CheckFormat(StrEnum):
    """How ``check`` writes what it found: by ``render`` of the module in ``reports``."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"


_FOR_PEOPLE = (CheckFormat.TEXT, CheckFormat.GITHUB, CheckFormat.MARKDOWN)


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


async def check(
    *,
    source: SourceWord = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            metavar="NAME",
            help="A target or group (all, providers, runtimes, clients, specifications, strict); "
            "repeatable. All targets by default.",
        ),
    ] = None,
    shape: Annotated[
        CheckFormat,
        typer.Option("--format", "-f", help="text for people, the others for programs."),
    ] = CheckFormat.TEXT,
    fail_on: Annotated[
        FailOn,
        typer.Option("--fail-on", help="The least severe finding that makes the exit code 1."),
    ] = FailOn.ERROR,
    severity: Annotated[
        Severity | None,
        typer.Option(
            "--severity",
            help="The least severe findings to show: warnings in text, github and markdown, "
            "everything in the others.",
        ),
    ] = None,
    prefix: Annotated[
        str, typer.Option("--prefix", metavar="TEXT", help="What a client puts before each name.")
    ] = "",
    conservative: Annotated[
        bool,
        typer.Option(
            "--conservative", help="Limits that sources contradict each other about count."
        ),
    ] = False,
    connection: Connection,
) -> int:
    """Ask every model provider, runtime and client whether it will accept the tools.

    Nothing is sent anywhere: the targets' limits come with toolgauge. A file may
    be in any provider's shape, and findings point into it as it is. The exit
    code is 1 when anything is at or above --fail-on.
    """
    from toolgauge.cli.reports.evidence import Checked

    least = severity or (Severity.WARNING if shape in _FOR_PEOPLE else Severity.ADVICE)
    names = _known(target or ["all"])
    results: list[Checked] = []
    broken = 0
    for each in _sources(source or [], connection):
        with rereadable(each) as held:
            async with connection.open(held) as opened:
                report = _checked(opened, names, prefix, conservative=conservative)
            text = _text(held)
        broken += _warn_unreported(opened.problems, report)
        results.append(
            Checked(
                report=report,
                label=opened.label,
                severity=least,
                fail_on=fail_on,
                uri=_uri(each),
                text=text,
                places=tuple(entry.path for entry in opened.entries),
            )
        )
    if shape is CheckFormat.JSON:
        several = [{"source": each.label, **each.to_json()} for each in results]
        say_json(results[0].to_json() if len(results) == 1 else {"sources": several})
    else:
        sys.stdout.write(import_module(f"toolgauge.cli.reports.{shape}").render(results))
    is_bad = any(each.fails for each in results) or (broken and fail_on is not FailOn.NEVER)
    return FINDINGS if is_bad else GOOD


COMMAND = Command(
    run=check,
    rank=60,
    examples="""\
  toolgauge check tools.json
  toolgauge check tools.json --target openai-strict --target anthropic
  toolgauge check toolgauge.demo:tools --prefix mcp__demo__ --fail-on warning
  toolgauge check tools.json --format sarif > toolgauge.sarif
  toolgauge check --target clients -- npx -y @modelcontextprotocol/server-everything
""",
)


def _known(names: Sequence[str]) -> Sequence[str]:
    """Look the targets up before a source is opened."""
    from toolgauge.rules import UnknownTarget, select

    try:
        select(names)
    except UnknownTarget as error:
        raise WrongUsage(f"{error} (toolgauge targets lists them)") from error
    return names


def _sources(words: Sequence[str], connection: Connection) -> list[Source]:
    """Find the SOURCEs: each word is one."""
    from toolgauge.upstream import parse_source

    if connection.command is not None or not words:
        return [connection.source(words)]
    return [parse_source([word]) for word in words]


def _checked(opened: Opened, names: Sequence[str], prefix: str, *, conservative: bool) -> Report:
    """Check the definitions as they stand in the source, and the validators behind them."""
    from toolgauge.cli.agreement import with_disagreements
    from toolgauge.rules import check as check_tools

    raw = [entry.raw for entry in opened.entries]
    with sign_of_life(f"checking {counted(len(raw), 'tool')} of {visible(opened.label)}"):
        report = check_tools(
            raw,
            names,
            prefix=prefix,
            namespaces=[entry.namespace for entry in opened.entries],
            conservative=conservative,
        )
        is_alike = len(opened.tools) == len(raw)
        return with_disagreements(report, opened.tools) if is_alike else report


def _warn_unreported(problems: Sequence[SourceProblem], report: Report) -> int:
    """Warn of what is wrong with the source and in no finding; count broken tools."""
    reported = {each.index for each in report.findings}
    left = [each for each in problems if each.index is None or each.index not in reported]
    warn_of_problems(left)
    return sum(each.index is not None for each in left)


def _uri(source: Source) -> str | None:
    """Name a file relative to the working directory, as code scanning wants it."""
    from toolgauge.upstream import FileSource

    if not isinstance(source, FileSource):
        return None
    try:
        return Path(os.path.relpath(source.path)).as_posix()
    except (OSError, ValueError):  # another drive, or a working directory that was deleted
        return source.path.absolute().as_uri()


def _text(source: Source) -> str | None:
    """Read a file once more, as text."""
    from toolgauge.upstream import FileSource, SourceUnreadable
    from toolgauge.upstream.files import MAX_FILE_BYTES, read_bounded

    if not isinstance(source, FileSource) or not is_file(source.path):
        return None
    try:
        data = read_bounded(source.path, MAX_FILE_BYTES)
    except (OSError, SourceUnreadable):
        return None  # it was there a moment ago; findings have no lines then
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
