from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
SUITE = "@modelcontextprotocol/conformance"

OBJECT = ("conformance_server:server",)
COMMAND = ("--", sys.executable, str(FIXTURES / "conformance_server.py"))

UNSCORED = (
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
)
"""Scenarios of the tasks extension, which the suite itself does not score."""


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("source", [OBJECT, COMMAND], ids=["object", "command"])
def test_the_official_suite_passes(
    source: tuple[str, ...],
    revision: str,
    serving: Callable[..., object],
    npm: Callable[[str], tuple[str, Path]],
    tmp_path: Path,
) -> None:
    """Every scenario of both revisions; the tasks extension is expected to fail."""
    node, suite = npm(SUITE)
    expected = tmp_path / "expected.yml"
    listed = UNSCORED if revision == "2026-07-28" else ()
    expected.write_text("server: [" + ", ".join(listed) + "]\n")
    with serving(*source) as url:  # type: ignore[attr-defined]
        done = subprocess.run(
            [
                node,
                str(suite / "dist" / "index.js"),
                "server",
                "--url",
                url,
                "--requirements",
                revision,
                "--expected-failures",
                str(expected),
                "--output-dir",
                str(tmp_path / "results"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
    summary = done.stdout.partition("=== SUMMARY ===")[2]
    failed = {line.split()[1].rstrip(":") for line in summary.splitlines() if line.startswith("✗")}

    assert 0 == done.returncode, summary + done.stderr[-2000:]
    assert set(listed) == failed
    assert summary.count("✓") > 25
