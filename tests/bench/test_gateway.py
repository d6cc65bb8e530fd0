"""The benchmark of the gateway runs and reports. How fast anything is, is not a test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.profile import long_run

ROOT = Path(__file__).parents[2]


@long_run
def test_the_gateway_is_compared_with_direct_calls_and_with_peers(tmp_path: Path) -> None:
    """Over stdio with a server of each kind that is installed, over HTTP with both peers."""
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "bench/gateway.py", "--quick", "--json", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    written = json.loads(report.read_text(encoding="utf-8"))

    assert {"machine", "stdio", "http", "targets"} == written.keys()
    assert {"small SDK server", "mcp-server-time"} <= {each["server"] for each in written["stdio"]}
    assert ["ours", "sdk", "fastmcp"] == [each["server"] for each in written["http"]]
    assert 3 == len(written["targets"])
    assert "| server" in done.stdout
