"""The options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolgauge.contract import DEFAULT_BOUNDS

if TYPE_CHECKING:
    from toolgauge.envelope import WriteRecord
    from toolgauge.gate import Recorder
    from toolgauge.serve import LogFeed

SOURCE_HELP = "Where the tools are: a JSON file, package.module:attribute, or a URL."
CALL_TIMEOUT_S = DEFAULT_BOUNDS.handler_timeout_s
DEFAULT_LOG_DIR = Path("runs")
_SEED_OPTION = "--deterministic-ids"


class Format(StrEnum):
    """How a command writes what it found."""

    TEXT = "text"
    JSON = "json"


SourceWord = Annotated[
    list[str] | None, typer.Argument(metavar="[SOURCE | -- COMMAND ARG...]", help=SOURCE_HELP)
]
OutputFormat = Annotated[
    Format, typer.Option("--format", "-f", help="text for people, json for programs.")
]
AssertFormats = Annotated[
    bool,
    typer.Option(
        "--assert-formats", help='Check "format" (date, email, ...) too; an annotation otherwise.'
    ),
]
CallTimeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Longest run of one call.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The options for the contract log and the ids in it."""

    log_dir: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            help="Contract logs go to mcp_server/envelope_validation/ in this folder.",
        ),
    ] = DEFAULT_LOG_DIR
    log_max_bytes: Annotated[
        int,
        typer.Option(
            metavar="BYTES", min=4_096, help="Begin a new log file before one grows larger."
        ),
    ] = 67_108_864
    no_log: Annotated[bool, typer.Option("--no-log", help="Write no contract log.")] = False
    deterministic_ids: Annotated[
        str | None,
        typer.Option(
            _SEED_OPTION,
            metavar="[SEED]",
            help="Give equal requests equal ids in the log. A SEED that is no number needs "
            "an equals sign.",
        ),
    ] = None

    @contextmanager
    def recorder(self, feed: LogFeed | None = None) -> Iterator[Recorder]:
        """Open the log that the options ask for, and close it at the end.

        Args:
            feed: What receives each record too, also where no log is written.
        """
        from toolgauge.envelope import DeterministicIds, discard_record
        from toolgauge.gate import Recorder
        from toolgauge.serve.contract_log import ContractLog
        from toolgauge.serve.tracing import find_tracing

        seed = self.deterministic_ids
        ids = None if seed is None else DeterministicIds(seed)
        if self.no_log:
            shown: WriteRecord = discard_record if feed is None else feed.write
            yield Recorder(ids=ids, write=shown, start_span=find_tracing())
            return
        log = ContractLog(self.log_dir, max_bytes=self.log_max_bytes)
        try:
            write = log.write if feed is None else feed.beside(log.write)
            yield Recorder(ids=ids, write=write, start_span=find_tracing())
        finally:
            log.close()


def with_seed(words: Sequence[str]) -> list[str]:
    """Return a command line where ``--deterministic-ids`` has its seed.

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
