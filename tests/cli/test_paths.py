"""Paths of which the file system does not say what they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import program
from toolgauge.cli.files import is_file, is_folder, is_pipe, is_stream, is_there
from toolgauge.cli.running import reporting_system_errors

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

    assert not any(ask(path) for ask in (is_file, is_folder, is_pipe, is_stream, is_there))


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
    with pytest.raises(SystemExit) as left, reporting_system_errors():
        raise error

    assert 3 == left.value.code
    assert str(error.strerror) in capsys.readouterr().err


posix = pytest.mark.skipif(sys.platform == "win32", reason="these names are POSIX")


@posix
@pytest.mark.parametrize("shape", ["text", "sarif"])
def test_a_pipe_is_read_once(shape: str, run: Run, tmp_path: Path) -> None:
    """Findings have their lines all the same."""
    pipe, text = tmp_path / "pipe", json.dumps([{"name": "a b", "inputSchema": {}}], indent=1)
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    ended = run("check", str(pipe), "--format", shape)
    writer.join(30)

    assert 1 == ended.code
    assert ('"startLine":3' in ended.out) is (shape == "sarif")


@posix
def test_a_pipe_without_a_name_is_written_as_it_is(process: Run, tmp_path: Path) -> None:
    """What ``/dev/stdout`` leads to is no path."""
    words = ["lower", DEMO, "-t", "openai-strict"]
    printed = process(*words)
    tools = process(*words, "-o", "/dev/stdout")
    # The two go their ways apart: the map here, the tools there.
    restoring = process(*words, "-o", str(tmp_path / "tools.json"), "--map", "/dev/stdout")

    assert (0, printed.out) == (tools.code, tools.out)
    assert 0 == restoring.code
    assert "openai-strict" == restoring.document["target"]


@posix
def test_a_lock_into_a_pipe_is_the_lock_alone(process: Run, tmp_path: Path) -> None:
    """It is not read first, as a lock that is replaced is."""
    file = tmp_path / "toolgauge.lock"
    process("lock", DEMO, "-o", str(file))
    piped = process("lock", DEMO, "-o", "/dev/stdout")
    checked = process("lock", DEMO, "--check", "-o", "/dev/stdin", stdin=file.read_bytes())

    assert (0, file.read_text()) == (piped.code, piped.out)
    assert 0 == checked.code
