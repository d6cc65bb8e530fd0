from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from toolgauge.contract.bounds import Bounds
from toolgauge.upstream import CommandSource

HERE = Path(__file__).parent
EVERYTHING = "@modelcontextprotocol/server-everything"
EVERYTHING_VERSION = "2026.8.31"


@pytest.fixture
def misbehaving() -> Callable[..., CommandSource]:
    """Build the command of a server that does one thing wrong."""

    def command(mode: str, *arguments: str) -> CommandSource:
        script = str(HERE / "servers" / "misbehaving.py")
        return CommandSource((sys.executable, script, mode, *arguments))

    return command


@pytest.fixture
def short() -> Bounds:
    """Time-outs that a test can wait for."""
    return Bounds(connect_timeout_s=1.0, handler_timeout_s=0.5)


@pytest.fixture(scope="session")
def everything(pytestconfig: pytest.Config) -> tuple[str, str]:
    """The official example server from npm: node, and the script to run with it."""
    node, npm = _program("node"), _program("npm")
    if node is None or npm is None:
        return _unavailable("node and npm are not installed")
    assert pytestconfig.cache is not None
    home = pytestconfig.cache.mkdir("server-everything") / EVERYTHING_VERSION
    script = home / "node_modules" / EVERYTHING / "dist" / "index.js"
    if not script.exists() and (reason := _install(npm, home)):
        return _unavailable(reason)
    return node, str(script)


def _install(npm: str, home: Path) -> str:
    """Install the package where no half of it can be seen; say why that failed."""
    wanted = f"{EVERYTHING}@{EVERYTHING_VERSION}"
    with tempfile.TemporaryDirectory(dir=home.parent) as folder:
        fresh = Path(folder) / "fresh"
        install = [npm, "install", "--prefix", str(fresh), "--no-audit", "--no-fund", wanted]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"npm cannot install {wanted}: {done.stderr[-300:]}"
        with contextlib.suppress(OSError):  # another test process was faster
            fresh.rename(home)
    return ""


def _program(name: str) -> str | None:
    """Find a program on PATH or beside the interpreter."""
    beside = Path(sys.executable).parent / name
    return shutil.which(name) or (str(beside) if beside.exists() else None)


def _unavailable(reason: str) -> tuple[str, str]:
    """Skip, but never where a machine is expected to have everything."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
