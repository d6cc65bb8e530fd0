"""A cluster runs the same units: the result is that of one process, whoever dies meanwhile.

Each driver is a process of its own: Ray changes what it starts in.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from tests.auditing.conftest import WEATHER
from tests.auditing.test_faults import UNIT_BYTES
from tests.auditing.test_runs import job, records, rows, run

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
TIMEOUT_S = 300

pytestmark = pytest.mark.slow


def drive(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run a program beside the checkout's tests. No node asks another for a token."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=TIMEOUT_S,
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
    )


@dataclass(frozen=True)
class Driven:
    """What runs of the same calls gave: on a cluster, and in this process.

    Attributes:
        answers: By the name of what happened on the cluster.
        expected: The summary of this process.
        folder: Holds the folder of each run: ``whole`` is that of this process.
    """

    answers: dict[str, Any]
    expected: dict[str, Any]
    folder: Path


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Driven:
    """Start a cluster of two nodes once, and do everything on it."""
    folder = tmp_path_factory.mktemp("ray")
    path = folder / "calls.jsonl"
    lines = (each if isinstance(each, bytes) else orjson.dumps(each) for each in rows())
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    here = run(path, job(folder / "whole"), unit_bytes=UNIT_BYTES).tally
    done = drive("tests.auditing.engines.on_ray", path, folder)

    assert 0 == done.returncode, done.stderr.decode()[-20_000:]
    answers = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return Driven(answers, json.loads(json.dumps(here.to_json())), folder)


def test_a_killed_worker_loses_nothing(driven: Driven) -> None:
    """A unit that kills each worker is named after its tries, and the others finish."""
    once, always, after = driven.answers["killed"]

    assert driven.expected == once
    assert 1 == len(always["failed"])
    assert "died 3 times" in always["failed"][0]
    assert driven.expected == after
    for name in ("once", "always"):
        assert records(driven.folder / "whole") == records(driven.folder / name)


def test_a_node_that_goes_away_in_mid_run_loses_nothing(driven: Driven) -> None:
    """Ray repeats its unit on the node that is left."""
    assert driven.expected == driven.answers["node"]
    assert records(driven.folder / "whole") == records(driven.folder / "node")


def test_the_batch_function_maps_over_a_data_set(driven: Driven, tmp_path: Path) -> None:
    """With the counts of a run over the same rows."""
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(each) for each in rows() if isinstance(each, dict)))

    assert dict(run(path, job()).tally.verdicts) == driven.answers["batches"]


def test_the_command_runs_on_a_cluster_of_its_own(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """Nothing but the summary is printed, and nothing is left running."""
    path, tools = write_lines(rows()), tmp_path / "tools.json"
    tools.write_bytes(orjson.dumps([WEATHER]))
    words: list[str | Path] = ["toolgauge", "audit", path, "--tools", tools, "--format", "json"]
    there = drive(*words, "--engine", "ray", "--workers", "1", "-o", tmp_path / "out")

    assert 1 == there.returncode, there.stderr
    assert b"" == there.stderr, there.stderr
    assert run(path, job()).tally.verdicts == orjson.loads(there.stdout)["verdicts"]


def test_a_cluster_that_is_not_there_is_one_sentence(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    """And exit 3, soon."""
    path, tools = write_lines(rows()), tmp_path / "tools.json"
    tools.write_bytes(orjson.dumps([WEATHER]))
    address = "127.0.0.1:9"
    words: list[str | Path] = [path, "--tools", tools, "--engine", "ray", "--address", address]
    done = drive("toolgauge", "audit", *words)

    assert 3 == done.returncode
    assert f"no ray cluster at {address}" in done.stderr.decode()
    assert b"Traceback" not in done.stderr
