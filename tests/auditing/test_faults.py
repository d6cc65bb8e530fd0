"""Real processes are killed, real disks run full; rows are neither lost nor doubled."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from tests.auditing.conftest import WEATHER
from tests.auditing.test_runs import Stop, job, records, rows, run
from tests.profile import IS_LONG
from toolgauge.auditing import (
    Report,
    UnitsFailed,
    WorkerLost,
    audit,
    find_inputs,
    plan_units,
    run_unit,
)
from toolgauge.auditing.engines import local
from toolgauge.auditing.engines.local import local_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolgauge.auditing import Job, WorkUnit
    from toolgauge.auditing.engines import Outcome, Work

UNIT_BYTES = 3_000
ROWS = 400_000 if IS_LONG else 200_000
"""So many that a run of them can be caught in the middle, also where little else runs."""


def killing(the_job: Job, flag: str, number: int, unit: WorkUnit) -> Report:
    """Kill this worker by its own pid, the first time or each time that a unit runs."""
    if unit.number == number and not os.path.exists(f"{flag}.done"):  # noqa: PTH110 - runs in a worker
        if not flag.endswith("always"):
            with open(f"{flag}.done", "w", encoding="utf-8"):  # noqa: PTH123 - the same
                pass
        os.kill(os.getpid(), signal.SIGKILL)
    return run_unit(the_job, unit)


def with_killer(the_job: Job, flag: Path, number: int) -> Callable[..., Iterator[Outcome]]:
    """Make the engine of two workers, with a killer in place of the work."""

    def map_units(_work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        return local_engine(2)(partial(killing, the_job, str(flag), number), units)

    return map_units


def test_a_killed_worker_loses_nothing(write_lines: Callable[..., Path], tmp_path: Path) -> None:
    """The pool opens again and repeats its units; the result is that of an undisturbed run."""
    path = write_lines(rows())
    expected = run(path, job(tmp_path / "whole"), unit_bytes=UNIT_BYTES)
    the_job = job(tmp_path / "out")
    found = audit(
        find_inputs([str(path)]),
        the_job,
        engine=with_killer(the_job, tmp_path / "once", 3),
        unit_bytes=UNIT_BYTES,
    )

    assert expected.tally.to_json() == found.tally.to_json()
    assert records(tmp_path / "whole") == records(tmp_path / "out")


def test_a_unit_that_kills_each_worker_is_named_and_the_others_finish(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """After three tries; then the same command does what is left."""
    path = write_lines(rows())
    expected = run(path, job(tmp_path / "whole"), unit_bytes=UNIT_BYTES)
    the_job = job(tmp_path / "out")
    with pytest.raises(UnitsFailed, match=r"1 of the work units.*died 3 times"):
        audit(
            find_inputs([str(path)]),
            the_job,
            engine=with_killer(the_job, tmp_path / "always", 2),
            unit_bytes=UNIT_BYTES,
        )
    assert len(expected.reports) - 1 == len(list((tmp_path / "out" / "units").iterdir()))
    found = run(path, the_job, unit_bytes=UNIT_BYTES)

    assert expected.tally.to_json() == found.tally.to_json()
    assert records(tmp_path / "whole") == records(tmp_path / "out")


def waiting(folder: str, unit: WorkUnit) -> Report:
    """Work that ends for the first unit only; the others say that they have begun."""
    if unit.number:
        Path(folder, str(unit.number)).touch()
        threading.Event().wait()
    return Report(unit=unit)


def interrupted(*_: object, **__: object) -> None:
    """Stands for the handler of a signal."""
    raise Stop


@pytest.mark.parametrize("how", ["closed", "interrupted"])
def test_a_stopped_engine_waits_for_no_unit(
    how: str, write_lines: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its caller lets go of it, or a signal comes while it waits: workers end at once."""
    units = plan_units(find_inputs([str(write_lines(rows()))]), unit_bytes=UNIT_BYTES)
    begun = tmp_path / "begun"
    begun.mkdir()
    before = multiprocessing.active_children()
    outcomes = local_engine(2)(partial(waiting, str(begun)), units)
    assert isinstance(outcomes, Generator)
    assert units[0] == next(outcomes)[0]
    _until(lambda: len(list(begun.iterdir())) >= 2)
    if how == "closed":
        outcomes.close()
    else:
        monkeypatch.setattr(local, "wait", interrupted)
        with pytest.raises(Stop):
            next(outcomes)

    # Of those that waited in line none was begun.
    assert {"1", "2"} == {each.name for each in begun.iterdir()}
    assert before == multiprocessing.active_children()


def test_a_lost_worker_is_told_in_words() -> None:
    """With the number of tries."""
    assert "died 3 times" in str(WorkerLost("calls.jsonl", 3))


