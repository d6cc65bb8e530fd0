"""What the records of a run hold, as lines and as Parquet."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.auditing.conftest import WEATHER
from tests.auditing.test_runs import job, records, rows, run
from toolgauge.auditing import Contracts, PartFormat, RowReader, audit, audit_batch, find_inputs
from toolgauge.auditing.engines.local import local_engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("how", list(PartFormat))
def test_all_forms_of_input_and_output_agree(
    how: PartFormat, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Plain, gzip, zstd; Parquet parts and JSON lines."""
    plain = write_lines(rows())
    packed = tmp_path / "calls.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    zstd = tmp_path / "calls.jsonl.zst"
    with pa.CompressedOutputStream(str(zstd), "zstd") as file:
        file.write(plain.read_bytes())
    expected = run(plain, job(tmp_path / "plain", part_format=how))
    kept = [{**each, "file": ""} for each in records(tmp_path / "plain")]
    for path in (packed, zstd):
        output = tmp_path / path.suffix
        found = run(path, job(output, part_format=how))

        assert expected.tally.verdicts == found.tally.verdicts
        assert kept == [{**each, "file": ""} for each in records(output)]


def test_parquet_gives_what_the_lines_give(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Arguments as text; a row's number is its line."""
    given = [each for each in rows() if isinstance(each, dict)]
    lines = run(write_lines(given), job(tmp_path / "a", columns=("session",)))
    table = pa.Table.from_pylist(
        [{**each, "arguments": orjson.dumps(each["arguments"]).decode()} for each in given]
    )
    path = tmp_path / "calls.parquet"
    pq.write_table(table, path, row_group_size=50)
    found = run(path, job(tmp_path / "b", columns=("session",)))

    assert lines.tally.verdicts == found.tally.verdicts
    keep = ("line", "session", "tool", "verdict", "errors")
    assert [[each[key] for key in keep] for each in records(tmp_path / "a")] == [
        [each[key] for key in keep] for each in records(tmp_path / "b")
    ]


@pytest.mark.parametrize(
    ("names", "ending"),
    [(("a.jsonl",), "jsonl"), (("a.jsonl", "b.parquet"), "jsonl"), (("b.parquet",), "parquet")],
)
def test_records_are_written_as_their_calls_are(
    names: tuple[str, ...], ending: str, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Where nobody says otherwise; a run never mixes the two."""
    given = [each for each in rows(60) if isinstance(each, dict)]
    write_lines(given, "a.jsonl")
    table = {
        "tool": [each["tool"] for each in given],
        "arguments": [orjson.dumps(each["arguments"]).decode() for each in given],
    }
    pq.write_table(pa.table(table), tmp_path / "b.parquet")
    output = tmp_path / "out"
    inputs = find_inputs([str(tmp_path / name) for name in names])
    found = audit(inputs, job(output), engine=local_engine(1))

    assert {f".{ending}"} == {each.suffix for each in (output / "parts").iterdir()}
    assert found.tally.failures == len(records(output))


@pytest.mark.parametrize("how", list(PartFormat))
def test_a_kept_member_does_not_hide_what_a_record_says(
    how: PartFormat, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """A row's own ``line``, ``verdict`` and so on are kept beside ours; the time is kept too."""
    own = {"line": "of text", "file": 5, "verdict": "mine", "record": 1, "json": 2, "at": 1e9}
    path = write_lines(
        [{"tool": "weather", "arguments": {"city": number}, **own} for number in (1, 2)]
    )
    long = write_lines(
        [{"tool": "weather", "arguments": {"city": 1, "more": "x" * 20_000}, **own}], "long.jsonl"
    )
    kept = ("line", "file", "verdict", "record", "json", "line")
    the_job = job(tmp_path / "out", part_format=how, columns=kept, time="at")
    inputs = find_inputs([str(path), str(long)])
    found = audit(inputs, the_job, engine=local_engine(1))
    first, second, last = records(tmp_path / "out")
    written = str if how is PartFormat.PARQUET else lambda value: value

    assert [(str(path), 1), (str(path), 2), (str(long), 1)] == [
        (each["file"], each["line"]) for each in (first, second, last)
    ]
    for each in (first, second, last):
        assert each["verdict"] == "invalid"
        assert each["row.line"] == "of text"
        assert each["row.verdict"] == "mine"
        assert written(5) == each["row.file"]
        assert written(1) == each["record"]
        assert each["at"] is not None
        assert [each["keyword"] for each in first["errors"]]
    shown = [each for kind in found.tally.to_json()["kinds"] for each in kind["examples"]]
    assert {(str(path), 1), (str(path), 2), (str(long), 1)} == {
        (each["file"], each["line"]) for each in shown
    }
    assert all(each["mark"] is not None for each in shown)


@pytest.mark.parametrize("how", list(PartFormat))
def test_what_is_odd_about_a_valid_call_is_in_its_record(
    how: PartFormat, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """An answer that nobody gave is a note; a record without one has no notes."""
    uses = [
        {"type": "tool_use", "id": each, "name": "weather", "input": {"city": "Oslo"}}
        for each in ("a", "b")
    ]
    answer = {"type": "tool_result", "tool_use_id": "a", "content": "rain"}
    messages = [{"role": "assistant", "content": uses}, {"role": "user", "content": [answer]}]
    path = write_lines([{"messages": messages}, {"tool": "weather", "arguments": {}}])
    the_job = replace(job(tmp_path / "out", part_format=how), rows=RowReader())
    audit(find_inputs([str(path)]), the_job, engine=local_engine(1))
    first, second = records(tmp_path / "out")

    assert ("valid", []) == (first["verdict"], first["errors"])
    assert ["no answer to call id 'b'"] == [each["message"] for each in first["notes"]]
    assert "invalid" == second["verdict"]
    assert not second.get("notes")


def test_the_batch_function_hands_no_column_through_under_a_name_of_its_own() -> None:
    """One that it adds itself is beside it, as in records."""
    calls = pa.RecordBatch.from_pylist(
        [{"tool": "weather", "arguments": "{}", "row": "r1", "line": 7, "valid": "yes"}]
    )
    found = audit_batch(calls, Contracts([WEATHER]), ids=["row", "line", "valid", "tool"])

    assert ["row", "row.row", "line", "row.valid", "row.tool", "tool", "verdict"] == (
        found.schema.names[:7]
    )
    (record,) = found.to_pylist()
    assert (0, "r1", 7, "yes") == tuple(record[each] for each in found.schema.names[:4])
    assert ("weather", "invalid", False) == (
        record["row.tool"],
        record["verdict"],
        record["valid"],
    )
