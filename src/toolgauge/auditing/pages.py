"""The pages of a Parquet column, known by their headers before anything is decoded.

Source: parquet-format, ``PageHeader`` in ``parquet.thrift``; Thrift's compact protocol.
"""

from __future__ import annotations

from itertools import islice
from struct import Struct
from struct import error as StructError  # noqa: N812 - it is a class
from typing import TYPE_CHECKING, NamedTuple

from toolgauge.auditing.arrow import pa

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATA, _INDEX, _DICTIONARY, _DATA_V2 = range(4)
_BODY_FIELD = {_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8}
"""The field of a ``PageHeader`` that describes a page of each type."""

_BY_DICTIONARY = frozenset({2, 8})
"""``PLAIN_DICTIONARY`` and ``RLE_DICTIONARY``."""
_BY_PREFIX = 7
"""``DELTA_BYTE_ARRAY``: a value repeats the beginning of the one before it."""

_MAX_NESTING = 8
_MAX_SHIFT = 63
_STOP, _TRUE, _FALSE, _BYTE, _I64, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = (
    *(0, 1, 2, 3, 6),
    *(7, 8, 9, 10, 12),
)
_FIXED = {_TRUE: 0, _FALSE: 0, _BYTE: 1, _DOUBLE: 8}
"""The bytes of values that all have as many."""
_LONG_LIST = 15
_LENGTH = Struct("<I")
_CODECS = {"LZ4": "lz4_raw"}
"""What pyarrow calls a codec where its name in a file, in small letters, is another."""


class BadPages(ValueError):
    """A column whose pages cannot be read."""


class Page(NamedTuple):
    """One page of a column.

    Attributes:
        is_dictionary: Whether it holds the values that other pages refer to.
        size: Its unpacked size in bytes, as it claims.
        values: The number of its values, nulls too.
        encoding: How its values are written, by the number in ``parquet.thrift``.
        packed: It as it is stored.
        levels: Bytes of levels that stand before its values and are never packed;
            ``None`` where the levels are packed with the values.
        is_packed: Whether its values are packed at all.
    """

    is_dictionary: bool
    size: int
    values: int
    encoding: int
    packed: memoryview
    levels: int | None = None
    is_packed: bool = True

    @property
    def refers(self) -> bool:
        """Whether its values are indices into the dictionary."""
        return not self.is_dictionary and self.encoding in _BY_DICTIONARY

    @property
    def repeats(self) -> bool:
        """Whether each of its values may be as large as all of it."""
        return self.encoding == _BY_PREFIX


def iter_pages(chunk: memoryview, values: int) -> Iterator[Page]:
    """Give the pages of a column chunk, until they have as many values as the footer says.

    Raises:
        BadPages: If a header cannot be read.
    """
    at = 0
    while values > 0 and at < len(chunk):
        try:
            header, at = _struct(chunk, at, _MAX_NESTING)
        except IndexError:
            return  # cut short: what decodes it will say so
        kind, size, packed = (header.get(field) for field in (1, 2, 3))
        body = header.get(_BODY_FIELD.get(kind, 0)) if isinstance(kind, int) else None
        if not isinstance(size, int) or not isinstance(packed, int) or size < 0 or packed < 0:
            raise BadPages("a page without a size")
        data = chunk[at : at + packed]
        at += packed
        if not isinstance(body, dict):
            continue  # a page of another type holds no values, and is passed over
        number, encoding = body.get(1), body.get(4 if kind == _DATA_V2 else 2)
        if not isinstance(number, int) or not isinstance(encoding, int) or number < 0:
            raise BadPages("a page without a number of values")
        if kind != _DICTIONARY:
            values -= number
        if kind != _DATA_V2:
            yield Page(kind == _DICTIONARY, size, number, encoding, data)
            continue
        below, above = body.get(5), body.get(6)
        if not isinstance(below, int) or not isinstance(above, int) or below + above < 0:
            raise BadPages("a page without the size of its levels")
        is_packed = body.get(7) is not False
        found = Page(kind == _DICTIONARY, size, number, encoding, data)
        yield found._replace(levels=below + above, is_packed=is_packed)


def longest_text(page: Page, codec: str) -> int:
    """Return the size of the longest text of a dictionary, or a size that none exceeds."""
    try:
        return max(islice(_lengths(_unpacked(page, codec)), page.values), default=0)
    except (pa.ArrowException, OSError, ValueError):
        # Not every codec that Parquet names can be used alone.
        return page.size


