"""Reads the rows of a work unit: raw lines, or rows of Parquet."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING, Any, cast

from toolgauge.auditing.arrow import batch_bytes, column_values, pa
from toolgauge.auditing.errors import UnreadableInput, first_line
from toolgauge.auditing.inputs import GZIP, open_input, open_stream
from toolgauge.auditing.pages import BadPages
from toolgauge.auditing.row_groups import TooLarge, iter_batches
from toolgauge.auditing.units import whole_unit
from toolgauge.contract import InvalidJson, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolgauge.auditing.inputs import Input
    from toolgauge.auditing.units import WorkUnit

DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024
"""A recorded row may hold a whole conversation with its tools."""

BLOCK_BYTES = 256 * 1024
"""As much of a file as is split into lines at once: few enough to stay near the processor."""

MAX_ROWS_GROWTH = 1_000
"""How many times the size of its file the rows of a Parquet file may have, each in full."""

MAX_SMALL_ROWS_BYTES = 256 * 1024 * 1024
"""As much is read of a Parquet file however small it is."""

_OUT_OF_PROPORTION = (
    f"its rows have more than {MAX_SMALL_ROWS_BYTES} bytes and "
    f"{MAX_ROWS_GROWTH} times the size of the file"
)

_MAX_DEPTH = 128


class Overlong(int):
    """Stands for a line that is longer than may be held: its size in bytes."""


def iter_lines(unit: WorkUnit, max_line_bytes: int) -> Iterator[list[bytes] | Overlong]:
    """Give the lines of a unit without their ends, as many as were read at once.

    A line that is too long is never held: ``Overlong`` stands in its place.

    Raises:
        UnreadableInput: If the file is damaged, after what could be read.
    """
    line = unit.first - 1
    with open_stream(unit.path) as file:
        try:
            for lines in _lines(_reader(unit, file), max_line_bytes):
                yield lines
                line += 1 if isinstance(lines, Overlong) else len(lines)
        except (EOFError, gzip.BadGzipFile, zlib.error, OSError, pa.ArrowException) as error:
            raise UnreadableInput(unit.file, line, damage_of(error)) from None


def _reader(unit: WorkUnit, file: IO[bytes]) -> Callable[[int], bytes]:
    """Make the function that gives the unit's next bytes."""
    if unit.kind == "stream":
        return _unpacked(file)
    file.seek(unit.start)
    left = unit.end - unit.start

    def read(size: int) -> bytes:
        nonlocal left
        data = file.read(min(size, left))
        left -= len(data)
        return data

    return read


def _unpacked(file: IO[bytes]) -> Callable[[int], bytes]:
    start = file.read(4)
    file.seek(0)
    if start.startswith(GZIP):
        return gzip.GzipFile(fileobj=file).read
    return cast(
        "Callable[[int], bytes]", pa.CompressedInputStream(pa.PythonFile(file), "zstd").read
    )


def _lines(read: Callable[[int], bytes], max_line_bytes: int) -> Iterator[list[bytes] | Overlong]:
    """Cut what is read into lines; the last one is kept until its end is there."""
    kept = b""
    skipped = 0
    while data := read(BLOCK_BYTES):
        lines = data.split(b"\n")
        if skipped:
            skipped += len(lines[0])
            if len(lines) == 1:
                continue
            yield Overlong(skipped)
            skipped = 0
            del lines[0]
        else:
            lines[0] = kept + lines[0]
        kept = lines.pop()
        if lines:
            yield lines
        if len(kept) > max_line_bytes:
            skipped, kept = len(kept), b""
    if skipped:
        yield Overlong(skipped)
    elif kept:
        yield [kept]


def iter_blocks(source: Input) -> Iterator[tuple[int, list[bytes]]]:
    """Yield all lines of a file, as many as were read at once, with the number of the first.

    None stand in the place of a line that is too long.

    Raises:
        UnreadableInput: As ``iter_lines``.
    """
    number = 1
    for lines in iter_lines(whole_unit(source), DEFAULT_MAX_LINE_BYTES):
        yield number, [] if isinstance(lines, Overlong) else lines
        number += 1 if isinstance(lines, Overlong) else len(lines)


def parsed(text: bytes | str) -> Any:
    """Parse JSON that may be none: ``None`` for that, as for null."""
    try:
        return parse_json(text, max_depth=_MAX_DEPTH)
    except InvalidJson:
        return None


def iter_rows(
    unit: WorkUnit, max_row_bytes: int
) -> Iterator[tuple[int, dict[str, Any] | Overlong]]:
    """Give the rows of a Parquet unit with their numbers, from 1 in the file.

    ``Overlong`` stands in the place of a row that is too large.

    Raises:
        UnreadableInput: If the file is damaged, or its rows are out of all proportion to
            its size, after what could be read.
    """
    number = unit.first
    with open_input(unit.path) as file:
        left = _rows_bytes(unit, file.seek(0, io.SEEK_END))
        try:
            for batch in iter_batches(file, range(unit.start, unit.end)):
                for piece, size in _pieces(batch, max_row_bytes):
                    left -= size
                    if left < 0:
                        raise UnreadableInput(unit.file, number - 1, _OUT_OF_PROPORTION)
                    if size > max_row_bytes:
                        yield number, Overlong(size)
                        number += 1
                        continue
                    for row in _rows(piece):
                        yield number, row
                        number += 1
        except TooLarge as error:
            raise UnreadableInput(unit.file, number - 1, str(error)) from None
        except (OSError, pa.ArrowException, UnicodeDecodeError, BadPages) as error:
            raise UnreadableInput(unit.file, number - 1, damage_of(error)) from None
        except RecursionError:
            raise UnreadableInput(unit.file, number - 1, "its columns nest too deep") from None


def _rows_bytes(unit: WorkUnit, file_bytes: int) -> int:
    """Give the most bytes that the rows of a unit may have when each is written in full."""
    least = MAX_SMALL_ROWS_BYTES / max(file_bytes, 1)
    return int(unit.weight * max(least, MAX_ROWS_GROWTH))


def _pieces(batch: pa.RecordBatch, most: int) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Cut a batch until each piece is small, or one row; with the size of each."""
    size = batch_bytes(batch)
    if size <= most or batch.num_rows == 1:
        yield batch, size
        return
    half = batch.num_rows // 2
    yield from _pieces(batch.slice(0, half), most)
    yield from _pieces(batch.slice(half), most)


def _rows(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    columns = {
        name: column_values(column)
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }
    return [
        {name: values[index] for name, values in columns.items() if values[index] is not None}
        for index in range(batch.num_rows)
    ]


def damage_of(error: BaseException) -> str:
    """Say in a few words how a file is damaged."""
    if isinstance(error, EOFError):
        return "the compressed data is cut off"
    return f"the data is damaged ({first_line(error)})"
