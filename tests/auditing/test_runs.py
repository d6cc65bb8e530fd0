"""A run is cut into units, stopped, damaged and gone on with; its result is always the same."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.auditing.conftest import BROKEN, WEATHER
from tests.profile import IS_LONG
from toolgauge.auditing import (
    Audit,
    Contracts,
    Job,
    MissingInput,
    Progress,
    RowReader,
    UnitsFailed,
    UnreadableInput,
    Verdict,
    audit,
    find_inputs,
    plan_units,
    run_unit,
)
from toolgauge.auditing import units as planning
from toolgauge.auditing.engines.local import local_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from toolgauge.auditing.engines import Outcome, Work
    from toolgauge.auditing.units import WorkUnit


def rows(number: int = 400) -> list[Any]:
    """Make rows of every kind, the same each time."""
    chance = random.Random(7)
    made: list[Any] = []
    for index in range(number):
        kind = chance.randrange(12)
        arguments: Any = {"city": "Oslo", "days": index % 14 + 1}
        if kind == 0:
            arguments["days"] = "x" * chance.randrange(30)
        if kind == 1:
            made.append(b"{broken")
        elif kind == 2:
            made.append(b"")
        elif kind == 3:
            made.append({"tool": "nope", "arguments": {}})
        else:
            made.append({"tool": "weather", "arguments": arguments, "session": f"s{index}"})
    return made


def job(output: Path | None = None, **options: Any) -> Job:
    """Make the job that all tests run."""
    return Job(
        contracts=Contracts([WEATHER, BROKEN]),
        rows=RowReader(keys=("tool", "arguments")),
        output=None if output is None else str(output),
        **options,
    )


def run(path: Path | str, the_job: Job, **options: Any) -> Audit:
    """Audit one file in this process."""
    options.setdefault("engine", local_engine(1))
    return audit(find_inputs([str(path)]), the_job, **options)


def records(output: Path) -> list[dict[str, Any]]:
    """Give all records of a finished run, in their order."""
    manifest = json.loads((output / "manifest.json").read_text())
    found: list[dict[str, Any]] = []
    for part in manifest["parts"]:
        path = output / part["part"]
        if path.suffix == ".jsonl":
            found += map(orjson.loads, path.read_bytes().splitlines())
        else:
            found += pq.read_table(path).to_pylist()
    return found


@pytest.mark.parametrize("unit_bytes", [200, 1_000, 10_000_000])
def test_units_of_any_size_give_the_same_result(
    unit_bytes: int, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Line numbers count in the file, and examples are the first ones."""
    path = write_lines(rows())
    whole = run(path, job())
    cut = run(path, job(tmp_path / "out"), unit_bytes=unit_bytes)

    assert whole.tally.to_json() == cut.tally.to_json()
    lines = path.read_bytes().splitlines()
    for record in records(tmp_path / "out"):
        line = lines[record["line"] - 1]
        assert (record["verdict"] == "unparsable_row") == (line == b"{broken")


