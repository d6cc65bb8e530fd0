"""``toolgauge logs``: whole files, broken ones, and ones that are still written."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import program
from toolgauge.cli import log_files
from toolgauge.cli.log_files import follow_records, read_records
from toolgauge.cli.reports.logged import live_line
from toolgauge.envelope import LogError, LogRecord, RequestIds
from toolgauge.serve import ContractLog
from toolgauge.upstream import SourceUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Run

IDS = RequestIds(trace_id="a" * 32, span_id="b" * 16, request_id="c")


def record(tool: str | None = "mcp.tool:t", code: str | None = None, **more: Any) -> LogRecord:
    """Make a record."""
    usual: dict[str, Any] = {
        "ids": IDS,
        "received_s": 1.0,
        "duration_ms": 2.0,
        "transport": "http",
        "route": "/rpc",
        "tool": tool,
        "canonical_code": code,
        "status": 200 if code is None else 400,
    }
    return LogRecord(**usual | more)


BAD = record(code="INVALID_INPUT", errors=(LogError(path="/params/input/q", keyword="required"),))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a log with all that can be in one, ending in half a line."""
    lines = [record(), BAD, record(None, "INVALID_INPUT"), record("mcp.tool:\x1b[31m")]
    text = b"".join(each.to_line() for each in lines)
    place = tmp_path / "log.jsonl"
    absurd = record().to_line().replace(b'"durationMs":2.0', b'"durationMs":1' + b"0" * 400)
    assert b"0" * 400 in absurd
    place.write_bytes(text + absurd + b"no json\n\n[5]\n" + record().to_line()[:40])
    return place


def test_a_summary_for_programs(run: Run, file: Path) -> None:
    """Everything that is counted."""
    ended = run("logs", str(file), "--format", "json")

    assert 0 == ended.code
    found = ended.document
    assert ([str(file)], 4, 2, 5) == (
        found["files"],
        found["calls"],
        found["failures"],
        found["unreadable"],
    )
    assert {"tool": "mcp.tool:t", "calls": 2, "failures": 1} == {
        key: value for key, value in found["tools"][0].items() if key != "latencyMs"
    }
    cause = {"tool": "mcp.tool:t", "code": "INVALID_INPUT", "keyword": "required", "failures": 1}
    assert cause in found["causes"]
    assert {"p50", "p90", "p95", "p99", "max"} == found["latencyMs"].keys()


def test_a_summary_for_people(run: Run, file: Path) -> None:
    """Two tables; a terminal obeys nothing that is in a name."""
    ended = run("logs", str(file))

    assert ended.out.startswith("4 calls, 2 failed (50.0%), 1970-01-01T00:00:01.000Z to ")
    assert "5 lines could not be read" in ended.out
    assert "\x1b" not in ended.out
    headings = [line.split() for line in ended.out.splitlines() if line.startswith("tool ")]
    assert [["tool", "calls", "failed"], ["tool", "code", "keyword"]] == [h[:3] for h in headings]
    assert ["mcp.tool:t", "INVALID_INPUT", "required", "1"] in [
        line.split() for line in ended.out.splitlines()
    ]


def test_an_empty_log_has_a_headline_and_no_tables(run: Run, tmp_path: Path) -> None:
    """Nothing is divided by nothing."""
    (tmp_path / "empty").touch()

    assert "0 calls, 0 failed\n" == run("logs", str(tmp_path / "empty")).out
    found = run("logs", str(tmp_path / "empty"), "--format", "json").document
    assert None is found["latencyMs"]["max"]


def test_several_files_are_one_log(run: Run, file: Path, tmp_path: Path) -> None:
    """Each is counted once, however often it is named."""
    other = tmp_path / "other.jsonl"
    other.write_bytes(record().to_line())
    (tmp_path / "link.jsonl").symlink_to(other)
    (tmp_path / "hard.jsonl").hardlink_to(file)
    words = [str(file), str(other), str(file), *map(str, sorted(tmp_path.glob("*.jsonl")))]

    assert 5 == run("logs", *words, "--format", "json").document["calls"]


@pytest.mark.parametrize("inner", ["mcp_server/envelope_validation", "."])
def test_a_folder_is_its_latest_log(run: Run, file: Path, tmp_path: Path, inner: str) -> None:
    """What --log-dir named, or the folder that holds the logs themselves."""
    folder = tmp_path / "logs" / inner
    folder.mkdir(parents=True)
    file.rename(folder / "envelope_validation.latest.jsonl")
    ended = run("logs", str(tmp_path / "logs"), "--format", "json")

    assert 0 == ended.code
    assert 4 == ended.document["calls"]


def test_a_folder_without_a_log_cannot_be_read(run: Run, tmp_path: Path) -> None:
    """The file that is missing is named."""
    ended = run("logs", str(tmp_path))

    assert 3 == ended.code
    assert "envelope_validation.latest.jsonl" in ended.err


