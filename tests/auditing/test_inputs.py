"""Which files a run reads: each once, none of its own, and pipes as copies."""

from __future__ import annotations

import gzip
import io
import os
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.auditing.test_runs import Stop, job, rows, run, stopping
from toolgauge.auditing import ForeignOutput, MissingInput, audit, find_inputs, spool
from toolgauge.auditing.engines.local import local_engine
from toolgauge.auditing.inputs import is_stream
from toolgauge.auditing.row_tools import tools_by_id
from toolgauge.contract import dump_json
from toolgauge.envelope import LogRecord, RequestIds
from toolgauge.serve import contract_log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = {"tool": "weather", "arguments": {"city": "Oslo"}}


def names(folder: Path, **options: Any) -> list[str]:
    """List the files that are read of a folder, by the way to each."""
    found = find_inputs([str(folder)], **options)
    return [each.name.removeprefix(f"{folder}/") for each in found]


def test_a_file_of_a_folder_is_read_once_whatever_links_lead_to_it(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """By the first of its names; one that lies elsewhere is read by its link."""
    write_lines(rows(5), "calls/a/b.jsonl")
    elsewhere = write_lines(rows(5), "elsewhere/c.jsonl")
    calls = tmp_path / "calls"
    (calls / "again").symlink_to(calls / "a")
    (calls / "latest.jsonl").symlink_to(calls / "a" / "b.jsonl")
    (calls / "other.jsonl").symlink_to(elsewhere)

    assert ["a/b.jsonl", "other.jsonl"] == names(calls)


@pytest.mark.parametrize("links", ["both", "hard", "none"])
def test_a_contract_log_is_read_without_the_link_to_its_newest_file(
    links: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where that is a copy; alone it is a file like any other."""

    def refuse(*_: Any) -> None:
        raise OSError

    if links != "both":
        monkeypatch.setattr("pathlib.Path.symlink_to", refuse)
    if links == "none":
        monkeypatch.setattr("pathlib.Path.hardlink_to", refuse)
    log = contract_log.ContractLog(tmp_path / "runs")
    ids = RequestIds(trace_id="0" * 32, span_id="0" * 16, request_id="r")
    record = LogRecord(ids=ids, received_s=1, duration_ms=1, transport="http", route="/rpc")
    log.write(record)
    log.close()
    latest = log.folder / contract_log.LATEST
    logs = [each for each in log.folder.iterdir() if each != latest]

    assert latest.exists()
    assert [f"{contract_log.FOLDER}/{each.name}" for each in logs] == names(tmp_path / "runs")
    for each in logs:
        if not latest.is_symlink():
            each.unlink()
            assert [contract_log.LATEST] == names(log.folder)


def test_a_run_that_writes_into_its_input_is_gone_on_with(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """What lies in the output folder is no input, however it is named, and after the end too."""
    write_lines(rows(), "logs/a.jsonl")
    logs, output = tmp_path / "logs", tmp_path / "logs" / "out"
    (tmp_path / "link").symlink_to(logs)

    def go(folder: Path, **options: Any) -> int:
        inputs = find_inputs([str(folder)], output=str(output))
        engine = options.pop("engine", local_engine(1))
        return audit(inputs, job(output), engine=engine, unit_bytes=3_000, **options).tally.rows

    with pytest.raises(Stop):
        go(logs, engine=stopping(2))
    number = go(logs)

    assert number == go(logs, resume=True) == go(logs, overwrite=True)
    assert ["a.jsonl"] == names(tmp_path / "link", output=str(output))
    assert ["a.jsonl"] == names(logs, output=str(tmp_path / "link" / "out"))


def test_an_output_folder_that_is_named_is_not_left_out(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Nor is a folder in it: the run refuses to lose what somebody wants read."""
    run(write_lines(rows(), "calls.jsonl"), job(tmp_path / "out"))
    output = str(tmp_path / "out")

    assert "parts/part-00000.jsonl" in names(tmp_path / "out", output=output)
    assert ["part-00000.jsonl"] == names(tmp_path / "out" / "parts", output=output)
    with pytest.raises(ForeignOutput):
        audit(find_inputs([output], output=output), job(tmp_path / "out"), overwrite=True)


def test_a_pipe_in_a_folder_is_left_out_and_a_named_one_is_to_be_copied(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Nobody waits for a writer that never comes."""
    path = write_lines([GOOD], "calls/a.jsonl")
    pipe = tmp_path / "calls" / "b.jsonl"
    os.mkfifo(pipe)

    assert ["a.jsonl"] == names(tmp_path / "calls")
    assert [True, False, False, False, False] == [
        is_stream(str(each))
        for each in (pipe, path, tmp_path, tmp_path / "none", "s3://bucket/b.jsonl")
    ]
    with pytest.raises(MissingInput, match="pipe"):
        find_inputs([str(pipe)])


def test_several_streams_are_copied_side_by_side(tmp_path: Path) -> None:
    """Each under the name that the user gave it, with what it holds as its stamp."""
    line = orjson.dumps(GOOD) + b"\n"
    packed = pa.compress(line * 2, "zstd", asbytes=True)
    one = spool(io.BytesIO(line), str(tmp_path), "/dev/fd/62")
    other = spool(io.BytesIO(packed), str(tmp_path), "/dev/fd/63")

    assert ["/dev/fd/62", "/dev/fd/63"] == [one.name, other.name]
    assert ["lines", "zstd"] == [one.kind, other.kind]
    assert one.stamp == spool(io.BytesIO(line), str(tmp_path)).stamp != other.stamp
    assert 3 == audit([one, other], job()).tally.rows


@pytest.mark.parametrize("first", [0x50, 0x57, 0x5F])
def test_a_zstd_file_may_begin_with_a_frame_to_skip(first: int, tmp_path: Path) -> None:
    """As parallel packers write them (RFC 8878, section 3.1.2)."""
    frame = bytes([first]) + b"\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"skip"
    packed = pa.compress(orjson.dumps(GOOD) + b"\n", "zstd", asbytes=True)
    path = tmp_path / "calls.jsonl.zst"
    path.write_bytes(frame + packed + frame + packed)

    assert {"valid": 2} == dict(run(path, job()).tally.verdicts)


def test_a_name_that_is_no_utf8_is_shown_with_escapes(tmp_path: Path) -> None:
    """In records, notes of units and report; the file is found by its own name."""
    path = os.fsencode(tmp_path) + b"/in/gr\xf6sse.jsonl"
    os.mkdir(os.path.dirname(path))  # noqa: PTH102, PTH120 - they take bytes
    with open(path, "wb") as file:  # noqa: PTH123 - the same
        file.write(b'{"tool": "nope", "arguments": {}}\n' * 40)
    output = os.fsdecode(os.fsencode(tmp_path) + b"/out\xf6")
    for given in (os.fsdecode(path), str(tmp_path / "in")):
        the_job = job(tmp_path / output)
        found = audit(find_inputs([given]), the_job, unit_bytes=300, overwrite=True)

        assert (f"{tmp_path}/in/gr\\udcf6sse.jsonl",) == found.inputs
        assert b"udcf6sse" in found.to_html()
    with pytest.raises(MissingInput, match=r"\\udcf6"):
        find_inputs([os.fsdecode(b"nothing\xf6")])


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "parquet"])
def test_tools_may_stand_beside_in_every_form_of_input(form: str, tmp_path: Path) -> None:
    """By the id of their rows; a line that is no JSON is passed over."""
    rows = [{"id": "a", "tools": "[1]"}, {"id": "b", "tools": "[2]"}, {"id": "a", "tools": "[3]"}]
    path = tmp_path / f"tools.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=2)
    else:
        text = b"no JSON\n" + b"\n".join(map(dump_json, rows))
        path.write_bytes(gzip.compress(text) if form == "jsonl.gz" else text)

    assert {"a": "[1]", "b": "[2]"} == tools_by_id(find_inputs([str(path)]), "tools")
