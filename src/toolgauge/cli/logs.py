"""``toolgauge logs``: what a contract log says."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolgauge.cli import options
from toolgauge.cli.log_files import follow_records, read_records
from toolgauge.cli.paths import is_file, is_folder, is_there
from toolgauge.cli.progress import bytes_read
from toolgauge.cli.recording import DEFAULT_LOG_DIR
from toolgauge.cli.reports.logged import live_line, summary_text
from toolgauge.cli.running import GOOD, Format, finish
from toolgauge.cli.text import say, say_json
from toolgauge.envelope.summary import LogSummary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LATEST = Path("mcp_server", "envelope_validation", "envelope_validation.latest.jsonl")
DEFAULT_FILE = DEFAULT_LOG_DIR / _LATEST
_PAUSE_S = 0.2

Files = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FILE...]",
        show_default=False,
        help="Contract logs, or what --log-dir named, for its latest one; "
        f"{DEFAULT_FILE} by default.",
    ),
]
Follow = Annotated[
    bool,
    typer.Option("--follow", help="Print each request as it is logged; Ctrl-C ends."),
]

EXAMPLES = """\b
Examples:
  toolgauge logs
  toolgauge logs runs/mcp_server/envelope_validation/*Z-*.jsonl --format json
  toolgauge logs logs --follow
"""


def logs(
    *,
    file: Files = None,
    follow: Follow = False,
    shape: options.OutputFormat = Format.TEXT,
) -> None:
    """Summarise contract logs: calls, failures and their causes, latencies.

    Lines that are no records, such as the last one of a log whose disk was full, are
    counted and passed over. With --follow what is in the file already is counted, and
    each new request is printed; where the log goes on in another file, so does this.
    """
    files = _each_once(_latest_in(each) for each in file or [DEFAULT_LOG_DIR])
    summary = LogSummary()

    def work() -> int:
        if follow:
            with_interrupt(lambda: _follow(files, summary, shape))
        else:
            _read(files, summary)
        if shape is Format.JSON:
            if not follow:
                say_json({"files": [str(each) for each in files], **summary.to_json()})
        else:
            say(summary_text(summary))
        return GOOD

    finish(work, shape)


def _latest_in(path: Path) -> Path:
    """Give the latest log below a folder, and a file as it is."""
    if path != DEFAULT_LOG_DIR and not is_folder(path):
        return path
    return next(
        (each for each in (path / _LATEST.name, path / _LATEST) if is_there(each)), path / _LATEST
    )


def _each_once(paths: Iterable[Path]) -> list[Path]:
    """Leave out what another name has given already, as the link to the latest log does.

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


def with_interrupt(action: Callable[[], None]) -> None:
    """Do something until it is done, or until Ctrl-C."""
    try:
        action()
    except KeyboardInterrupt:
        return


def _read(files: list[Path], summary: LogSummary) -> None:
    """Count the records of whole files."""
    total = sum(each.stat().st_size for each in files if is_file(each))
    with bytes_read(total) as tell:
        for path in files:
            for record in read_records(path, tell):
                summary.add(record)


def _follow(files: list[Path], summary: LogSummary, shape: Format) -> None:
    """Count what is there, then print what comes."""
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

    for record in follow_records(files[-1], wait):
        if summary.add(record) and is_live:
            _tell(record, shape)


def _tell(record: Any, shape: Format) -> None:
    """Print one record."""
    if shape is Format.JSON:
        say_json(record)
    else:
        say(live_line(record))