def test_a_file_is_cut_into_as_many_units_as_workers_share_evenly(
    write_lines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within bounds on how large each is."""
    inputs = find_inputs([str(write_lines([b"x" * 99] * 960))])

    assert 1 == len(plan_units(inputs))
    monkeypatch.setattr(planning, "MIN_UNIT_BYTES", 100)
    assert 32 == len(plan_units(inputs))
    monkeypatch.setattr(planning, "MAX_UNIT_BYTES", 1_000)
    assert 96 == len(plan_units(inputs))


def test_only_what_needs_pyarrow_loads_it() -> None:
    """A worker that reads lines and counts starts without, and without the commands."""
    code = (
        "import sys, toolgauge.cli, toolgauge.auditing.job;"
        "print({*sys.modules} & {'pyarrow', 'typer'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert b"set()" == done.stdout.strip()


def _refusals(tools: int, each: int) -> list[dict[str, Any]]:
    """Give calls that break contracts in a few ways over and over."""
    ways: list[dict[str, Any]] = [
        {},
        {"city": 1},
        {"city": "Oslo", "days": 99},
        {"city": "Oslo", "tags": ["a", 5, None]},
        {"city": 2, "days": "x"},
    ]
    return [
        {"tool": f"weather{index % tools}", "arguments": ways[index % len(ways)], "id": index}
        for index in range(tools * each)
    ]


def _backwards(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
    yield from ((unit, work(unit)) for unit in reversed(list(units)))


def _strangers(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
    """Do each unit as a process that knows of no other one."""
    yield from ((unit, copy(work)(unit)) for unit in units)


@pytest.mark.parametrize("unit_bytes", [5_000, 20_000, None] if IS_LONG else [20_000])
@pytest.mark.parametrize(
    ("tools", "each"), [(3, 200), (71, 20)], ids=["few kinds", "more kinds than examples"]
)
def test_whoever_does_a_unit_the_same_is_counted_and_shown(
    tools: int, each: int, unit_bytes: int | None, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """What is told in full, and what is only counted since enough was told already."""
    calls = _refusals(tools, each)
    # Not in the order of their names, which is the order of examples.
    inputs = find_inputs([str(write_lines(calls, f"{name}.jsonl")) for name in "ba"])
    contracts = Contracts({**WEATHER, "name": f"weather{number}"} for number in range(tools))
    counting = replace(job(), contracts=contracts)
    writing = replace(counting, output=str(tmp_path / "out"))
    expected = audit(inputs, writing, engine=_strangers, unit_bytes=unit_bytes).tally

    assert 2 * len(calls) == expected.failures
    for engine in (local_engine(1), local_engine(2), _backwards, _strangers):
        found = audit(inputs, counting, engine=engine, unit_bytes=unit_bytes).tally
        assert expected.to_json() == found.to_json()


def test_every_row_has_one_verdict(write_lines: Callable[..., Path]) -> None:
    """Empty lines are no rows; everything else is counted once."""
    given = rows()
    found = run(write_lines(given), job())

    assert sum(each != b"" for each in given) == found.tally.rows
    assert found.tally.rows == sum(found.tally.verdicts.values())
    assert given.count(b"{broken") == found.tally.verdicts[Verdict.UNPARSABLE_ROW]


def test_a_folder_is_read_in_the_order_of_names(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Hidden files and files of other kinds are left out."""
    write_lines(rows(5), "calls/b.jsonl")
    write_lines(rows(5), "calls/a/c.jsonl")
    write_lines([b"x"], "calls/.hidden.jsonl")
    write_lines([b"x"], "calls/readme.md")
    names = [each.name for each in find_inputs([str(tmp_path / "calls")])]

    assert [str(tmp_path / "calls" / each) for each in ("a/c.jsonl", "b.jsonl")] == names


@pytest.mark.parametrize(
    ("name", "make"),
    [("missing", lambda _: None), ("empty", lambda path: path.mkdir())],
    ids=["missing", "empty folder"],
)
def test_input_that_is_not_there_is_one_sentence(
    name: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    """It names what was asked for."""
    make(tmp_path / name)
    with pytest.raises(MissingInput, match=name):
        find_inputs([str(tmp_path / name)])


def test_an_empty_file_is_nothing_to_audit(write_lines: Callable[..., Path]) -> None:
    """No rows are no good news."""
    with pytest.raises(MissingInput, match="no rows"):
        run(write_lines([]), job())


def test_a_cut_off_gzip_file_fails_by_name_and_the_others_finish(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """What is finished is kept."""
    plain = write_lines(rows(), "calls/a.jsonl")
    whole = gzip.compress(plain.read_bytes())
    (tmp_path / "calls" / "b.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    output = tmp_path / "out"
    with pytest.raises(UnitsFailed, match=r"b\.jsonl\.gz.*cut off") as caught:
        run(tmp_path / "calls", job(output))

    assert "go on" in str(caught.value)
    assert not (output / "_SUCCESS").exists()
    assert 1 == len(list((output / "parts").iterdir()))


@pytest.mark.parametrize("whole", [b"", b"PAR1", None])
def test_a_parquet_file_without_its_footer_fails_by_name_and_the_others_finish(
    whole: bytes | None, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """What to do is said; without an output folder nothing is said to be kept."""
    write_lines(rows(), "calls/a.jsonl")
    path = tmp_path / "calls" / "b.parquet"
    pq.write_table(pa.table({"tool": ["weather"]}), path)
    good = path.read_bytes()
    path.write_bytes(good[:-6] if whole is None else whole)
    write_lines(rows(), "calls/c.jsonl")
    for output in (tmp_path / "out", None):
        with pytest.raises(UnitsFailed, match=r"1 of .*b\.parquet.*repair") as caught:
            run(tmp_path / "calls", job(output))
        assert (output is not None) == ("go on" in str(caught.value))

    assert ["00000.json", "00002.json"] == sorted(
        each.name for each in (tmp_path / "out" / "units").iterdir()
    )


def test_a_parquet_file_that_was_damaged_while_it_was_planned_is_not_taken_for_empty(
    tmp_path: Path,
) -> None:
    """Its rows would be lost without a word."""
    path = tmp_path / "calls.parquet"
    pq.write_table(pa.table({"tool": ["weather"]}), path)
    good = path.read_bytes()
    path.write_bytes(good[:-6])
    (unit,) = plan_units(find_inputs([str(path)]))
    path.write_bytes(good)

    with pytest.raises(UnreadableInput, match=r"calls\.parquet"):
        run_unit(job(), unit)


def test_a_long_line_is_a_verdict_and_never_held(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """The lines after it keep their numbers."""
    long = b'{"tool": "weather", "arguments": {"city": "%s"}}' % (b"x" * 5_000_000)
    path = write_lines([{"tool": "nope", "arguments": {}}, long, {"tool": "nope", "arguments": {}}])
    found = run(path, job(tmp_path / "out", max_line_bytes=1_000_000))

    assert [1, 2, 3] == [each["line"] for each in records(tmp_path / "out")]
    assert 1 == found.tally.verdicts[Verdict.UNPARSABLE_ROW]
    assert str(len(long)) in records(tmp_path / "out")[1]["errors"][0]["message"]


class Stop(BaseException):
    """Stands for the end of the driver: no handler of ours takes it."""


def stopping(after: int) -> Callable[[Work, Iterable[WorkUnit]], Iterator[Outcome]]:
    """Make an engine whose driver ends after some units."""

    def map_units(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        for number, outcome in enumerate(local_engine(1)(work, units)):
            if number == after:
                raise Stop
            yield outcome

    return map_units


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_stopped_run_goes_on_where_it_was(
    after: int, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """No row twice, none lost, and what was finished is not done again."""
    path = write_lines(rows())
    expected = run(path, job(tmp_path / "whole"), unit_bytes=3_000)
    output = tmp_path / "out"
    with pytest.raises(Stop):
        run(path, job(output), unit_bytes=3_000, engine=stopping(after))
    seen: list[int] = []

    def counting(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        left = list(units)
        seen.extend(unit.number for unit in left)
        return local_engine(1)(work, left)

    found = run(path, job(output), unit_bytes=3_000, engine=counting)

    assert list(range(after, len(found.reports))) == seen
    assert expected.tally.to_json() == found.tally.to_json()
    assert records(tmp_path / "whole") == records(output)
    assert (output / "_SUCCESS").exists()


def test_a_part_without_its_note_is_written_again(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """A damaged note, and a part that is gone, are simply done again."""
    path = write_lines(rows())
    run(path, job(tmp_path / "whole"), unit_bytes=3_000)
    output = tmp_path / "out"
    run(path, job(output), unit_bytes=3_000)
    (output / "_SUCCESS").unlink()
    (output / "units" / "00001.json").write_bytes(b'{"cut')
    (output / "parts" / "part-00002.jsonl").unlink()
    (output / "parts" / "part-99999.jsonl").write_bytes(b"of an attempt that nobody noted")
    run(path, job(output), unit_bytes=3_000)

    assert records(tmp_path / "whole") == records(output)
    assert not (output / "parts" / "part-99999.jsonl").exists()


def test_progress_reaches_the_end(write_lines: Callable[..., Path]) -> None:
    """It starts at nothing and ends with all rows."""
    told: list[Progress] = []
    found = run(write_lines(rows()), job(), unit_bytes=3_000, on_progress=told.append)

    assert 0 == told[0].done_weight
    assert told[-1].weight == told[-1].done_weight
    assert found.tally.rows == told[-1].rows
    assert len(found.reports) + 1 == len(told)


def test_an_engine_ends_with_the_run_whatever_ended_it(write_lines: Callable[..., Path]) -> None:
    """At once, and not when somebody lets go of the exception: workers would go on."""
    ended: list[bool] = []

    def engine(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        try:
            yield from local_engine(1)(work, units)
        finally:
            ended.append(True)

    def stop(progress: Progress) -> None:
        if progress.rows:
            raise Stop

    with pytest.raises(Stop) as raised:
        run(write_lines(rows()), job(), unit_bytes=3_000, engine=engine, on_progress=stop)

    assert raised.value is not None
    assert [True] == ended


def test_units_cover_the_input_exactly(write_lines: Callable[..., Path]) -> None:
    """Byte after byte, line after line."""
    path = write_lines(rows())
    units = plan_units(find_inputs([str(path)]), unit_bytes=500)

    assert 0 == units[0].start
    assert path.stat().st_size == units[-1].end
    data = path.read_bytes()
    for one, other in pairwise(units):
        assert one.end == other.start
        assert data[one.end - 1 : one.end] == b"\n"
        assert other.first == one.first + data[one.start : one.end].count(b"\n")
