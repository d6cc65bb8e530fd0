"""What tests need from a registry, fetched once per machine.

It is kept in the directory that ``TOOLGAUGE_CACHE`` names, else in
``.cache/toolgauge`` below the home directory.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

BFCL = "2026.3.23"
AXE = "4.14.1"
_TIMEOUT_S = 300


def bfcl_folder() -> Path:
    """Give the data of ``bfcl-eval``, which has no dependencies."""
    folder = _home() / f"bfcl-eval-{BFCL}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=_home()) as scratch:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            _run([*command, "--only-binary=:all:", "--dest", scratch, f"bfcl-eval=={BFCL}"])
            with zipfile.ZipFile(next(Path(scratch).glob("*.whl"))) as wheel:
                data = [each for each in wheel.namelist() if each.startswith("bfcl_eval/data/")]
                wheel.extractall(Path(scratch, "fresh"), data)
            _keep(Path(scratch, "fresh"), folder)
    return folder / "bfcl_eval" / "data"


def axe_script() -> str:
    """Give the source of axe-core, which looks for faults of accessibility."""
    folder = _home() / f"axe-core-{AXE}"
    if not folder.is_dir():
        beside = Path(sys.executable).parent / "npm"
        npm = str(beside) if beside.exists() else shutil.which("npm")
        if npm is None:
            _unavailable("npm is not installed")
        with tempfile.TemporaryDirectory(dir=_home()) as scratch:
            fresh = Path(scratch, "fresh")
            install = [str(npm), "install", "--prefix", str(fresh), "--no-audit", "--no-fund"]
            _run([*install, "--ignore-scripts", f"axe-core@{AXE}"])
            _keep(fresh, folder)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def _home() -> Path:
    named = os.environ.get("TOOLGAUGE_CACHE")
    home = Path(named) if named else Path.home() / ".cache" / "toolgauge"
    home.mkdir(parents=True, exist_ok=True)
    return home


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_TIMEOUT_S)
    except (OSError, subprocess.SubprocessError) as error:
        _unavailable(f"{command[-1]} cannot be fetched: {error}")


def _keep(fresh: Path, folder: Path) -> None:
    with contextlib.suppress(OSError):  # another test process was faster
        fresh.rename(folder)


def _unavailable(reason: str) -> None:
    """Skip, but never where a machine is expected to reach a registry."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
