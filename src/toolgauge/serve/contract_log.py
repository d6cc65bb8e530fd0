"""The contract log: its files, and its newest records for the page to follow.

A file has JSON lines, each whole or not there, and is bounded in size. Layout, under a
folder of the host's choice::

    mcp_server/envelope_validation/
      20261128T093000.123Z-4711.0000.jsonl  a file per start
      20261128T093000.123Z-4711.0001.jsonl  the next one, past the bound on its size
      envelope_validation.latest.jsonl      a link to the newest

``GET /log`` reads from memory alone. A record has no argument values in it, so neither
place has.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolgauge.envelope import LogRecord, WriteRecord

_LOG = logging.getLogger(__name__)

DEFAULT_BASE: Final = Path("runs")
DEFAULT_MAX_BYTES: Final = 67_108_864
FOLDER: Final = Path("mcp_server", "envelope_validation")
LATEST: Final = "envelope_validation.latest.jsonl"


class ContractLog:
    """Writes records to a file of its own, which it makes for the first of them.

    Writing never raises: where it fails, the call is answered all the same, one
    warning is logged, and the next record is tried again. Safe to share between
    threads; not between processes, each of which has a file of its own.

    A line goes out in a single write, so that a process that is killed leaves no part
    of one. What a full disk cuts off is taken back.

    Args:
        base: The folder that all logs lie under.
        max_bytes: A file is followed by a new one before it grows larger. A single
            line that is larger has a file of its own.
    """

    def __init__(self, base: Path = DEFAULT_BASE, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self.folder: Path = base / FOLDER
        self._max_bytes = max_bytes
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")[:-3]
        self._stem = f"{stamp}Z-{os.getpid()}"
        self._part = 0
        self._descriptor: int | None = None
        self._path: Path | None = None
        self._size = 0
        self._lost = 0
        self._is_copied = False
        self._turn = threading.Lock()

    @property
    def path(self) -> Path | None:
        """The file that is written to; ``None`` before the first record."""
        return self._path

    def write(self, record: LogRecord) -> None:
        """Append one record."""
        line = record.to_line()
        with self._turn:
            try:
                self._append(line)
            except OSError as error:
                self._tell_loss(error)
            else:
                self._tell_recovery()

    def close(self) -> None:
        """Close the file; a later record would open a new one."""
        with self._turn:
            self._close()

    def _append(self, line: bytes) -> None:
        """Write a line whole, or nothing of it.

        Raises:
            OSError: It could not be written.
        """
        if self._size and self._size + len(line) > self._max_bytes:
            self._close()
        if self._descriptor is not None and os.fstat(self._descriptor).st_nlink == 0:
            # Somebody deleted it: nobody would ever see what is written to it.
            self._close()
        descriptor = self._descriptor if self._descriptor is not None else self._open()
        rest = line
        try:
            # One turn, but for a disk that is nearly full: it takes a part, and says
            # why only at the next.
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        except OSError:
            self._take_back(descriptor)
            raise
        self._size += len(line)

    def _take_back(self, descriptor: int) -> None:
        """Cut off what was written of a line."""
        try:
            os.ftruncate(descriptor, self._size)
        except OSError:
            # No line must follow half of one in the same file.
            self._close()

    def _open(self) -> int:
        """Make the next file.

        Raises:
            OSError: The folder or the file cannot be made.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        while True:
            path = self.folder / f"{self._stem}.{self._part:04}.jsonl"
            self._part += 1
            with suppress(FileExistsError):
                descriptor = os.open(path, flags, 0o666)  # as the umask has it
                break
        self._descriptor, self._path, self._size = descriptor, path, 0
        self._is_copied = not _point(self.folder / LATEST, path)
        return descriptor

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor, self._size = None, 0
            if self._is_copied and self._path is not None:
                self._copy(self._path)

    def _copy(self, path: Path) -> None:
        """Make the newest file's copy, where there can be no link to it."""
        try:
            _replace(self.folder / LATEST, path, shutil.copyfile)
        except OSError as error:
            _LOG.warning("%s cannot be made: %s", self.folder / LATEST, error)

    def _tell_loss(self, error: OSError) -> None:
        if not self._lost:
            reason = error.strerror or str(error)
            _LOG.warning("the contract log in %s cannot be written: %s", self.folder, reason)
        self._lost += 1

    def _tell_recovery(self) -> None:
        if self._lost:
            _LOG.warning("the contract log is written again; %d lines are missing", self._lost)
            self._lost = 0


def _point(latest: Path, path: Path) -> bool:
    """Make the link to the newest file.

    Returns:
        Whether there is a link that shows what is written from now on. Where the
        system has neither kind of link, a copy is made when the file is closed
        (decision E12).
    """

    def symlink(target: Path, place: Path) -> None:
        place.symlink_to(target.name)  # relative, so that the folder can be moved

    def hard_link(target: Path, place: Path) -> None:
        place.hardlink_to(target)

    for make in (symlink, hard_link):
        try:
            _replace(latest, path, make)
        except (OSError, NotImplementedError):
            continue
        return True
    return False


def _replace(latest: Path, path: Path, make: Callable[[Path, Path], object]) -> None:
    """Put something in the place of the link at once: nobody ever finds it missing.

    Raises:
        OSError: It cannot be made.
    """
    beside = latest.with_name(f".{latest.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    make(path, beside)
    beside.replace(latest)


DEFAULT_MAX_RECORDS: Final = 1_000
MAX_PER_ANSWER: Final = 500
_MAX_DIGITS: Final = 18


class LogFeed:
    """Keeps the newest records, numbered from 1. Safe to share between threads.

    Args:
        max_records: How many are kept.

    Example:
        >>> feed = LogFeed()
        >>> feed.since(0)["records"]
        []
    """

    def __init__(self, max_records: int = DEFAULT_MAX_RECORDS) -> None:
        # Numbers begin again with each process, so a reader must see that it is another.
        self._name = os.urandom(8).hex()
        self._records: deque[tuple[int, LogRecord]] = deque(maxlen=max_records)
        self._last = 0
        self._turn = threading.Lock()

    def write(self, record: LogRecord) -> None:
        """Take a record; the oldest makes room where there is none."""
        with self._turn:
            self._last += 1
            self._records.append((self._last, record))

    def beside(self, write: WriteRecord) -> WriteRecord:
        """Return a function that writes to this feed and to something else."""

        def both(record: LogRecord) -> None:
            self.write(record)
            write(record)

        return both

    def since(self, number: int) -> dict[str, Any]:
        """Return the records after a number, oldest first, as ``GET /log`` shows them.

        Args:
            number: The number of the last record that is known already; 0 for none.

        Returns:
            ``{"feed": "…", "last": 7, "records": [{"number": 7, …}]}``. ``last`` is the
            number to ask with next; ``feed`` changes when the process does. At most
            500 records: where there are more, the newest.
        """
        with self._turn:
            fresh = [each for each in self._newest() if each[0] > number]
            last = self._last
        records = [{"number": each, **record.to_json()} for each, record in reversed(fresh)]
        return {"feed": self._name, "last": last, "records": records}

    def _newest(self) -> list[tuple[int, LogRecord]]:
        return list(islice(reversed(self._records), MAX_PER_ANSWER))


def number_after(scope: Mapping[str, Any]) -> int:
    """Read ``?after=`` of a request; 0 where it is missing or no number."""
    fields = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
    text = next((value for name, value in fields if name == "after"), "0")
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else 0
