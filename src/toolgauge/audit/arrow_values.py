"""The values of an Arrow column as parsed JSON, by the column's type.

What a value means is known by its type alone: an empty map looks like an empty list,
and Python holds neither all dates nor nanoseconds.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from toolgauge.audit.arrow import pa, pc

if TYPE_CHECKING:
    from collections.abc import Iterator


def column_values(column: pa.Array) -> list[Any]:
    """Give a column as parsed JSON and text, ``None`` where a row has no value.

    Dates and times are ISO 8601 text, in UTC where they have a zone; durations are
    numbers of their unit. Members of structs that are null are left out.
    """
    kind = column.type
    if isinstance(kind, pa.DictionaryType):
        return column_values(column.dictionary_decode())
    if isinstance(kind, pa.RunEndEncodedType):
        return column_values(pc.run_end_decode(column))
    if isinstance(kind, pa.StructType):
        return _objects(column)
    if isinstance(kind, pa.MapType):
        pairs = pa.struct([("key", kind.key_type), ("value", kind.item_type)])
        return _maps(column.cast(pa.list_(pairs)))
    if hasattr(kind, "value_type"):
        values = iter(column_values(column.flatten()))
        return [None if n is None else list(islice(values, n)) for n in _lengths(column)]
    return _scalars(column)


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


def _maps(column: pa.Array) -> list[Any]:
    """Give lists of pairs as objects."""
    keys, values = map(column_values, column.flatten().flatten())
    pairs = zip(map(str, keys), values, strict=True)
    return [None if n is None else dict(islice(pairs, n)) for n in _lengths(column)]


def _lengths(column: pa.Array) -> Iterator[int | None]:
    yield from pc.list_value_length(column).to_pylist()


_NOT_UTF8 = re.compile("\\\\*([\udc80-\udcff])")


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
