"""One pure function over Arrow record batches.

Engines, data frames and data sets that already hold Arrow feed it; it does no I/O
and keeps nothing between two calls but compiled schemas.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from toolgauge.audit.arrow import pa
from toolgauge.audit.calls import MISSING, Call
from toolgauge.audit.errors import MissingColumn
from toolgauge.audit.judging import Judge
from toolgauge.audit.verdicts import NOTHING, Row, Verdict, kept_name, reasons
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.audit.contracts import Contracts
    from toolgauge.audit.verdicts import Judged


@cache
def reasons_type() -> pa.DataType:
    """Give the type of a list of ``{path, message, keyword}``."""
    text = pa.string()
    return pa.list_(pa.struct([("path", text), ("message", text), ("keyword", text)]))


@cache
def verdict_fields() -> tuple[pa.Field, ...]:
    """Give the columns that ``audit_batch`` adds for each row, after those that name the row."""
    return (
        pa.field("tool", pa.string()),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("valid", pa.bool_(), nullable=False),
        pa.field("errors", reasons_type(), nullable=False),
    )


def audit_batch(
    batch: pa.RecordBatch,
    contracts: Contracts,
    *,
    tool: str = "tool",
    arguments: str = "arguments",
    ids: Sequence[str] = (),
) -> pa.RecordBatch:
    """Hold each row of a batch against its tool's contract.

    An unknown tool, arguments that cannot be parsed and arguments that are no
    object are verdicts, never exceptions.

    Args:
        batch: One call a row.
        contracts: The tools.
        tool: The column of tool names (text).
        arguments: The column of arguments: JSON text or bytes, a struct or a map. In
            a struct every row has every member, so a null member is taken for one
            that is not there, at any depth.
        ids: Further columns to hand through, before the verdict; one that has the name
            of a column that is added becomes ``row.`` and that name.

    Returns:
        As many rows in the same order: ``row`` (the index in the batch), the
        ``ids``, ``tool``, ``verdict``, ``valid`` and ``errors``, a list of
        ``{path, message, keyword}``.

    Raises:
        MissingColumn: If a named column is not there.

    Example:
        >>> from toolgauge.audit import Contracts
        >>> calls = pa.RecordBatch.from_pylist([{"tool": "add", "arguments": '{"a": 1}'}])
        >>> contracts = Contracts([{"name": "add", "inputSchema": {"required": ["a", "b"]}}])
        >>> audit_batch(calls, contracts).column("errors").to_pylist()[0][0]["path"]
        '/b'
    """
    for name in (tool, arguments, *ids):
        if name not in batch.schema.names:
            raise MissingColumn(name, "the batch", batch.schema.names)
    found: list[Judged] = []
    judge = Judge(contracts, lambda _: None, found.append, emit_valid=True)
    names = column_values(batch.column(tool))
    for index, value in enumerate(column_values(batch.column(arguments))):
        given = MISSING if value is None else value
        judge.call(Call(names[index], given), Row("", index), 0, NOTHING)
    columns = [pa.array(range(batch.num_rows), pa.int64())]
    columns += [batch.column(each) for each in ids]
    columns += verdict_arrays(found)
    row = pa.field("row", pa.int64(), nullable=False)
    taken = [row.name, *(each.name for each in verdict_fields())]
    kept = [batch.schema.field(each).with_name(kept_name(each, taken)) for each in ids]
    return pa.record_batch(columns, schema=pa.schema([row, *kept, *verdict_fields()]))


def verdict_arrays(found: Sequence[Judged]) -> list[pa.Array]:
    """Write records as the columns of ``verdict_fields``."""
    values: tuple[list[Any], ...] = (
        [judged.tool for judged in found],
        [str(judged.verdict) for judged in found],
        [judged.verdict is Verdict.VALID for judged in found],
        [reasons(judged.issues) for judged in found],
    )
    fields = verdict_fields()
    return [pa.array(each, field.type) for each, field in zip(values, fields, strict=True)]


def column_values(column: pa.Array) -> list[Any]:
    """Give a column as parsed JSON and text, ``None`` where a row has no value."""
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        try:
            texts: list[Any] = column.to_pylist()
        except UnicodeDecodeError:
            # Parquet does not look whether its texts are UTF-8.
            column = column.cast(pa.large_binary())
        else:
            return texts
    values: list[Any] = column.to_pylist()
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return [None if each is None else _decoded(each) for each in values]
    if _is_plain(kind):
        return values
    return [_without_padding(each) for each in values]


def _is_plain(kind: pa.DataType) -> bool:
    """Tell whether values of a column are JSON as they are."""
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    )


_NOT_UTF8 = re.compile("\\\\*([\udc80-\udcff])")


def _decoded(value: bytes) -> str:
    r"""Give bytes as text; what is not UTF-8 is shown, as what JSON never has: ``\xff``."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        text = value.decode("utf-8", "surrogateescape")
        # Without the backslashes before it: an escaped one would make it a legal text.
        return _NOT_UTF8.sub(lambda found: f"\\x{ord(found[1]) - 0xDC00:02x}", text)


def _without_padding(value: Any) -> Any:
    """Drop the members that a struct has only because other rows have them."""
    if isinstance(value, dict):
        return {key: _without_padding(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        if value and all(isinstance(each, tuple) for each in value):
            return {str(key): _without_padding(each) for key, each in value}
        return [_without_padding(each) for each in value]
    return value if value is None or _is_json(value) else str(value)


def _is_json(value: object) -> bool:
    try:
        dump_json(value)
    except TypeError:
        return False
    return True
