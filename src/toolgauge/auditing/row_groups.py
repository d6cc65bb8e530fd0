"""Reads the row groups of a Parquet file in batches that fit into memory, whatever it claims.

A page of a hundred bytes can stand for gigabytes. What a row group expands to is found in
its page headers, before Arrow decodes anything.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, NamedTuple

from toolgauge.auditing.arrow import pq
from toolgauge.auditing.pages import BadPages, iter_pages, longest_text, repeated_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    import pyarrow as pa

    from toolgauge.auditing.pages import Page

BATCH_ROWS = 4_096
"""Most rows that are decoded at once."""

BATCH_BYTES = 64 * 1024 * 1024
"""About as many bytes as are decoded at once; of larger rows fewer are taken."""

MAX_DECODED_BYTES = 256 * 1024 * 1024
"""What must be decoded as one, of all columns of a row group together: pages, dictionaries,
and columns of lists, where one row may hold all values."""

MAX_GROWTH = 200
"""How many times its stored size that may be, where this is more. Real files reach about 20."""

_VALUE_BYTES = 16
"""What a value of a list takes beside its text: itself, and two levels of nesting."""

_WORD_BYTES = 8
_PADDING = 100
"""Old writers left the header of a dictionary out of a column's size (PARQUET-816)."""


class TooLarge(ValueError):
    """Rows that decode to more than is held at once."""


