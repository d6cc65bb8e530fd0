"""Clusters run the same units: the result is that of one process, whoever dies meanwhile.

Each driver is a process of its own: Ray and Dask change what they start in.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from tests.audit.conftest import WEATHER
from tests.audit.test_faults import UNIT_BYTES
from tests.audit.test_runs import job, records, rows, run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).parents[3]
TIMEOUT_S = 300

pytestmark = pytest.mark.slow


def drive(words: Sequence[str | Path]) -> subprocess.CompletedProcess[bytes]:
    """Run a program beside the checkout's tests. No node asks another for a token."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=TIMEOUT_S,
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
    )


def answers(words: Sequence[str | Path]) -> Any:
    """Give what a driver wrote; its last word is its folder."""
    done = drive(words)

    assert 0 == done.returncode, done.stderr.decode()[-20_000:]
    return json.loads(Path(words[-1], "answers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "driver", [("tests.audit.engines.on_ray", "killed"), ("tests.audit.engines.on_dask",)]
)
def test_a_killed_worker_loses_nothing(
    driver: tuple[str, ...], write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """A unit that kills each worker is named after its tries, and the others finish."""
    path = write_lines(rows())
    expected = json.loads(
        json.dumps(run(path, job(tmp_path / "whole"), unit_bytes=UNIT_BYTES).tally.to_json())
    )
    once, always, after = answers([*driver, path, tmp_path])

    assert expected == once
    assert 1 == len(always["failed"])
    assert "died 3 times" in always["failed"][0]
    assert expected == after
    for name in ("once", "always"):
        assert records(tmp_path / "whole") == records(tmp_path / name)


def test_a_node_that_goes_away_in_mid_run_loses_nothing(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Ray repeats its unit on the node that is left."""
    path = write_lines(rows())
    expected = run(path, job(tmp_path / "whole"), unit_bytes=UNIT_BYTES)
    (found,) = answers(["tests.audit.engines.on_ray", "node", path, tmp_path])

    assert json.loads(json.dumps(expected.tally.to_json())) == found
    assert records(tmp_path / "whole") == records(tmp_path / "node")


def test_the_batch_function_maps_over_a_data_set(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """With the counts of a run over the same rows."""
    path = write_lines([each for each in rows() if isinstance(each, dict)])
    expected = run(path, job())
    (counted,) = answers(["tests.audit.engines.on_ray", "batches", path, tmp_path])

    assert dict(expected.tally.verdicts) == counted


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_the_command_runs_on_a_cluster_of_its_own(
    engine: str, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Nothing but the summary is printed, and nothing is left running."""
    path, tools = write_lines(rows()), tmp_path / "tools.json"
    tools.write_bytes(orjson.dumps([WEATHER]))
    words: list[str | Path] = ["toolgauge", "audit", path, "--tools", tools, "--format", "json"]
    here = drive(words)
    # A dashboard of somebody else's has the usual port.
    with socket.socket() as other:
        with contextlib.suppress(OSError):  # then somebody else really has it
            other.bind(("", 8787))
            other.listen()
        there = drive([*words, "--engine", engine, "--workers", "1", "-o", tmp_path / "out"])

    assert 1 == there.returncode, there.stderr
    assert b"" == there.stderr, there.stderr
    assert orjson.loads(here.stdout) == {**orjson.loads(there.stdout), "output": None}


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_a_cluster_that_is_not_there_is_one_sentence(
    engine: str, write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """And exit 3, soon."""
    path, tools = write_lines(rows()), tmp_path / "tools.json"
    tools.write_bytes(orjson.dumps([WEATHER]))
    words: list[str | Path] = ["toolgauge", "audit", path, "--tools", tools, "--engine", engine]
    address = {"ray": "127.0.0.1:9", "dask": "http://nowhere"}[engine]
    done = drive([*words, "--address", address])

    assert 3 == done.returncode
    assert f"no {engine} cluster at {address}" in done.stderr.decode()
    assert b"Traceback" not in done.stderr
