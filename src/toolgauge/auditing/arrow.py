"""pyarrow, loaded when something of it is first used, and Arrow columns as parsed JSON.

Loading it takes as long as auditing 100,000 rows, in each worker process, and only
Parquet, zstd and object stores need it. What a value means is known by its column's type
alone: an empty map looks like an empty list, and Python holds neither all dates nor
nanoseconds.
"""

from __future__ import annotations

import re
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

__all__ = ["batch_bytes", "column_values", "decoded_bytes", "pa", "pafs", "pc", "pq"]

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.fs as pafs
    import pyarrow.parquet as pq
else:

    class _Later:
        """Stands for a module until an attribute of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(self._name), name)

    pa = _Later("pyarrow")
    pc = _Later("pyarrow.compute")
    pafs = _Later("pyarrow.fs")
    pq = _Later("pyarrow.parquet")

_VALUE_BYTES = 8
_ROW_BYTES = 64
"""At least so much is a value, and an object, in Python."""

_NOT_UTF8 = re.compile("\\\\*([\udc80-\udcff])")


def column_values(column: pa.Array) -> list[Any]:
    """Give a column as parsed JSON and text, ``None`` where a row has no value.

    Dates and times are ISO 8601 text, in UTC where they have a zone; durations are
    numbers of their unit. Members of structs that are null are left out.
    """
    kind = column.type
    if isinstance(kind, pa.DictionaryType):
        return _picked(column.dictionary, column.indices)
    if isinstance(kind, pa.RunEndEncodedType):
        return _picked(column.values, _runs(column))
    if isinstance(kind, pa.StructType):
        return _objects(column)
    if isinstance(kind, pa.MapType):
        return _maps(column.cast(_pairs(kind)))
    if hasattr(kind, "value_type"):
        values = iter(column_values(column.flatten()))
        return [None if n is None else list(islice(values, n)) for n in _lengths(column)]
    return _scalars(column)


def decoded_bytes(column: pa.Array) -> int:
    """Give about the size of a column's values, each in full wherever it comes again."""
    kind = column.type
    number = len(column)
    if isinstance(kind, pa.DictionaryType) and _is_text(kind.value_type):
        sizes = pc.binary_length(column.dictionary).take(column.indices)
        return _VALUE_BYTES * number + (pc.sum(sizes).as_py() or 0)
    if isinstance(kind, pa.StructType):
        return _ROW_BYTES * number + sum(map(decoded_bytes, column.flatten()))
    if isinstance(kind, pa.MapType):
        return decoded_bytes(column.cast(_pairs(kind)))
    if hasattr(kind, "value_type") and not isinstance(kind, pa.RunEndEncodedType):
        return _VALUE_BYTES * number + decoded_bytes(column.flatten())
    return max(int(column.nbytes), _VALUE_BYTES * number)


def batch_bytes(batch: pa.RecordBatch) -> int:
    """Give about the size of the rows of a batch, as ``decoded_bytes`` does."""
    return _ROW_BYTES * int(batch.num_rows) + sum(map(decoded_bytes, batch.columns))


def _is_text(kind: pa.DataType) -> bool:
    types = pa.types
    return any(
        is_one(kind)
        for is_one in (
            types.is_string,
            types.is_binary,
            types.is_large_string,
            types.is_large_binary,
        )
    )


def _picked(values: pa.Array, indices: pa.Array) -> list[Any]:
    """Give a value for each index, the same object wherever it comes again."""
    if len(values) > len(indices):
        # Few of many: the others are not looked at.
        used = pc.unique(indices.drop_null())
        values, indices = values.take(used), pc.index_in(indices, used)
    found = [*column_values(values), None]
    return [found[-1 if index is None else index] for index in indices.to_pylist()]


def _runs(column: pa.Array) -> pa.Array:
    """Give the index of the run that each place of a run-end encoded column is in."""
    numbers = pa.array(range(len(column.values)), pa.int64())
    ends = pa.RunEndEncodedArray.from_arrays(column.run_ends, numbers)
    return pc.run_end_decode(ends.slice(column.offset, len(column)))


def _scalars(column: pa.Array) -> list[Any]:
    """Give a column whose values hold no others."""
    kind = column.type
    types = pa.types
    if types.is_temporal(kind) and not types.is_interval(kind):
        return _times(column)
    if types.is_string(kind) or types.is_large_string(kind):
        return _texts(column)
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return [None if each is None else _decoded(each) for each in column.to_pylist()]
    values: list[Any] = column.to_pylist()
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
        return values
    return [each if each is None or isinstance(each, str) else _text(each) for each in values]


def _texts(column: pa.Array) -> list[Any]:
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        # Parquet does not look whether its texts are UTF-8.
        return _scalars(column.cast(pa.large_binary()))


def _times(column: pa.Array) -> list[Any]:
    kind = column.type
    if pa.types.is_duration(kind):
        return list(column.cast(pa.int64()).to_pylist())
    if isinstance(kind, pa.TimestampType) and kind.tz is not None:
        column = column.cast(pa.timestamp(kind.unit, "UTC"))
    texts = column.cast(pa.string())
    return list(pc.replace_substring_regex(texts, r"^([-+\d]+) (\d)", r"\1T\2").to_pylist())


def _objects(column: pa.Array) -> list[Any]:
    """Give structs without the members that they have only because other rows have them."""
    names = [each.name for each in column.type]
    members = [column_values(each) for each in column.flatten()]
    return [
        {
            name: values[index]
            for name, values in zip(names, members, strict=True)
            if values[index] is not None
        }
        if is_there
        else None
        for index, is_there in enumerate(column.is_valid().to_pylist())
    ]


def _pairs(kind: pa.MapType) -> pa.DataType:
    """Give the type of a map's list of pairs."""
    return pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)]))


def _maps(column: pa.Array) -> list[Any]:
    """Give lists of pairs as objects."""
    keys, values = map(column_values, column.flatten().flatten())
    pairs = zip(map(str, keys), values, strict=True)
    return [None if n is None else dict(islice(pairs, n)) for n in _lengths(column)]


def _lengths(column: pa.Array) -> Iterator[int | None]:
    yield from pc.list_value_length(column).to_pylist()


def _text(value: object) -> str:
    return _decoded(value) if isinstance(value, bytes) else str(value)


def _decoded(value: bytes) -> str:
    r"""Give bytes as text; what is not UTF-8 is shown, as what JSON never has: ``\xff``."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        text = value.decode("utf-8", "surrogateescape")
        # Without the backslashes before it: an escaped one would make it a legal text.
        return _NOT_UTF8.sub(lambda found: f"\\x{ord(found[1]) - 0xDC00:02x}", text)