def iter_batches(file: IO[bytes], groups: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """Give the rows of some row groups, in batches.

    Raises:
        TooLarge: If a row group decodes to too much.
        BadPages: If one is damaged.
        pyarrow.ArrowException: The same.
    """
    metadata = pq.ParquetFile(file).metadata
    size = file.seek(0, io.SEEK_END)
    part, schema = _Part(size), metadata.schema
    readers: dict[tuple[str, ...], Any] = {}
    if any(number >= metadata.num_row_groups for number in groups):
        raise BadPages("it has fewer row groups than it had")
    for few in _together(metadata, groups):
        columns = [each for number in few for each in _columns(schema, metadata.row_group(number))]
        start = max(0, min((each.start for each in columns), default=0))
        end = max((each.end for each in columns), default=0)
        file.seek(start)
        part.hold(start, file.read(max(0, min(end, size) - start)))
        rows, indexed = _plan(columns, part.data, start)
        if indexed not in readers:
            readers[indexed] = pq.ParquetFile(
                part, metadata=metadata, read_dictionary=indexed, pre_buffer=False
            )
        # Arrow cannot go on with another dictionary in the middle of nested values.
        for read in [[number] for number in few] if indexed else [few]:
            yield from readers[indexed].iter_batches(rows, row_groups=read)


def _together(metadata: Any, groups: Sequence[int]) -> Iterator[list[int]]:
    """Put small row groups together: to begin with each takes as long as many rows."""
    few: list[int] = []
    rows = 0
    for number in groups:
        few.append(number)
        rows += metadata.row_group(number).num_rows
        if rows >= BATCH_ROWS:
            yield few
            few, rows = [], 0
    if few:
        yield few


class _Part(io.RawIOBase):
    """A file of which only some bytes can be read: those of one row group.

    Args:
        size: Size of the whole file.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._start = self._at = 0
        self.data: memoryview = memoryview(b"")

    def hold(self, start: int, data: bytes) -> None:
        """Take the bytes from a place of the file on."""
        self._start, self.data = start, memoryview(data)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> memoryview:
        at = max(0, self._at - self._start)
        found = self.data[at:] if size < 0 else self.data[at : at + size]
        self._at += len(found)
        return found


class _Column(NamedTuple):
    """A column of a row group, as schema and footer describe it."""

    name: str
    is_list: bool
    width: int
    start: int
    end: int
    rows: int
    values: int
    codec: str
    is_text: bool


def _columns(schema: Any, group: Any) -> Iterator[_Column]:
    for index in range(len(schema)):
        kind, chunk = schema.column(index), group.column(index)
        start, dictionary = chunk.data_page_offset, chunk.dictionary_page_offset
        if dictionary:
            start = min(start, dictionary)
        end = start + chunk.total_compressed_size + _PADDING
        is_text = chunk.physical_type == "BYTE_ARRAY"
        yield _Column(
            name=kind.path,
            is_list=kind.max_repetition_level > 0,
            width=max(kind.length, _WORD_BYTES),
            start=start,
            end=end,
            rows=group.num_rows,
            values=chunk.num_values,
            codec=chunk.compression,
            is_text=is_text,
        )


def _plan(columns: Sequence[_Column], data: memoryview, start: int) -> tuple[int, tuple[str, ...]]:
    """Find how many rows can be read at once in little memory, and which texts as indices.

    Raises:
        TooLarge: If it cannot.
        BadPages: If it is damaged.
    """
    most = max(MAX_DECODED_BYTES, MAX_GROWTH * len(data))
    row_bytes: dict[str, int] = dict.fromkeys((each.name for each in columns), 0)
    share = BATCH_BYTES // max(len(row_bytes), 1)
    whole = 0
    indexed: dict[str, None] = {}
    for each in columns:
        chunk = data[max(0, each.start - start) : max(0, each.end - start)]
        found = _Cost(each)
        for page in iter_pages(chunk, each.values):
            found.add(page)
            if whole + found.whole > most:
                raise TooLarge(
                    f"column {each.name!r} decodes to {whole + found.whole} bytes at once; "
                    f"the limit is {most}"
                )
        found.finish(share)
        whole += found.whole
        row_bytes[each.name] = max(row_bytes[each.name], found.row_bytes)
        if found.is_indexed:
            indexed[each.name] = None
    rows = BATCH_BYTES // max(sum(row_bytes.values()), 1)
    return max(1, min(BATCH_ROWS, rows)), tuple(indexed)


class _Cost:
    """What a column takes when it is decoded.

    Attributes:
        row_bytes: Bytes of its largest rows, where rows can be read a few at a time.
        is_indexed: Whether its texts are read as indices into its dictionary.
    """

    def __init__(self, column: _Column) -> None:
        self._column = column
        self._dictionary: Page | None = None
        self._largest = self._total = self._values = self._referring = 0
        self.row_bytes: int = column.width
        self.is_indexed: bool = False

    def add(self, page: Page) -> None:
        """Count a page."""
        if page.is_dictionary:
            self._dictionary = page
            return
        self._largest = max(self._largest, page.size)
        self._total += page.size
        if page.repeats and self._column.is_list:
            # Rarely looked at: few files are written so.
            most = page.size * page.values
            is_small = most <= page.size + BATCH_BYTES // MAX_GROWTH
            self._total += most if is_small else repeated_bytes(page, self._column.codec)
        self._values += page.values
        if page.refers:
            self._referring += page.values
        elif page.repeats:
            self.row_bytes = max(self.row_bytes, page.size)
        else:
            self.row_bytes = max(self.row_bytes, page.size // max(page.values, 1))

    @property
    def whole(self) -> int:
        """Bytes that are held at once, however few rows are read."""
        column = self._column
        size = 0 if self._dictionary is None else self._dictionary.size
        if not column.is_list:
            return size + self._largest
        return size + self._total + self._values * max(column.width, _VALUE_BYTES)

    def finish(self, share: int) -> None:
        """Decide how the texts are read.

        Raises:
            BadPages: If there are not as many values as rows.
        """
        column = self._column
        if self._values < column.rows or (self._values > column.rows and not column.is_list):
            raise BadPages(f"column {column.name!r} has {self._values} values, not {column.rows}")
        if column.is_list:
            self.row_bytes = self.whole // max(column.rows, 1)
        if self._dictionary is None or not column.is_text:
            return
        # A list is decoded with all its rows; of others those of a batch.
        number = self._referring if column.is_list else min(self._referring, BATCH_ROWS)
        longest = self._dictionary.size
        if longest * number > share:
            longest = longest_text(self._dictionary, column.codec)
        # Where other pages hold texts too, each is looked up and kept: slow, and large.
        is_alone = self._referring == self._values
        self.is_indexed = longest * number > share and (column.is_list or is_alone)
        if not (self.is_indexed or column.is_list):
            self.row_bytes = max(self.row_bytes, longest)
