"""The benchmarks run and report. How fast anything is, is not a test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.profile import long_run

ROOT = Path(__file__).parents[2]


def _run(script: str, report: Path) -> tuple[str, dict[str, Any]]:
    """Run a benchmark as its documentation says; give what it printed and wrote."""
    done = subprocess.run(
        [sys.executable, f"bench/{script}", "--quick", "--json", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    written: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return done.stdout, written


def test_validate_compares_on_eight_schemas_both_ways(tmp_path: Path) -> None:
    """Every schema is measured with a value it accepts and one it refuses."""
    printed, report = _run("validate.py", tmp_path / "report.json")

    assert {"machine", "results", "targets"} == report.keys()
    assert 8 == len({each["kind"] for each in report["results"]})
    assert 16 == len(report["results"])
    for each in report["results"]:
        assert {"depth", "fastjsonschema", "jsonschema", "ours", "rs"} == each["seconds"].keys()
        assert {
            "(ours-depth)/rs",
            "fastjsonschema/ours",
            "jsonschema/ours",
            "ours/rs",
        } == each["ratios"].keys()
        assert f"| {each['kind']} " in printed


@long_run
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads another process's clock")
def test_http_compares_three_applications_in_eight_cases(tmp_path: Path) -> None:
    """Valid and invalid, small and large, 1 and 200 tools; each against peer and echo."""
    printed, report = _run("http.py", tmp_path / "report.json")

    assert {"cases", "machine", "server", "targets"} == report.keys()
    expected = {
        (size, is_valid, count)
        for size in ("small", "13 kB")
        for is_valid in (True, False)
        for count in (1, 200)
    }
    assert expected == {(each["body"], each["is_valid"], each["tools"]) for each in report["cases"]}
    for each in report["cases"]:
        assert {"ours/echo", "ours/peer"} == each["ratios"]["per_second"].keys()
        assert {"echo/ours", "peer/ours"} == each["ratios"]["cpu"].keys()
        for app in ("ours", "peer", "echo"):
            assert each[app]["per_second"] > 0
            assert each[app]["cpu_per_request"] > 0
    assert "| small, valid, 1 tool " in printed
    assert all(each["name"] in printed for each in report["targets"])
