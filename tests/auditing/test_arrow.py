"""A value of a column is the JSON that its type says, whatever Python would make of it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.auditing.conftest import WEATHER
from tests.auditing.test_runs import job, records, run
from toolgauge.auditing import Contracts, audit_batch
from toolgauge.auditing.arrow import column_values
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from pathlib import Path

TEXT = pa.string()
MAP = pa.map_(TEXT, TEXT)
NOW = 1_772_373_600_123_456_789
ISO = "2026-03-01T14:00:00.123456"
HELD = {"at": [1, None], "map": [], "raw": b"P\xff", "none": None}
HOLDER = pa.struct(
    [("at", pa.list_(pa.timestamp("ns"))), ("map", MAP), ("raw", pa.binary()), ("none", TEXT)]
)


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        (pa.timestamp("s"), NOW // 10**9, "2026-03-01T14:00:00"),
        (pa.timestamp("ms"), NOW // 10**6, "2026-03-01T14:00:00.123"),
        (pa.timestamp("us"), NOW // 10**3, ISO),
        (pa.timestamp("ns"), NOW, f"{ISO}789"),
        (pa.timestamp("us", "UTC"), NOW // 10**3, f"{ISO}Z"),
        (pa.timestamp("us", "America/New_York"), NOW // 10**3, f"{ISO}Z"),
        (pa.timestamp("us", "Mars/Olympus"), NOW // 10**3, f"{ISO}Z"),
        (pa.timestamp("us", "UTC"), 2**62, "17036-07-06T14:00:27.387904Z"),
        (pa.timestamp("us"), -(2**62), f"<value out of range: {-(2**62)}>"),
        (pa.date32(), 20_000, "2024-10-04"),
        (pa.date32(), 2**30, f"<value out of range: {2**30}>"),
        (pa.time32("s"), 2_000, "00:33:20"),
        (pa.time64("ns"), 1_234_567, "00:00:00.001234567"),
        (pa.duration("ns"), 1_234_567, 1_234_567),
        (pa.month_day_nano_interval(), (1, 2, 3), "MonthDayNano(months=1, days=2, nanoseconds=3)"),
        (MAP, [("a", "b"), ("c", None)], {"a": "b", "c": None}),
        (MAP, [], {}),
        (pa.map_(pa.int64(), pa.list_(MAP)), [(1, [[]])], {"1": [{}]}),
        (HOLDER, HELD, {"at": ["1970-01-01T00:00:00.000000001", None], "map": {}, "raw": "P\\xff"}),
        (pa.struct([]), {}, {}),
        (pa.list_(pa.int8()), [], []),
        (pa.list_(pa.int8(), 2), [1, 2], [1, 2]),
        (pa.large_list(TEXT), ["a", None], ["a", None]),
        (pa.dictionary(pa.int8(), pa.binary()), b"Oslo", "Oslo"),
        (pa.binary(4), b"Oslo", "Oslo"),
        (pa.binary_view(), b"Oslo", "Oslo"),
        (pa.string_view(), "Oslo", "Oslo"),
        (pa.uuid(), b"0123456789abcdef", "30313233-3435-3637-3839-616263646566"),
        (pa.decimal128(10, 2), Decimal("1.50"), "1.50"),
        (pa.bool_(), True, True),
        (pa.float32(), 1.5, 1.5),
    ],
    ids=str,
)
def test_a_value_is_what_its_type_says(kind: pa.DataType, value: Any, found: Any) -> None:
    """Also in a piece of a column, and none is none."""
    column = _column([value, None, value], kind)

    assert [found, None, found] == column_values(column)
    assert [None, found] == column_values(column.slice(1))
    assert dump_json(found)


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    if isinstance(kind, pa.DictionaryType):
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values, kind)


def test_runs_of_equal_values_are_values() -> None:
    """As somebody's own batches may hold them."""
    column = pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"])

    assert ["a", "a", "b"] == column_values(column)


def test_a_time_of_a_column_is_an_hour_and_kept_as_text(tmp_path: Path) -> None:
    """Whatever its unit; what Python cannot hold, in a column that nobody asks for, is no fault."""
    for kind in (pa.timestamp("ms"), pa.timestamp("us", "Europe/Oslo"), pa.timestamp("ns")):
        factor = {"ms": 10**6, "us": 10**3, "ns": 1}[kind.unit]
        table = pa.table(
            {
                "tool": ["weather"],
                "arguments": ['{"city": 7}'],
                "ts": pa.array([NOW // factor], kind),
                "ends": pa.array([2**62], pa.timestamp("us")),
                "day": pa.array([2**30], pa.date32()),
            }
        )
        path = tmp_path / "calls.parquet"
        pq.write_table(table, path)
        out = tmp_path / str(kind)
        found = run(path, job(out, time="ts"))

        assert ["2026-03-01T14"] == list(found.tally.times)
        assert records(out)[0]["ts"].startswith("2026-03-01T14:00:00.123")


def test_times_and_maps_in_arguments_are_held_against_the_schema() -> None:
    """A time is text, and an empty map is an object."""
    tool = {
        "name": "plan",
        "inputSchema": {
            "properties": {"at": {"type": "string", "format": "date-time"}},
            "additionalProperties": {"type": "object"},
        },
    }
    kind = pa.struct([("at", pa.timestamp("us", "UTC")), ("tags", MAP)])
    columns = [["plan"], pa.array([{"at": NOW // 10**3, "tags": []}], kind)]
    batch = pa.record_batch(columns, names=["tool", "arguments"])
    empty = pa.record_batch([["weather"], pa.array([[]], MAP)], names=["tool", "arguments"])
    contracts = Contracts([tool, WEATHER])

    assert ["valid"] == audit_batch(batch, contracts).column("verdict").to_pylist()
    (errors,) = audit_batch(empty, contracts).column("errors").to_pylist()
    assert ["/city"] == [each["path"] for each in errors]
