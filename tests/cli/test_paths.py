"""Paths of which the file system does not say what they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import program
from toolgauge.cli.paths import is_file, is_folder, is_pipe, is_there
from toolgauge.cli.running import telling_system_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
TOO_LONG = "n" * 300
TOOLS = [{"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}}]


@pytest.mark.parametrize("name", [TOO_LONG, "a\0b", f"{__file__}/below"])
def test_what_cannot_be_looked_up_is_nothing(name: str) -> None:
    """Nothing is raised; what then opens it does that."""
    path = Path(name)

    assert not any(ask(path) for ask in (is_file, is_folder, is_pipe, is_there))


@pytest.mark.parametrize(
    "words",
    [
        ["list", TOO_LONG],
        ["check", TOO_LONG],
        ["diff", TOO_LONG, DEMO],
        ["diff", DEMO, TOO_LONG],
        ["logs", TOO_LONG],
        ["logs", "--follow", TOO_LONG],
        ["lock", DEMO, "-o", TOO_LONG],
        ["lower", DEMO, "-t", "openai", "--map", TOO_LONG],
    ],
)
def test_a_name_that_is_too_long_is_one_sentence(words: list[str], run: Run) -> None:
    """It is never a finding."""
    ended = run(*words)

    assert ended.code in {2, 3}
    assert TOO_LONG in ended.err
    assert 1 == len(ended.err.splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="its working directory cannot be deleted")
@pytest.mark.parametrize("words", [["list", DEMO], ["check", "FILE", "--fail-on", "never"]])
def test_a_working_directory_that_is_gone_is_no_trouble(
    words: list[str], tools_file: Callable[[object], str]
) -> None:
    """As long as nothing in it is asked for."""
    named = [tools_file(TOOLS) if each == "FILE" else each for each in words]
    code = "import os, sys, tempfile; gone = tempfile.mkdtemp(); os.chdir(gone); os.rmdir(gone); "
    ask = f"from toolgauge.cli import main; main({named!r})"
    done = subprocess.run([sys.executable, "-c", code + ask], capture_output=True, check=False)

    assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize("shape", ["text", "json", "sarif", "junit", "github", "markdown"])
def test_a_name_that_is_no_text_is_written_all_the_same(shape: str, tmp_path: Path) -> None:
    """SARIF has it byte by byte, as a URI."""
    path = os.fsencode(tmp_path) + b"/gr\xf6.json"
    try:
        Path(os.fsdecode(path)).write_text(json.dumps([{"name": "a b", "inputSchema": {}}]))
    except OSError:
        pytest.skip("file names are text here")
    words = program("check", "--format", shape, "gr\udcf6.json")
    done = subprocess.run(words, capture_output=True, check=False, cwd=tmp_path)

    assert 1 == done.returncode, done.stderr
    assert b"Traceback" not in done.stderr
    assert (b'"gr%F6.json"' in done.stdout) is (shape == "sarif")


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file"), PermissionError(13, "Permission denied", b"a")]
)
def test_what_nobody_foresaw_is_no_finding(
    error: OSError, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and the code of what cannot be read."""
    with pytest.raises(SystemExit) as left, telling_system_errors():
        raise error

    assert 3 == left.value.code
    assert str(error.strerror) in capsys.readouterr().err
