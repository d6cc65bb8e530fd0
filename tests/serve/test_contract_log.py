"""The contract log's files: whole lines, a file per start, a link to the newest."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from toolgauge.envelope import LogRecord, RequestIds
from toolgauge.serve import ContractLog
from toolgauge.serve.contract_log import LATEST

IDS = RequestIds(trace_id="a" * 32, span_id="b" * 16, request_id="c")


def record(tool: str = "mcp.tool:t") -> LogRecord:
    """Make a record."""
    return LogRecord(
        ids=IDS, received_s=0.0, duration_ms=1.0, transport="http", route="/rpc", tool=tool
    )


LINE_BYTES = len(record().to_line())


def lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of whole lines."""
    text = path.read_bytes()
    assert not text or text.endswith(b"\n")
    return [json.loads(line) for line in text.splitlines()]


def files(log: ContractLog) -> list[Path]:
    """Give the files in the order in which they were begun."""
    return sorted(each for each in log.folder.iterdir() if not each.name.startswith("envelope"))


def test_nothing_is_made_before_the_first_record(tmp_path: Path) -> None:
    """A server that nobody calls leaves no folder behind."""
    log = ContractLog(tmp_path / "runs")
    log.close()

    assert None is log.path
    assert [] == list(tmp_path.iterdir())


def test_each_start_has_a_file_and_the_link_is_to_the_newest(tmp_path: Path) -> None:
    """Relative, so that the folder can be moved."""
    first, second = ContractLog(tmp_path), ContractLog(tmp_path)
    first.write(record("one"))
    second.write(record("two"))
    first.write(record("three"))

    latest = tmp_path / "mcp_server" / "envelope_validation" / LATEST
    assert second.path is not None
    assert second.path.name == str(latest.readlink())
    assert ["two"] == [each["tool"] for each in lines(latest)]
    assert first.path is not None
    assert ["one", "three"] == [each["tool"] for each in lines(first.path)]
    assert not list(latest.parent.glob(".*"))
    for log in (first, second):
        log.close()


def test_a_file_is_followed_by_another_before_it_is_too_large(tmp_path: Path) -> None:
    """None is larger than the bound, and no record is lost or in two files."""
    log = ContractLog(tmp_path, max_bytes=3 * LINE_BYTES)
    for _ in range(10):
        log.write(record())
    log.close()

    assert [3, 3, 3, 1] == [len(lines(each)) for each in files(log)]
    assert files(log)[-1].name == str((log.folder / LATEST).readlink())


def test_a_line_larger_than_the_bound_has_a_file_of_its_own(tmp_path: Path) -> None:
    """It is not lost, and no empty file is left."""
    log = ContractLog(tmp_path, max_bytes=10)
    for _ in range(3):
        log.write(record())
    log.close()

    assert [1, 1, 1] == [len(lines(each)) for each in files(log)]


def test_threads_do_not_write_into_each_others_lines(tmp_path: Path) -> None:
    """Whichever comes first."""
    log = ContractLog(tmp_path, max_bytes=100 * LINE_BYTES)

    def write() -> None:
        for _ in range(200):
            log.write(record())

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()

    assert 800 == sum(len(lines(each)) for each in files(log))


def test_a_closed_log_goes_on_in_another_file(tmp_path: Path) -> None:
    """Records may come late, after the server's end."""
    log = ContractLog(tmp_path)
    log.write(record())
    log.close()
    log.write(record())
    log.close()

    assert [1, 1] == [len(lines(each)) for each in files(log)]


@pytest.mark.parametrize("whole", [True, False])
def test_a_log_that_was_deleted_is_begun_again(tmp_path: Path, whole: bool) -> None:
    """Nothing is written where nobody would find it."""
    log = ContractLog(tmp_path)
    log.write(record("mcp.tool:before"))
    if whole:
        shutil.rmtree(tmp_path)
    else:
        files(log)[0].unlink()

    log.write(record("mcp.tool:after"))
    log.write(record("mcp.tool:later"))

    assert ["mcp.tool:after", "mcp.tool:later"] == [
        each["tool"] for each in lines(log.folder / LATEST)
    ]
    assert 1 == len(files(log))


def test_what_a_full_disk_cuts_off_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning, and later lines follow whole ones."""
    log = ContractLog(tmp_path)
    log.write(record("before"))
    room = [10]

    def write(descriptor: int, text: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        taken = os_write(descriptor, text[: room[0]])
        room[0] -= taken
        return taken

    os_write = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        for _ in range(5):
            log.write(record("lost"))
    log.write(record("after"))
    log.close()

    (path,) = files(log)
    assert ["before", "after"] == [each["tool"] for each in lines(path)]
    assert 1 == caplog.text.count("No space left on device")
    assert "5 lines are missing" in caplog.text


def test_half_a_line_that_cannot_be_taken_back_ends_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one begins another."""
    log = ContractLog(tmp_path)
    log.write(record("before"))

    def refuse(*_: object) -> int:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        patched.setattr(os, "ftruncate", refuse)
        log.write(record("lost"))
    log.write(record("after"))
    log.close()

    assert [["before"], ["after"]] == [[each["tool"] for each in lines(f)] for f in files(log)]


@pytest.mark.parametrize("kinds", [("symlink_to",), ("symlink_to", "hardlink_to")])
def test_where_there_are_no_links_there_is_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...]
) -> None:
    """A hard link first; a copy when the file is closed, if that cannot be either (E12)."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    for kind in kinds:
        monkeypatch.setattr(Path, kind, refuse)
    log = ContractLog(tmp_path, max_bytes=2 * LINE_BYTES)
    for number in range(3):
        log.write(record(str(number)))
    log.close()

    latest = log.folder / LATEST
    assert not latest.is_symlink()
    assert ["2"] == [each["tool"] for each in lines(latest)]


def test_a_copy_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And raises nothing: the records themselves are written."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    for kind in ("symlink_to", "hardlink_to"):
        monkeypatch.setattr(Path, kind, refuse)
    monkeypatch.setattr(shutil, "copyfile", refuse)
    log = ContractLog(tmp_path)
    log.write(record())
    log.close()

    (path,) = files(log)
    assert 1 == len(lines(path))
    assert "Operation not permitted" in caplog.text


def test_names_that_are_taken_are_left_alone(tmp_path: Path) -> None:
    """A process may start twice within a millisecond, under the same number."""
    first = ContractLog(tmp_path)
    second = ContractLog(tmp_path)
    second._stem = first._stem
    for log in (first, second):
        log.write(record())
        log.close()

    assert first.path != second.path
    assert 2 == len(files(first))
