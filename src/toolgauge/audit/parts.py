"""Writes the records of one unit: JSON lines, or Parquet."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Any

from toolgauge.audit.arrow import pa, pq
from toolgauge.audit.batch import reasons_type, verdict_arrays, verdict_fields
from toolgauge.audit.verdicts import kept_name, reasons
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolgauge.audit.inputs import Input
    from toolgauge.audit.verdicts import Judged

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
            pa.field("notes", reasons_type()),
        ]
    )


def _batch(found: Sequence[Judged], columns: Sequence[str], schema: pa.Schema) -> pa.RecordBatch:
    arrays = [
        pa.array([each.row.file for each in found], pa.string()),
        pa.array([each.row.line for each in found], pa.int64()),
        pa.array([each.call for each in found], pa.int32()),
    ]
    arrays += [
        pa.array([_text(each.columns.get(name)) for each in found], pa.string()) for name in columns
    ]
    notes = [reasons(each.notes) if each.notes else None for each in found]
    arrays += [*verdict_arrays(found), pa.array(notes, reasons_type())]
    return pa.record_batch(arrays, schema=schema)


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else dump_json(value).decode()


def _write_line(file: IO[bytes], judged: Judged) -> None:
    file.write(dump_json(judged.to_json()) + b"\n")
