"""Records of calls: JSON lines, Parquet, and columns of Arrow record batches.

``audit_batch`` is one pure function over record batches: engines, data frames and data
sets that already hold Arrow feed it. It does no I/O and keeps nothing between two calls
but compiled schemas.
"""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from typing import IO, TYPE_CHECKING, Any

from toolgauge.auditing.arrow import column_values, pa, pq
from toolgauge.auditing.errors import MissingColumn
from toolgauge.auditing.judging import Judge
from toolgauge.auditing.rows import RowReader
from toolgauge.auditing.verdicts import MISSING, NOTHING, Call, Row, kept_name
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolgauge.auditing.contracts import Contracts
    from toolgauge.auditing.inputs import Input
    from toolgauge.auditing.verdicts import Judged

_ROWS_AT_ONCE = 4_096


class PartFormat(StrEnum):
    """How records are written."""

    PARQUET = "parquet"
    JSONL = "jsonl"

    @classmethod
    def like(cls, inputs: Iterable[Input]) -> PartFormat:
        """Give the format for the records of some files: Parquet where all are Parquet."""
        return cls.PARQUET if all(each.kind == "parquet" for each in inputs) else cls.JSONL

    @property
    def ending(self) -> str:
        """The ending of a part's name."""
        return f".{self.value}"


@contextmanager
def part_writer(
    file: IO[bytes], how: PartFormat, columns: Sequence[str]
) -> Iterator[Callable[[Judged], None]]:
    """Give the function that takes the records of one part, in their order."""
    if how is PartFormat.JSONL:
        yield lambda judged: _write_line(file, judged)
        return
    schema = part_schema(columns)
    waiting: list[Judged] = []
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:

        def take(judged: Judged) -> None:
            waiting.append(judged)
            if len(waiting) >= _ROWS_AT_ONCE:
                writer.write_batch(_batch(waiting, columns, schema))
                waiting.clear()

        yield take
        if waiting:
            writer.write_batch(_batch(waiting, columns, schema))


def part_schema(columns: Sequence[str]) -> pa.Schema:
    """Give the columns of a Parquet part. Kept columns are text: JSON where they were no text."""
    return pa.schema(
        [
            pa.field("file", pa.string(), nullable=False),
            pa.field("line", pa.int64(), nullable=False),
            pa.field("call", pa.int32(), nullable=False),
            *(pa.field(kept_name(name), pa.string()) for name in columns),
            *verdict_fields(),
            pa.field("notes", verdict_fields()[-1].type),
        ]
    )


def _batch(found: Sequence[Judged], columns: Sequence[str], schema: pa.Schema) -> pa.RecordBatch:
    records = [
        {**each.to_json(), **{kept_name(name): _text(each.columns.get(name)) for name in columns}}
        for each in found
    ]
    return pa.RecordBatch.from_pylist(records, schema=schema)


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else dump_json(value).decode()


def _write_line(file: IO[bytes], judged: Judged) -> None:
    file.write(dump_json(judged.to_json()) + b"\n")


@cache
def verdict_fields() -> tuple[pa.Field, ...]:
    """Give the columns that ``audit_batch`` adds for each row, after those that name the row."""
    text = pa.string()
    reason = pa.struct([("path", text), ("message", text), ("keyword", text)])
    return (
        pa.field("tool", text),
        pa.field("verdict", text, nullable=False),
        pa.field("valid", pa.bool_(), nullable=False),
        pa.field("errors", pa.list_(reason), nullable=False),
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
            that is not there, at any depth. Dates and times are ISO 8601 text.
        ids: Further columns to hand through, before the verdict; one that has the name
            of a column that is added becomes ``row.`` and that name.

    Returns:
        As many rows in the same order: ``row`` (the index in the batch), the
        ``ids``, ``tool``, ``verdict``, ``valid`` and ``errors``, a list of
        ``{path, message, keyword}``.

    Raises:
        MissingColumn: If a named column is not there.

    Example:
        >>> from toolgauge.auditing import Contracts
        >>> calls = pa.RecordBatch.from_pylist([{"tool": "add", "arguments": '{"a": 1}'}])
        >>> contracts = Contracts([{"name": "add", "inputSchema": {"required": ["a", "b"]}}])
        >>> audit_batch(calls, contracts).column("errors").to_pylist()[0][0]["path"]
        '/b'
    """
    for name in (tool, arguments, *ids):
        if name not in batch.schema.names:
            raise MissingColumn(name, "the batch", batch.schema.names)
    found: list[Judged] = []
    judge = Judge(contracts, RowReader(), found.append, emit_valid=True)
    names = column_values(batch.column(tool))
    for index, value in enumerate(column_values(batch.column(arguments))):
        given = MISSING if value is None else value
        judge.call(Call(names[index], given), Row("", index), 0, NOTHING)
    row = pa.field("row", pa.int64(), nullable=False)
    taken = [row.name, *(each.name for each in verdict_fields())]
    kept = [batch.schema.field(each).with_name(kept_name(each, taken)) for each in ids]
    records = [each.to_json() for each in found]
    verdicts = pa.RecordBatch.from_pylist(records, schema=pa.schema(verdict_fields()))
    columns = [pa.array(range(batch.num_rows), row.type), *map(batch.column, ids)]
    schema = pa.schema([row, *kept, *verdict_fields()])
    return pa.record_batch([*columns, *verdicts.columns], schema=schema)
