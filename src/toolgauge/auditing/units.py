"""Work units: a file and a range of it, which any engine may run anywhere, twice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

from toolgauge.auditing.arrow import pa, pq
from toolgauge.auditing.errors import MissingInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolgauge.auditing.inputs import Input

MIN_UNIT_BYTES, MAX_UNIT_BYTES = 4 * 1024 * 1024, 32 * 1024 * 1024
"""As little and as much of a plain file as makes one unit, about."""

_UNITS = 32
"""About as many units as workers share evenly, however many they are."""

UNIT_ROWS = 100_000
"""About as many rows of a Parquet file as make one unit."""

_COUNT_BYTES = 256 * 1024
"""As much as is counted at once: little enough to stay near the processor."""


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
        end: The one after the last; 0 for a Parquet file whose row groups nobody can find.
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
        MissingInput: If there is nothing to read.
    """
    return list(iter_units(inputs, unit_bytes=unit_bytes))


def iter_units(inputs: Sequence[Input], *, unit_bytes: int | None = None) -> Iterator[WorkUnit]:
    """Cut the input into units while they are asked for: a plain file is read on the way.

    The footers of Parquet files are read, and the first unit is cut, before this returns. A
    file whose footer is damaged is one unit, which fails.

    Args:
        inputs: The files.
        unit_bytes: As for ``plan_units``.

    Raises:
        MissingInput: As ``plan_units``; later, for a file that has gone meanwhile.
    """
    size = bytes_of_unit(inputs) if unit_bytes is None else unit_bytes
    ranges = [(each, _ranges(each, size)) for each in inputs]
    cuts = ((each, cut) for each, several in ranges for cut in several)
    units = (_unit(number, each, cut) for number, (each, cut) in enumerate(cuts))
    first = next(units, None)
    if first is None:
        raise MissingInput(", ".join(each.name for each in inputs), "no rows to audit")
    return chain((first,), units)


def bytes_of_unit(inputs: Sequence[Input]) -> int:
    """Give about how much of a plain file makes one unit of a run over these files."""
    share = sum(each.size for each in inputs) // _UNITS
    return min(max(share, MIN_UNIT_BYTES), MAX_UNIT_BYTES)


_Range = tuple[Literal["lines", "stream", "parquet"], int, int, int, int]


def _unit(number: int, source: Input, cut: _Range) -> WorkUnit:
    kind, start, end, first, weight = cut
    return WorkUnit(
        number=number,
        file=source.name,
        path=source.path,
        kind=kind,
        start=start,
        end=end,
        first=first,
        weight=weight,
    )


def _ranges(source: Input, unit_bytes: int) -> Iterable[_Range]:
    if source.kind == "parquet":
        return list(_row_groups(source))
    if source.kind == "lines":
        return _byte_ranges(source, unit_bytes)
    return [("stream", 0, source.size, 1, source.size)] if source.size else []


def _byte_ranges(source: Input, unit_bytes: int) -> Iterator[_Range]:
    """Cut a plain file after the first line end past each ``unit_bytes``, counting lines."""
    start, position, first, lines = 0, 0, 1, 0
    with source.stream() as file:
        while data := file.read(_COUNT_BYTES):
            counted = 0
            while (cut := _cut(data, start + unit_bytes - position, counted)) >= 0:
                lines += _line_ends(data[counted:cut])
                yield "lines", start, position + cut, first, position + cut - start
                start, counted = position + cut, cut
                first, lines = first + lines, 0
            lines += _line_ends(data[counted:])
            position += len(data)
    # Of a file that was cut short meanwhile the rest is a unit too, so that it is missed.
    end = max(position, source.size)
    if end > start:
        yield "lines", start, end, first, end - start


def _line_ends(data: bytes) -> int:
    """Count the line ends. Up to Python 3.12 ``bytes.count`` takes four times as long."""
    return len(data) - len(data.replace(b"\n", b""))


def _cut(data: bytes, least: int, done: int) -> int:
    """Find the end of the first line that ends at ``least`` or later; -1 for none."""
    return data.find(b"\n", max(least - 1, done)) + 1 or -1


def _row_groups(source: Input) -> Iterator[_Range]:
    """Put row groups together until they make a unit."""
    try:
        with source.open() as file:
            metadata = pq.ParquetFile(file).metadata
    except (pa.ArrowException, OSError):
        # One unit without an end, which fails for this file only, and says why.
        yield "parquet", 0, 0, 1, source.size
        return
    start, first, rows, done = 0, 1, 0, 0
    for group in range(metadata.num_row_groups):
        rows += metadata.row_group(group).num_rows
        if rows >= UNIT_ROWS or group == metadata.num_row_groups - 1:
            if rows:
                until = source.size * (first - 1 + rows) // max(metadata.num_rows, 1)
                yield "parquet", start, group + 1, first, until - done
                done = until
            start, first, rows = group + 1, first + rows, 0


def whole_unit(source: Input) -> WorkUnit:
    """Return a file as one unit, also where it would be cut."""
    if source.kind == "parquet":
        end = max((until for _, _, until, *_ in _row_groups(source)), default=0)
        return _unit(0, source, ("parquet", 0, end, 1, source.size))
    kind: Literal["lines", "stream"] = "lines" if source.kind == "lines" else "stream"
    return _unit(0, source, (kind, 0, source.size, 1, source.size))