def command(path: Path, output: Path, tools: Path) -> list[str]:
    """Give the words of a run with two workers."""
    words = [sys.executable, "-m", "toolgauge", "audit", str(path), "--tools", str(tools)]
    return [*words, "-o", str(output), "--workers", "2", "--format", "json"]


@pytest.fixture
def large(tmp_path: Path) -> tuple[Path, Path]:
    """Write many calls, and their tools."""
    path, tools = tmp_path / "calls.jsonl", tmp_path / "tools.json"
    tools.write_bytes(orjson.dumps([WEATHER]))
    good = {"tool": "weather", "arguments": {"city": "Oslo"}, "pad": "x" * 400}
    bad = {"tool": "weather", "arguments": {"city": 7}, "pad": "x" * 400}
    block = b"".join(orjson.dumps(bad if n % 10 == 0 else good) + b"\n" for n in range(1_000))
    with path.open("wb") as file:
        for _ in range(ROWS // 1_000):
            file.write(block)
    return path, tools


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_driver_is_gone_on_with(
    number: signal.Signals, large: tuple[Path, Path], tmp_path: Path
) -> None:
    """Its workers end with it; the same command writes no row twice and loses none."""
    path, tools = large
    output = tmp_path / "out"
    words = command(path, output, tools)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _until(lambda: (output / "units").is_dir() and any((output / "units").iterdir()))
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)

    assert not (output / "_SUCCESS").exists()
    assert b"Traceback" not in errors
    if number is not signal.SIGKILL:
        assert b"same command again" in errors
        assert {signal.SIGTERM: 143, signal.SIGINT: 130}[number] == process.returncode
    again = subprocess.run(words, capture_output=True, check=False, timeout=120)

    assert 1 == again.returncode, again.stderr
    summary = orjson.loads(again.stdout)
    assert {"valid": ROWS * 9 // 10, "invalid": ROWS // 10} == summary["verdicts"]
    lines = [each["line"] for each in records(output)]
    assert list(range(1, ROWS + 1, 10)) == lines


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_the_run_goes_on(
    large: tuple[Path, Path], tmp_path: Path
) -> None:
    """On a small file system of its own."""
    path, tools = large
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    output = small / "out"
    try:
        full = subprocess.run(
            command(path, output, tools), capture_output=True, check=False, timeout=120
        )

        assert 3 == full.returncode
        assert b"No space left" in full.stderr
        assert b"again to go on" in full.stderr
        assert b"Traceback" not in full.stderr
        assert not (output / "_SUCCESS").exists()
        subprocess.run(
            ["mount", "-o", "remount,size=64m", str(small)], check=True, capture_output=True
        )
        again = subprocess.run(
            command(path, output, tools), capture_output=True, check=False, timeout=120
        )

        assert 1 == again.returncode, again.stderr
        assert list(range(1, ROWS + 1, 10)) == [each["line"] for each in records(output)]
        assert not [each for each in (output / "parts").iterdir() if each.name.startswith(".")]
    finally:
        subprocess.run(["umount", str(small)], check=True)


def _until(holds: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until something holds: another process is at work on it."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            pytest.fail("it did not come to hold")
        os.sched_yield()


UNGUARDED = """
import sys, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
from toolgauge.auditing import Contracts, Job, NoWorkers, RowReader, audit, find_inputs
from toolgauge.auditing.engines.local import local_engine
try:
    found = audit(
        find_inputs([sys.argv[1]]),
        Job(contracts=Contracts([{"name": "t", "inputSchema": {}}]), rows=RowReader()),
        engine=local_engine(2),
        unit_bytes=1000,
    )
except NoWorkers as error:
    print(error)
"""


def run_script(script: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """Run a script about a file of calls."""
    words = [sys.executable, str(script), str(path)]
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)


def test_workers_that_cannot_start_end_the_run_in_one_sentence(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """A script with threads and without the usual guard would start itself in each worker."""
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED, "utf-8")
    path = write_lines(rows())

    done = run_script(script, path)

    assert 0 == done.returncode
    assert 'if __name__ == "__main__":' in done.stdout
    assert 1 == len(done.stdout.splitlines())


def test_a_process_with_one_thread_starts_workers_as_copies(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """The same script without a thread of its own needs no guard, on Linux."""
    script = tmp_path / "script.py"
    lines = [line for line in UNGUARDED.splitlines() if not line.startswith("threading")]
    script.write_text("\n".join([*lines, "print(found.tally.rows)"]), "utf-8")
    path = write_lines(rows())

    done = run_script(script, path)

    assert f"{run(path, job()).tally.rows}\n" == done.stdout, done.stderr
