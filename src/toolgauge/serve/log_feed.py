"""``GET /log``: the newest records of the contract log, for the page to follow.

In memory alone and bounded; what was there before is in the log's files. A record has
no argument values in it, so neither has this.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgauge.envelope import LogRecord, WriteRecord

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
        """Give a function that writes to this feed and to something else."""

        def both(record: LogRecord) -> None:
            self.write(record)
            write(record)

        return both

    def since(self, number: int) -> dict[str, Any]:
        """Give the records after a number, oldest first, as ``GET /log`` shows them.

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
