"""The options for the contract log and its ids, and what they make."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.envelope import WriteRecord
    from toolgauge.gate import Recorder
    from toolgauge.serve import LogFeed

DEFAULT_LOG_DIR = Path("runs")
DEFAULT_MAX_BYTES = 67_108_864
_MIN_MAX_BYTES = 4_096
_SEED_OPTION = "--deterministic-ids"

LogDir = Annotated[
    Path,
    typer.Option(
        "--log-dir",
        metavar="FOLDER",
        help="Contract logs go to mcp_server/envelope_validation/ in this folder.",
    ),
]
LogMaxBytes = Annotated[
    int,
    typer.Option(
        "--log-max-bytes",
        metavar="BYTES",
        min=_MIN_MAX_BYTES,
        help="Begin a new log file before one grows larger.",
    ),
]
NoLog = Annotated[bool, typer.Option("--no-log", help="Write no contract log.")]
DeterministicIds = Annotated[
    str | None,
    typer.Option(
        _SEED_OPTION,
        metavar="[SEED]",
        show_default=False,
        help="Give equal requests equal ids in the log. A SEED that is no number needs "
        "an equals sign.",
    ),
]


@contextmanager
def recorder_of(
    log_dir: Path,
    max_bytes: int,
    seed: str | None,
    *,
    no_log: bool,
    feed: LogFeed | None = None,
) -> Iterator[Recorder]:
    """Make what the options ask for, and close the log at the end."""
    from toolgauge.envelope import DeterministicIds as Fixed
    from toolgauge.envelope import discard_record
    from toolgauge.gate import Recorder
    from toolgauge.serve.contract_log import ContractLog
    from toolgauge.serve.tracing import find_tracing

    ids = None if seed is None else Fixed(seed)
    if no_log:
        shown: WriteRecord = discard_record if feed is None else feed.write
        yield Recorder(ids=ids, write=shown, start_span=find_tracing())
        return
    log = ContractLog(log_dir, max_bytes=max_bytes)
    try:
        write = log.write if feed is None else feed.beside(log.write)
        yield Recorder(ids=ids, write=write, start_span=find_tracing())
    finally:
        log.close()


def feed_of(is_wanted: bool) -> LogFeed | None:
    """Make what the page's log reads; ``None`` where it has none."""
    if not is_wanted:
        return None
    from toolgauge.serve.log_feed import LogFeed

    return LogFeed()


def with_seed(words: Sequence[str]) -> list[str]:
    """Give ``--deterministic-ids`` its seed where it stands alone.

    The word after it is the seed only if it is a number, since it might be a SOURCE.

    Example:
        >>> with_seed(["--deterministic-ids", "tools.json"])
        ['--deterministic-ids=0', 'tools.json']
    """
    found: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == _SEED_OPTION:
            has_number = bool(rest) and rest[0].isascii() and rest[0].isdigit()
            word = f"{_SEED_OPTION}={rest.pop(0) if has_number else '0'}"
        found.append(word)
    return found
