"""Files that are cut short, replaced or written to while an audit reads them."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.auditing.test_runs import job, records, rows, run
from toolgauge.auditing import (
    ChangedInput,
    UnitsFailed,
    UnreadableInput,
    audit,
    find_inputs,
    row_tools,
    tools_by_id,
)
from toolgauge.auditing.engines.local import local_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from toolgauge.auditing import WorkUnit
    from toolgauge.auditing.engines import Outcome, Work

UNIT_BYTES = 3_000


def cut(path: Path) -> None:
    """Cut a file short, at the end of a line where it has lines."""
    data = path.read_bytes()
    half = data[: len(data) // 2]
    path.write_bytes(half[: half.rfind(b"\n") + 1] or half)


def emptied(path: Path) -> None:
    """Leave nothing of a file."""
    path.write_bytes(b"")


def grown(path: Path) -> None:
    """Write on, as a log does."""
    with path.open("ab") as file:
        file.write(b'{"tool": "weather", "arguments": {"city": "Oslo"}}\n')


def overwritten(path: Path) -> None:
    """Write something else of the same size."""
    data = path.read_bytes()
    path.write_bytes(data[:-9] + data[:9])
    os.utime(path, ns=(1, 1))


def replaced(path: Path) -> None:
    """Put another file in its place."""
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes()[:-1] + b"\n")
    other.replace(path)
    os.utime(path, ns=(2, 2))


def removed(path: Path) -> None:
    """Take it away."""
    path.unlink()


def changing(change: Callable[[], None], after: int) -> Any:
    """Make an engine of this process that changes something before a unit."""

    def map_units(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        def changed() -> Iterator[WorkUnit]:
            for unit in units:
                if unit.number == after:
                    change()
                yield unit

        return local_engine(1)(work, changed())

    return map_units


CHANGES = [cut, emptied, overwritten, replaced, removed]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_file_that_changes_while_it_is_read_does_not_end_as_complete(
    change: Callable[[Path], None], after: int, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """What was read since is not finished; with the file as it was the run goes on."""
    path = write_lines(rows())
    whole = run(path, job(tmp_path / "whole"), unit_bytes=UNIT_BYTES)
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    inputs = find_inputs([str(path)])
    output = tmp_path / "out"
    engine = changing(lambda: change(path), after)
    with pytest.raises(UnitsFailed, match=r"calls\.jsonl changed while it was read|no such file"):
        audit(inputs, job(output), engine=engine, unit_bytes=UNIT_BYTES)
    finished = {int(each.stem) for each in output.glob("units/*.json")}

    assert set(range(after)) == finished
    assert not (output / "_SUCCESS").exists()
    path.write_bytes(before)
    os.utime(path, ns=(stamp, stamp))
    found = run(path, job(output), unit_bytes=UNIT_BYTES)
    assert whole.tally.to_json() == found.tally.to_json()
    assert records(tmp_path / "whole") == records(output)


@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_log_that_grows_is_audited(
    after: int, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """What is added while it is read counts if it is read."""
    path = write_lines(rows())
    whole = run(path, job(tmp_path / "whole"), unit_bytes=UNIT_BYTES)
    inputs, engine = find_inputs([str(path)]), changing(lambda: grown(path), after)
    found = audit(inputs, job(tmp_path / "out"), engine=engine, unit_bytes=UNIT_BYTES)

    assert 0 <= found.tally.rows - whole.tally.rows <= 1
    assert (tmp_path / "out" / "_SUCCESS").exists()


@pytest.mark.parametrize("change", [cut, emptied, grown, replaced, removed])
@pytest.mark.parametrize("ending", ["jsonl.gz", "jsonl.zst", "parquet"])
def test_packed_files_and_parquet_are_watched_too(
    change: Callable[[Path], None], ending: str, tmp_path: Path
) -> None:
    """What the reader makes of a half of them is of no interest; the others finish."""
    path, other = tmp_path / f"calls.{ending}", tmp_path / "other.jsonl"
    line = orjson.dumps({"tool": "weather", "arguments": '{"city": "Oslo"}'}) + b"\n"
    other.write_bytes(line)
    if ending == "parquet":
        table = pa.Table.from_pylist([orjson.loads(line)] * 500)
        pq.write_table(table, path, row_group_size=100)
    elif ending == "jsonl.gz":
        path.write_bytes(gzip.compress(line * 500))
    else:
        path.write_bytes(pa.compress(line * 500, "zstd", asbytes=True))
    inputs = find_inputs([str(path), str(other)])
    engine = changing(lambda: change(path), 0)
    with pytest.raises(UnitsFailed, match=r"1 of the work units.*changed while it was read"):
        audit(inputs, job(tmp_path / "out"), engine=engine)
    assert ["00001.json"] == [each.name for each in (tmp_path / "out" / "units").iterdir()]


def test_a_file_that_loses_all_before_it_is_cut_into_units_is_missed(
    write_lines: Callable[..., Path],
) -> None:
    """The units of a later file are found while an earlier one is read."""
    first, second = write_lines(rows(), "a.jsonl"), write_lines(rows(), "b.jsonl")
    engine = changing(lambda: emptied(second), 1)
    inputs = find_inputs([str(first), str(second)])
    with pytest.raises(UnitsFailed, match=r"b\.jsonl changed while it was read"):
        audit(inputs, job(), engine=engine, unit_bytes=UNIT_BYTES)


def test_a_file_that_changes_after_it_was_read_is_what_it_was(
    write_lines: Callable[..., Path],
) -> None:
    """All of its units are finished by then."""
    first, second = write_lines(rows(20), "a.jsonl"), write_lines(rows(20), "b.jsonl")
    inputs = find_inputs([str(first), str(second)])
    found = audit(inputs, job(), engine=changing(lambda: grown(first), 1))

    assert 2 == len(found.reports)


def test_tools_beside_are_watched_and_bounded(
    write_lines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read before anything else, and all held."""
    lines = [{"id": n, "tools": [{"name": "weather", "inputSchema": {}}]} for n in range(50)]
    path = write_lines(lines)
    inputs = find_inputs([str(path)])

    assert 50 == len(tools_by_id(inputs, "tools"))
    overwritten(path)
    with pytest.raises(ChangedInput, match=r"calls\.jsonl"):
        tools_by_id(inputs, "tools")
    monkeypatch.setattr(row_tools, "MAX_TOOLS_BYTES", 1_000)
    with pytest.raises(UnreadableInput, match=r"calls\.jsonl after line \d+.*1000 bytes"):
        tools_by_id(find_inputs([str(path)]), "tools")
