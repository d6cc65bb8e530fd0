"""Work units: a file and a range of it, which any engine may run anywhere, twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolgauge.audit.arrow import pa, pq
from toolgauge.audit.errors import MissingInput, UnreadableInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.audit.inputs import Input

MIN_UNIT_BYTES, MAX_UNIT_BYTES = 4 * 1024 * 1024, 32 * 1024 * 1024
"""As little and as much of a plain file as makes one unit, about."""

_UNITS = 32
"""About as many units as workers share evenly, however many they are."""

UNIT_ROWS = 100_000
"""About as many rows of a Parquet file as make one unit."""

_COUNT_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkUnit:
    """A part of the input that is read, judged and written as one.

    Attributes:
        number: Its place in the run, from 0. Parts are named by it.
        file: The file, as the user named it.
        path: Where it lies.
        kind: ``lines``: a byte range of a plain file. ``stream``: a whole
            compressed file. ``parquet``: a range of row groups.
        start: First byte or row group.
        end: The one after the last.
        first: Number of the first line or row, from 1.
        weight: Bytes of the file that it covers, for progress.
    """

    number: int
    file: str
    path: str
    kind: Literal["lines", "stream", "parquet"]
    start: int
    end: int
    first: int
    weight: int

    @property
    def title(self) -> str:
        """Name it for people."""
        what = {"lines": "bytes", "stream": "bytes", "parquet": "row groups"}[self.kind]
        return f"{self.file} ({what} {self.start}–{self.end})"


def plan_units(inputs: Sequence[Input], *, unit_bytes: int | None = None) -> list[WorkUnit]:
    """Cut the input into units. The same input gives the same units.

    Args:
        inputs: The files.
        unit_bytes: About how much of a plain file makes a unit, in bytes; by default
            as much as gives all workers something to do to the end.

    Raises:
        UnreadableInput: If a Parquet file's footer cannot be read.
        MissingInput: If there is nothing to read.
    """
    if unit_bytes is None:
        share = sum(each.size for each in inputs) // _UNITS
        unit_bytes = min(max(share, MIN_UNIT_BYTES), MAX_UNIT_BYTES)
    units: list[WorkUnit] = []
    for each in inputs:
        for kind, start, end, first, weight in _ranges(each, unit_bytes):
            units.append(
                WorkUnit(
                    number=len(units),
                    file=each.name,
                    path=each.path,
                    kind=kind,
                    start=start,
                    end=end,
                    first=first,
                    weight=weight,
                )
            )
    if not units:
        raise MissingInput(", ".join(each.name for each in inputs), "no rows to audit")
    return units


_Range = tuple[Literal["lines", "stream", "parquet"], int, int, int, int]


def _ranges(source: Input, unit_bytes: int) -> Iterator[_Range]:
    if source.kind == "parquet":
        yield from _row_groups(source)
    elif source.kind == "lines":
        yield from _byte_ranges(source, unit_bytes)
    elif source.size:
        yield "stream", 0, source.size, 1, source.size


def _byte_ranges(source: Input, unit_bytes: int) -> Iterator[_Range]:
    """Cut a plain file after the first line end past each ``unit_bytes``, counting lines."""
    start, position, first, lines = 0, 0, 1, 0
    with source.open() as file:
        while data := file.read(_COUNT_BYTES):
            counted = 0
            while (cut := _cut(data, start + unit_bytes - position, counted)) >= 0:
                lines += data.count(b"\n", counted, cut)
                yield "lines", start, position + cut, first, position + cut - start
                start, counted = position + cut, cut
                first, lines = first + lines, 0
            lines += data.count(b"\n", counted)
            position += len(data)
    if position > start:
        yield "lines", start, position, first, position - start


def _cut(data: bytes, least: int, done: int) -> int:
    """Find the end of the first line that ends at ``least`` or later; -1 for none."""
    return data.find(b"\n", max(least - 1, done)) + 1 or -1


def _row_groups(source: Input) -> Iterator[_Range]:
    """Put row groups together until they make a unit."""
    try:
        with source.open() as file:
            metadata = pq.ParquetFile(file).metadata
    except (pa.ArrowException, OSError) as error:
        reason = f"it is no whole Parquet file ({_first_line(error)})"
        raise UnreadableInput(source.name, 0, reason) from None
    start, first, rows = 0, 1, 0
    for group in range(metadata.num_row_groups):
        rows += metadata.row_group(group).num_rows
        if rows >= UNIT_ROWS or group == metadata.num_row_groups - 1:
            if rows:
                weight = source.size * rows // max(metadata.num_rows, 1)
                yield "parquet", start, group + 1, first, weight
            start, first, rows = group + 1, first + rows, 0


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
