"""``toolgauge logs``: what a contract log says."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli.command import Command
from toolgauge.cli.files import is_file, is_folder, is_there
from toolgauge.cli.options import DEFAULT_LOG_DIR, Format, OutputFormat
from toolgauge.cli.output import say, say_json
from toolgauge.cli.progress import bytes_read
from toolgauge.cli.running import GOOD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolgauge.envelope.summary import LogSummary

_LATEST = Path("mcp_server", "envelope_validation", "envelope_validation.latest.jsonl")
_PAUSE_S = 0.2


def logs(
    *,
    file: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="Contract logs, or what --log-dir named, for its latest one; "
            f"{DEFAULT_LOG_DIR / _LATEST} by default.",
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Print each request as it is logged; Ctrl-C ends.")
    ] = False,
    shape: OutputFormat = Format.TEXT,
) -> int:
    """Summarise contract logs: calls, failures and their causes, latencies.

    Lines that are no records, such as the last one of a log whose disk was full, are
    counted and passed over. With --follow what is in the file already is counted, and
    each new request is printed; where the log goes on in another file, so does this.
    """
    from toolgauge.cli.reports.logged import summary_text
    from toolgauge.envelope.summary import LogSummary

    files = _each_once(_latest_in(each) for each in file or [DEFAULT_LOG_DIR])
    summary = LogSummary()
    if follow:
        with suppress(KeyboardInterrupt):
            _follow(files, summary, shape)
    else:
        _read(files, summary)
    if shape is Format.TEXT:
        say(summary_text(summary))
    elif not follow:
        say_json({"files": [str(each) for each in files], **summary.to_json()})
    return GOOD


COMMAND = Command(
    run=logs,
    rank=130,
    examples="""\
  toolgauge logs
  toolgauge logs runs/mcp_server/envelope_validation/*Z-*.jsonl --format json
  toolgauge logs logs --follow
""",
)


def _latest_in(path: Path) -> Path:
    """Return the latest log below a folder, and a file as it is."""
    if path != DEFAULT_LOG_DIR and not is_folder(path):
        return path
    return next(
        (each for each in (path / _LATEST.name, path / _LATEST) if is_there(each)), path / _LATEST
    )


def _each_once(paths: Iterable[Path]) -> list[Path]:
    """Drop a file that another name leads to, as the link to the latest log does.

    With --follow the last name counts: it may be the one that goes on elsewhere.
    """
    found: dict[object, Path] = {}
    for path in paths:
        try:
            held = path.stat()
        except OSError:
            key: object = path
        else:
            # A system without such numbers says 0 for all.
            key = (held.st_dev, held.st_ino) if held.st_ino else path.resolve()
        found.pop(key, None)
        found[key] = path
    return list(found.values())


def _read(files: list[Path], summary: LogSummary) -> None:
    """Count the records of whole files."""
    from toolgauge.cli.log_files import read_records

    total = sum(each.stat().st_size for each in files if is_file(each))
    with bytes_read(total) as tell:
        for path in files:
            for record in read_records(path, tell):
                summary.add(record)


def _follow(files: list[Path], summary: LogSummary, shape: Format) -> None:
    """Count what is there, then print what comes."""
    from toolgauge.cli.log_files import follow_records, read_records
    from toolgauge.cli.reports.logged import live_line

    for path in files[:-1]:
        for record in read_records(path):
            summary.add(record)
    is_live = False

    def wait() -> bool:
        nonlocal is_live
        is_live = True
        sys.stdout.flush()
        time.sleep(_PAUSE_S)
        return True

    found: Any
    for found in follow_records(files[-1], wait):
        if summary.add(found) and is_live:
            if shape is Format.JSON:
                say_json(found)
            else:
                say(live_line(found))