def test_without_a_file_it_is_the_latest_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the servers write by default."""
    monkeypatch.chdir(tmp_path)
    log = ContractLog()
    log.write(record())
    log.close()

    assert 1 == run("logs", "--format", "json").document["calls"]


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_what_cannot_be_read_is_named(run: Run, tmp_path: Path, name: str) -> None:
    """With its name and the reason."""
    ended = run("logs", str(tmp_path / name))

    assert 3 == ended.code
    assert "Traceback" not in ended.err
    assert str(tmp_path) in ended.err


def test_long_tables_are_cut_for_people_alone(run: Run, tmp_path: Path) -> None:
    """Programs get every row."""
    place = tmp_path / "log"
    place.write_bytes(b"".join(record(f"mcp.tool:{n}").to_line() for n in range(60)))

    assert "and 10 more" in run("logs", str(place)).out
    assert 60 == len(run("logs", str(place), "--format", "json").document["tools"])


def test_a_line_past_all_bounds_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without being kept."""
    monkeypatch.setattr(log_files, "_MAX_LINE_BYTES", 1_000)
    place = tmp_path / "log"
    place.write_bytes(b"x" * 5_000 + b"\n" + record().to_line())
    sizes: list[int] = []

    first, second = read_records(place, sizes.append)

    assert None is first
    assert isinstance(second, dict)
    assert place.stat().st_size == sum(sizes)


class Script:
    """Does one thing after the other each time there is nothing to read."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.steps = list(steps)

    def wait(self) -> bool:
        if not self.steps:
            return False
        self.steps.pop(0)()
        return True


def tools_of(found: list[Any]) -> list[Any]:
    """Give the tool of each record."""
    return [each and each["tool"] for each in found]


def test_a_live_log_is_followed_across_its_files(tmp_path: Path) -> None:
    """Through the link, file by file, also where several are begun between two looks."""
    log = ContractLog(tmp_path, max_bytes=len(record("0").to_line()))
    log.write(record("0"))
    latest = log.folder / "envelope_validation.latest.jsonl"

    def several() -> None:
        for name in "234":
            log.write(record(name))

    script = Script(
        lambda: log.write(record("1")),
        several,
        lambda: None,
    )

    assert list("01234") == tools_of(list(follow_records(latest, script.wait)))
    log.close()


def test_a_new_start_is_followed_too(tmp_path: Path) -> None:
    """Half a line that the old one left is read when its file is over."""
    old = ContractLog(tmp_path)
    old.write(record("old"))
    assert old.path is not None
    path = old.path
    latest = old.folder / "envelope_validation.latest.jsonl"
    new = ContractLog(tmp_path)
    new._stem += "x"

    def half() -> None:
        with path.open("ab") as file:
            file.write(record("half").to_line()[:50])

    script = Script(half, lambda: new.write(record("new")), lambda: None)

    assert ["old", None, "new"] == tools_of(list(follow_records(latest, script.wait)))
    for log in (old, new):
        log.close()


def test_a_file_that_is_replaced_under_its_name_is_followed(tmp_path: Path) -> None:
    """As other programs rotate theirs."""
    place = tmp_path / "log.jsonl"
    place.write_bytes(record("1").to_line())

    def replace() -> None:
        beside = tmp_path / "beside"
        beside.write_bytes(record("2").to_line())
        beside.replace(place)

    script = Script(replace, lambda: None)

    assert ["1", "2"] == tools_of(list(follow_records(place, script.wait)))


def test_a_file_that_goes_away_is_read_to_its_end(tmp_path: Path) -> None:
    """It may come back."""
    place = tmp_path / "log.jsonl"
    place.write_bytes(record("1").to_line())
    script = Script(place.unlink, lambda: None)

    assert ["1"] == tools_of(list(follow_records(place, script.wait)))


def test_a_file_that_cannot_be_read_on_is_named(tmp_path: Path) -> None:
    """With the reason."""

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(SourceUnreadable, match="Input/output error"):
        log_files._chunk(Broken(), tmp_path)


@pytest.mark.parametrize("shape", ["text", "json"])
def test_following_prints_what_comes_until_ctrl_c(tmp_path: Path, shape: str) -> None:
    """And ends well: with the summary for people, with nothing more for programs."""
    log = ContractLog(tmp_path)
    log.write(record("mcp.tool:before"))
    words = program("logs", str(log.path), "--follow", "--format", shape)
    # Unbuffered, or a line would wait for others.
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    # A second record is written until the command is there to see one.
    done = threading.Event()

    def write() -> None:
        while not done.wait(0.05):
            log.write(BAD)

    writer = threading.Thread(target=write)
    writer.start()
    line = process.stdout.readline()
    done.set()
    writer.join()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=20)
    log.close()

    assert 0 == process.returncode
    assert "INVALID_INPUT" in line
    assert "mcp.tool:before" not in line
    if shape == "json":
        assert all(json.loads(each) for each in (line + rest).splitlines())
    else:
        assert "/params/input/q required" in line
        assert "mcp.tool:before" in rest


def test_following_several_files_counts_the_first_and_follows_the_last(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of what was there already is printed as if it came now."""
    last = tmp_path / "last.jsonl"
    last.write_bytes(record().to_line())
    monkeypatch.setattr(time, "sleep", _interrupt)

    ended = run("logs", str(file), str(last), "--follow")

    assert ended.out.startswith("5 calls")


def _interrupt(seconds: float) -> None:
    raise KeyboardInterrupt


def test_a_record_of_any_shape_has_a_line() -> None:
    """The file may be anybody's."""
    usual = {"ts": "now", "status": 499, "durationMs": 1}

    assert "now  499  1.0 ms  -  CANCELLED" == live_line(usual)
    assert "now  499  1.0 ms  m  CANCELLED  /" == live_line(
        usual | {"method": "m", "errors": [{}, 5]}
    )
