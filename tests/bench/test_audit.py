"""The benchmark of audits runs and reports. How fast anything is, is not a test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.profile import long_run

ROOT = Path(__file__).parents[2]


@long_run
def test_audit_compares_four_cases_with_parsing(tmp_path: Path) -> None:
    """It checks by itself that every row is judged."""
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "bench/audit.py", "--quick", "--json", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stderr
    written = json.loads(report.read_text(encoding="utf-8"))
    assert [2, 10, 50, 10] == [each["percent"] for each in written["cases"]]
    for each in written["cases"]:
        assert {"parse", "count", "write", "one", "two"} == each["seconds"].keys()
        assert each["peak_mb"] > 0