def repeated_bytes(page: Page, codec: str) -> int:
    """Return a size that the texts of a page of lists do not exceed, each in full.

    For pages of which each text repeats the beginning of the one before it.
    """
    try:
        data = _unpacked(page, codec)
        at = 0
        for _ in range(2 if page.levels is None else 0):
            (length,) = _LENGTH.unpack_from(data, at)
            at += 4 + length
        return page.size + _sum_of_deltas(data, at)
    except (pa.ArrowException, OSError, ValueError, IndexError, StructError):
        return page.size * page.values


def _unpacked(page: Page, codec: str) -> memoryview:
    """Unpack a page, without the levels that are not packed."""
    data = page.packed[page.levels or 0 :]
    if codec == "UNCOMPRESSED" or not page.is_packed:
        return data
    size = page.size - (page.levels or 0)
    # Arrow's own buffers have signed bytes.
    packer = pa.Codec(_CODECS.get(codec, codec.lower()))
    return memoryview(packer.decompress(data, size)).cast("B")


def _sum_of_deltas(data: memoryview, at: int) -> int:
    """Add up numbers that are written as differences, each run of them in few bits.

    Source: parquet-format, ``DELTA_BINARY_PACKED``.
    """
    block, at = _varint(data, at)
    runs, at = _varint(data, at)
    left, at = _varint(data, at)
    last, at = _integer(data, at)
    number = block // max(runs, 1)
    if number <= 0 or number % 8:
        raise BadPages("a run of no length")
    found = last
    left -= 1
    while left > 0:
        least, at = _integer(data, at)
        widths = bytes(data[at : at + runs])
        at += runs
        for width in widths:
            few = min(number, left)
            if at + number * width // 8 > len(data):
                raise BadPages("numbers that are cut short")
            bits = int.from_bytes(data[at : at + number * width // 8], "little")
            at += number * width // 8
            if width == 0:
                found += few * last + least * few * (few + 1) // 2
                last += few * least
            else:
                for index in range(few):
                    last += least + (bits >> index * width & (1 << width) - 1)
                    found += last
            left -= few
    return found


def _lengths(data: memoryview) -> Iterator[int]:
    """Give the lengths of texts, each of which stands before its text in four bytes."""
    at, end = 0, len(data)
    while at + 4 <= end:
        (length,) = _LENGTH.unpack_from(data, at)
        yield length
        at += 4 + length


def _struct(data: memoryview, at: int, levels: int) -> tuple[dict[int, object], int]:
    """Read a struct: integers and structs by their field, everything else is passed over."""
    found: dict[int, object] = {}
    field = 0
    while True:
        head = data[at]
        at += 1
        if head == _STOP:
            return found, at
        if head >> 4:
            field += head >> 4
        else:
            field, at = _integer(data, at)
        found[field], at = _value(data, at, head & 15, levels)


def _value(data: memoryview, at: int, kind: int, levels: int) -> tuple[object, int]:
    if not levels:
        raise BadPages("a page header that nests too deep")
    if _BYTE < kind <= _I64:
        return _integer(data, at)
    if kind in _FIXED:
        # Looked at, so that a list cannot go on past the end.
        last = data[at + _FIXED[kind] - 1] if _FIXED[kind] else kind
        return last, at + _FIXED[kind]
    if kind == _BINARY:
        size, at = _varint(data, at)
        return None, at + size
    if kind == _STRUCT:
        return _struct(data, at, levels - 1)
    if kind in {_LIST, _SET}:
        head, at = data[at], at + 1
        size, at = _varint(data, at) if head >> 4 == _LONG_LIST else (head >> 4, at)
        for _ in range(size):
            # A boolean takes a byte here, unlike in a struct.
            inner = head & 15
            _, at = _value(data, at, _BYTE if inner in {_TRUE, _FALSE} else inner, levels - 1)
        return None, at
    raise BadPages("a page header of an unknown form")


def _integer(data: memoryview, at: int) -> tuple[int, int]:
    """Read a signed number."""
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift <= _MAX_SHIFT:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:  # noqa: PLR2004 - the last one has no continuation bit
            return value, at
        shift += 7
    raise BadPages("a page header with too long a number")
