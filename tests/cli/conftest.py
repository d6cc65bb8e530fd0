from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.specimens import TARGETS
from toolgauge.cli import main

SERVERS = Path(__file__).parents[1] / "upstream" / "servers"


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def command(*words: str) -> Ended:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        streams = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ended(code=left.value.code, out=streams.out, err=streams.err)

    return command


@pytest.fixture
def process() -> Run:
    """Run a command line as a process of its own."""

    def command(*words: str, stdin: bytes = b"", **env: str) -> Ended:
        done = subprocess.run(
            program(*words), input=stdin, capture_output=True, check=False, env=environment(**env)
        )
        return Ended(
            code=done.returncode, out=done.stdout.decode("utf-8"), err=done.stderr.decode("utf-8")
        )

    return command


def program(*words: str) -> Sequence[str]:
    """Give the command that runs ours."""
    return [sys.executable, "-m", "toolgauge", *words]


def environment(**changes: str) -> dict[str, str]:
    """Give the environment with changes."""
    return os.environ | changes


@pytest.fixture
def misbehaving() -> Callable[..., list[str]]:
    """Give the words of a server that does one thing wrong."""

    def words(mode: str, *arguments: str) -> list[str]:
        return ["--", sys.executable, str(SERVERS / "misbehaving.py"), mode, *arguments]

    return words


@pytest.fixture
def tools_file(tmp_path: Path) -> Callable[[object], str]:
    """Write tools to a file and give its path."""

    def write(document: object) -> str:
        path = tmp_path / "tools.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def specimens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know the targets of these tests and no others."""
    monkeypatch.setattr("toolgauge.rules._targets.targets", lambda: TARGETS)
    monkeypatch.setattr("toolgauge.rules.targets", lambda: TARGETS)
