"""The benchmark of defined tools runs and reports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_standard_compares_two_models_and_three_handlers(tmp_path: Path) -> None:
    """Each against pydantic alone, and against pydantic under a timeout."""
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "bench/standard.py", "--quick", "--json", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    written = json.loads(report.read_text(encoding="utf-8"))

    assert {"machine", "results", "targets"} == written.keys()
    assert 6 == len({(each["model"], each["handler"]) for each in written["results"]})
    for each in written["results"]:
        assert {"ours", "pydantic", "bounded"} == each["seconds"].keys()
        assert all(value > 0 for value in each["seconds"].values())
    assert all(each["name"] in done.stdout for each in written["targets"])
