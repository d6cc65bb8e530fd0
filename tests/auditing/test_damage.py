"""Damaged and odd input: a verdict with its place, or one sentence, and never a lost row."""

from __future__ import annotations

import gzip
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import toolgauge.auditing as room
from tests.auditing.conftest import WEATHER
from tests.auditing.test_runs import job, records, rows, run
from toolgauge.auditing import (
    Contracts,
    Job,
    MissingColumn,
    RowReader,
    UnitsFailed,
    UnreadableInput,
    UnwritableOutput,
    Verdict,
    audit_batch,
    errors,
    spool,
)
from toolgauge.auditing.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = {"tool": "weather", "arguments": {"city": "Oslo"}}


def test_a_line_of_50_mb_is_a_verdict_and_the_lines_around_it_are_read(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """With the bound that is usual."""
    long = b'{"tool": "weather", "arguments": {"city": "' + b"x" * 50_000_000 + b'"}}'
    found = run(write_lines([GOOD, long, GOOD]), job(tmp_path / "out"))

    assert {"valid": 2, "unparsable_row": 1} == dict(found.tally.verdicts)
    assert [2] == [each["line"] for each in records(tmp_path / "out")]


@pytest.mark.parametrize(
    "line",
    [
        b'{"tool": "weather", "arguments": {"city": "\xff\xfe"}}',
        b'{"tool": "weather", "arguments": {"city": NaN}}',
        b'{"tool": "weather", "arguments": {"days": Infinity}}',
        b'{"tool": "weather", "arguments": {"city": "\\ud800"}}',
        b"\x00",
        b"[" * 5_000,
    ],
    ids=["utf-8", "nan", "infinity", "surrogate", "nul", "deep"],
)
def test_a_line_that_is_no_json_is_a_verdict(
    line: bytes, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """With its file and line; the others are judged."""
    path = write_lines([GOOD, line, GOOD])
    found = run(path, job(tmp_path / "out"))
    (record,) = records(tmp_path / "out")

    assert {"valid": 2, "unparsable_row": 1} == dict(found.tally.verdicts)
    assert (str(path), 2) == (record["file"], record["line"])
    assert b"unparsable" in (tmp_path / "out" / "report.html").read_bytes()


@pytest.mark.parametrize("ending", ["gz", "zst"])
@pytest.mark.parametrize("keep", [0.5, 0.99])
def test_a_cut_off_stream_is_one_sentence_and_can_be_repaired(
    ending: str, keep: float, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Never a shorter file that looks whole; repaired, the run goes on."""
    lines = write_lines(rows(3_000), "plain/calls.jsonl").read_bytes()
    path = tmp_path / "calls" / f"calls.jsonl.{ending}"
    path.parent.mkdir()
    whole = gzip.compress(lines) if ending == "gz" else pa.compress(lines, "zstd", asbytes=True)
    path.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(UnitsFailed, match=r"calls\.jsonl.*after line \d+.*repair"):
        run(path, job(tmp_path / "out"))

    path.write_bytes(whole)
    found = run(path, job(tmp_path / "other"))
    assert run(tmp_path / "plain" / "calls.jsonl", job()).tally.verdicts == found.tally.verdicts


def test_damage_in_the_middle_of_a_gzip_file_is_named(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """The check sum tells."""
    whole = bytearray(gzip.compress(write_lines(rows(3_000)).read_bytes()))
    whole[-6] ^= 0xFF
    path = tmp_path / "calls.jsonl.gz"
    path.write_bytes(bytes(whole))
    with pytest.raises(UnitsFailed, match="damaged"):
        run(path, job())


def test_several_members_of_a_gzip_file_are_all_read(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """As log rotation writes them."""
    path = tmp_path / "calls.jsonl.gz"
    line = orjson.dumps(GOOD) + b"\n"
    path.write_bytes(gzip.compress(line) + gzip.compress(line * 2))

    assert 3 == run(path, job()).tally.verdicts[Verdict.VALID]


def test_a_parquet_file_that_is_damaged_inside_is_named(tmp_path: Path) -> None:
    """Its footer is whole, a page of it is not."""
    path = tmp_path / "calls.parquet"
    table = pa.table({"tool": ["weather"] * 5_000, "arguments": [os.urandom(40).hex()] * 5_000})
    pq.write_table(table, path, compression="zstd", use_dictionary=False)
    data = bytearray(path.read_bytes())
    data[40:400] = bytes(360)
    path.write_bytes(bytes(data))
    with pytest.raises(UnitsFailed, match=r"calls\.parquet.*repair"):
        run(path, job())


def test_texts_of_a_table_that_are_no_utf8_are_verdicts(tmp_path: Path) -> None:
    """Their bytes are shown; an escape before one makes nothing legal."""
    given = [b'{"city": "\xff"}', b'{"city": "\\\\\xff"}', b'{"city": "Oslo"}']
    table = pa.table(
        {
            "tool": pa.array([b"weather", b"wea\xffther", b"weather"]).view(pa.string()),
            "arguments": pa.array(given).view(pa.string()),
        }
    )
    path = tmp_path / "calls.parquet"
    pq.write_table(table, path)
    found = run(path, job(tmp_path / "out"))
    first, second = records(tmp_path / "out")

    assert ["unparsable_arguments", "unknown_tool"] == [first["verdict"], second["verdict"]]
    assert "wea\\xffther" == second["tool"]
    assert 1 == found.tally.verdicts[Verdict.VALID]


def test_arguments_may_be_structs_maps_or_bytes() -> None:
    """A null member of a struct is one that is not there; the first is the quickest to be wrong."""
    contracts = Contracts([WEATHER])
    structs = [{"city": "Oslo", "days": None}, {"city": None, "days": 3}, None]
    for values, kind in (
        (structs, None),
        ([b'{"city": "Oslo"}', b'{"days": 3}', None], pa.large_binary()),
        ([[("city", "Oslo")], [("days", "3")], None], pa.map_(pa.string(), pa.string())),
    ):
        batch = pa.record_batch(
            [pa.array(["weather"] * 3), pa.array(values, kind), pa.array([1, 2, 3])],
            names=["tool", "arguments", "id"],
        )
        answer = audit_batch(batch, contracts, ids=["id"])

        assert ["valid", "invalid", "wrong_shape"] == answer.column("verdict").to_pylist()
        assert [1, 2, 3] == answer.column("id").to_pylist()


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("more", [{}, {"ts": 1}], ids=["alone", "beside another"])
def test_arguments_that_are_null_or_not_there_have_a_wrong_shape(
    more: Any, form: str, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """The tool is known all the same, however the row is stored."""
    rows = [{"tool": "weather", "arguments": None, **more}, {**GOOD, "arguments": "{}", **more}]
    if form == "jsonl":
        path = write_lines([*rows[:1], {"tool": "weather", **more}])
    else:
        path = tmp_path / "calls.parquet"
        pq.write_table(pa.Table.from_pylist([rows[0], rows[0], rows[1]]).slice(0, 2), path)
    run(path, job(tmp_path / "out"))

    assert [("weather", "wrong_shape")] * 2 == [
        (each["tool"], each["verdict"]) for each in records(tmp_path / "out")
    ]


def test_a_batch_without_a_named_column_says_which_there_are() -> None:
    """One sentence."""
    batch = pa.record_batch([pa.array(["weather"])], names=["name"])
    with pytest.raises(MissingColumn, match=r"'tool'.*name"):
        audit_batch(batch, Contracts([WEATHER]))


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "parquet"])
def test_a_named_member_that_no_row_has_is_told_before_any_work(
    form: str, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """With those that are there."""
    plain = write_lines([{**GOOD, "arguments": "{}"}] * 3)
    path = tmp_path / f"in.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist([{**GOOD, "arguments": "{}"}]), path)
    else:
        path.write_bytes(
            gzip.compress(plain.read_bytes()) if form == "jsonl.gz" else plain.read_bytes()
        )
    with pytest.raises(MissingColumn, match=r"'sesion'; there are: tool, arguments"):
        run(path, job(tmp_path / "out", columns=("sesion",)))
    assert not (tmp_path / "out").exists()


def test_a_named_member_that_only_late_rows_have_is_there(write_lines: Callable[..., Path]) -> None:
    """It is looked for in the whole text before anybody complains."""
    path = write_lines([*([GOOD] * 5_000), {**GOOD, "session": 7}])

    assert 5_001 == run(path, job(columns=("session",))).tally.rows


@pytest.mark.parametrize("written", ["größe".encode(), b"gr\\u00f6\\u00dfe", b"gr\\u00F6\xc3\x9fe"])
def test_a_late_member_may_be_written_with_escapes(
    written: bytes, write_lines: Callable[..., Path]
) -> None:
    """A name is the same however it is written; a text that looks like it is no member."""
    late = b'{"tool": "weather", "arguments": {"city": "Oslo"}, "%s": 7}' % written
    found = run(write_lines([*([GOOD] * 300), late]), job(columns=("größe",)))

    assert 301 == found.tally.rows
    other = {**GOOD, "arguments": {"city": "gr\\u00f6\\u00dfe"}}
    with pytest.raises(MissingColumn, match="größe"):
        run(write_lines([*([GOOD] * 300), other]), job(columns=("größe",)))


def test_a_row_whose_tool_has_no_contract_is_a_verdict(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """It names the tool, and where the name stands is known."""
    run(write_lines([{"tool": "wether", "arguments": {}}]), job(tmp_path / "out"))
    (record,) = records(tmp_path / "out")

    assert ("wether", "unknown_tool", False) == tuple(
        record[key] for key in ("tool", "verdict", "valid")
    )


def test_a_member_that_the_user_named_is_used_alone(write_lines: Callable[..., Path]) -> None:
    """And the other one may have any of the usual names."""
    path = write_lines([{"fn": "weather", "args": {"city": "Oslo"}, "tool": "nope"}])
    the_job = Job(contracts=Contracts([WEATHER]), rows=RowReader(tool="fn", keys=("fn", "args")))

    assert {"valid": 1} == dict(run(path, the_job).tally.verdicts)


def test_standard_input_that_does_not_fit_is_one_sentence(tmp_path: Path) -> None:
    """Its folder is gone."""
    import io

    with pytest.raises(UnwritableOutput, match="nowhere"):
        spool(io.BytesIO(b"x"), str(tmp_path / "nowhere"))


def test_a_store_says_what_cannot_be_read(tmp_path: Path) -> None:
    """In one sentence."""
    with pytest.raises(UnwritableOutput, match="cannot be written"):
        Store(str(tmp_path)).read("nothing")


EXCEPTIONS = [
    errors.MissingInput("calls", "is not there"),
    errors.MissingColumn("ts", "calls", ["time"]),
    errors.UnreadableInput("calls", 7, "is cut off"),
    errors.ChangedInput("calls"),
    errors.ForeignOutput("out", "holds another run"),
    errors.UnwritableOutput("out", "no space"),
    errors.EngineUnavailable("ray", "auto", "nobody answers"),
    errors.UnitCrashed("calls", "KeyError"),
    errors.WorkerLost("calls", 3),
    errors.NoWorkers(3),
    errors.UnitsFailed(["a: b", "c: d", "e: f", "g: h"], "out"),
    errors.UnitsFailed(["a: b"], None),
]


@pytest.mark.parametrize("error", EXCEPTIONS, ids=lambda error: type(error).__name__)
def test_exceptions_cross_processes(error: errors.AuditError) -> None:
    """With every field, and the sentence."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - it was written here

    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


def test_every_exception_is_in_that_list() -> None:
    """Also one that is added later."""
    named = {each for each in vars(errors).values() if isinstance(each, type)}
    ours = {each for each in named if issubclass(each, errors.AuditError)} - {errors.AuditError}

    assert ours == {type(each) for each in EXCEPTIONS}


def test_what_the_room_offers_is_there_and_sorted() -> None:
    """``__all__`` is the public surface."""
    assert sorted(room.__all__, key=lambda name: (not name.isupper(), name)) == room.__all__
    assert all(hasattr(room, name) for name in room.__all__)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_rows(tmp_path: Path) -> None:
    """Ten times as many rows, a part of which is wrong, need no more at their peak."""
    peaks = [_peak_bytes(tmp_path / f"{number}.jsonl", number) for number in (40_000, 400_000)]

    # Less than what a single unit of the larger file takes.
    assert peaks[1] - peaks[0] < 24 * 1024 * 1024


def _peak_bytes(path: Path, number: int) -> int:
    bad = {"tool": "weather", "arguments": {"city": 7}}
    block = b"".join(orjson.dumps(bad if n % 10 == 0 else GOOD) + b"\n" for n in range(1_000))
    path.write_bytes(block * (number // 1_000))
    code = (
        "from tests.auditing.test_runs import job, run\n"
        "from tests.cost import peak_kib\n"
        f"run({str(path)!r}, job(), unit_bytes=1_000_000)\n"
        "print(peak_kib() * 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return int(done.stdout)


def test_anything_else_that_goes_wrong_in_a_unit_is_a_fault_of_ours(
    write_lines: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is named, logged with its traceback, and the others finish."""
    from toolgauge.auditing import job as jobs

    def crash(*_: Any) -> Any:
        raise KeyError("nobody thought of this")

    monkeypatch.setattr(jobs, "iter_lines", crash)
    with pytest.raises(UnitsFailed, match="fault of toolgauge"):
        run(write_lines([GOOD]), job())
    assert "nobody thought of this" in caplog.text


def test_a_file_that_is_gone_meanwhile_is_named(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Between planning and reading."""
    from toolgauge.auditing import audit, find_inputs

    path = write_lines([GOOD])
    inputs = find_inputs([str(path)])
    path.unlink()

    with pytest.raises((UnreadableInput, errors.MissingInput), match=r"calls\.jsonl"):
        audit(inputs, job())
