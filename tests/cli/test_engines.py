"""Another package adds an engine with one file and an entry point."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ended, Run

ENGINE = '''
"""Run units on threads of this process."""

import sys
from concurrent.futures import ThreadPoolExecutor


def threads_engine(address, workers):
    def map_units(work, units):
        print(f"{workers} threads at {address}", file=sys.stderr)
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(lambda unit: (unit, work(unit)), units)

    return map_units
'''
POINTS = """[toolgauge.engines]
threads = units_on_threads:threads_engine
renamed = units_on_threads:no_engine
absent = units_on_nothing:engine
"""
TOOL = {"name": "weather", "inputSchema": {"type": "object", "required": ["city"]}}
ROWS = b'{"tool": "weather", "arguments": {"city": "Oslo"}}\n{"tool": "weather", "arguments": {}}'


@pytest.fixture
def audit(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    """Audit a file where a package that adds engines is installed."""
    info = tmp_path / "units_on_threads-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: units_on_threads\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (tmp_path / "units_on_threads.py").write_text(ENGINE)
    monkeypatch.syspath_prepend(tmp_path)
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([TOOL]))
    (tmp_path / "whole.jsonl").write_bytes(ROWS)
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(ROWS)[:-10])

    def audit(name: str, *words: str) -> Ended:
        return run("audit", str(tmp_path / name), "--tools", str(tools), *words)

    return audit


def test_an_engine_is_one_file_of_another_package(audit: Callable[..., Ended]) -> None:
    """Its results are those of the local engine."""
    here, there = audit("whole.jsonl"), audit("whole.jsonl", "--engine", "threads", "-w", "2")

    assert (1, 1) == (here.code, there.code)
    assert here.out == there.out
    assert "2 threads at None\n" == there.err


def test_an_error_reaches_the_command_through_an_engine(audit: Callable[..., Ended]) -> None:
    """As the result of its unit. The engine is told the address."""
    name = "cut.jsonl.gz"
    here, there = audit(name), audit(name, "--engine", "threads", "--address", "pool")

    assert (3, 3) == (here.code, there.code)
    assert "the compressed data is cut off" in here.err
    assert f"None threads at pool\n{here.err}" == there.err


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("renamed", "units_on_threads:no_engine is not there"),
        ("absent", "needs units_on_nothing"),
        ("unknown", "there are local, absent, ray, renamed, threads"),
    ],
)
def test_an_engine_that_cannot_be_loaded_is_named(
    engine: str, message: str, audit: Callable[..., Ended]
) -> None:
    """Exit 2, in one line."""
    ended = audit("whole.jsonl", "--engine", engine)

    assert 2 == ended.code
    assert message in ended.err
    assert "Traceback" not in ended.err
