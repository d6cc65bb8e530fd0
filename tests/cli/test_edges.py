from __future__ import annotations

import os
import pickle
import pty
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import program
from toolgauge.cli.command import split_command
from toolgauge.cli.errors import HandlerFailed, NoSuchTool, WrongUsage
from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from tests.cli.conftest import Run
    from toolgauge.contract import ToolgaugeError

DEMO = "toolgauge.demo:tools"


def test_the_version_is_told(process: Run) -> None:
    """One line, as other programs print it."""
    ended = process("--version")

    assert 0 == ended.code
    assert ended.out.startswith("toolgauge ")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["serve"],
        ["list"],
        ["validate"],
        ["call"],
        ["lower"],
        ["restore"],
        ["lock"],
        ["diff"],
    ],
)
def test_help_has_examples_or_exit_codes(run: Run, words: list[str]) -> None:
    """Complete, and without colours when piped."""
    ended = run(*words, "--help")

    assert 0 == ended.code
    assert "Examples:" in ended.out or "Exit codes:" in ended.out
    assert "\x1b" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 100


def test_help_is_quick_to_load() -> None:
    """It needs no server, no SDK and no validator library."""
    code = (
        "import sys, toolgauge.cli; "
        "print({'mcp', 'uvicorn', 'starlette', 'pydantic'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "set()" == done.stdout.strip()


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """``toolgauge list … | head -1``."""
    tools = ",".join(f'{{"name": "tool_{n}", "description": "{"x" * 200}"}}' for n in range(1_500))
    path = tmp_path / "tools.json"
    path.write_text(f"[{tools}]", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", "list", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()
        process.wait(timeout=30)

    assert b"" == err
    assert 141 == process.returncode


LIST = ["list", "toolgauge.demo:tools"]


@pytest.mark.parametrize("words", [LIST, [*LIST, "-f", "json"], ["targets"], ["explain", "TG103"]])
def test_a_reader_that_was_never_there_is_no_error(words: list[str]) -> None:
    """``toolgauge targets | true``, whoever writes."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as stdout:
        done = subprocess.run(program(*words), stdout=stdout, stderr=subprocess.PIPE, check=False)

    assert (141, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize("columns", ["0", "1", "2", "5", "13"])
@pytest.mark.parametrize(
    "words", [LIST, ["targets"], ["targets", "openai-strict"], ["explain", "TG103"], ["check"]]
)
def test_a_terminal_of_no_width_is_written_to_all_the_same(
    words: list[str], columns: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some programs say 0 where they do not know."""
    monkeypatch.setenv("COLUMNS", columns)
    source = [DEMO, "--fail-on", "never"] if words == ["check"] else []
    ended = run(*words, *source)

    assert (0, "") == (ended.code, ended.err)
    assert ended.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("words", [LIST, [*LIST, "-f", "json"], ["--help"], ["targets"]])
def test_a_full_disk_is_one_sentence(words: list[str]) -> None:
    """Whoever writes, and whenever it turns out."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program(*words), stdout=full, stderr=subprocess.PIPE, check=False)

    assert 3 == done.returncode
    assert b"toolgauge: the output cannot be written: No space left on device\n" == done.stderr


@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        (LIST, "<&-", 0),
        (LIST, ">&-", 0),
        (["list", "none.json"], "2>&-", 3),
        (["--help"], ">&-", 0),
        (["stdio", "toolgauge.demo:tools", "--no-log"], "<&-", 0),
        (["stdio", "toolgauge.demo:tools", "--no-log"], ">&- </dev/null", 0),
        (["logs", "/dev/null"], "<&- >&- 2>&-", 0),
    ],
)
def test_a_closed_stream_is_like_the_null_device(words: list[str], closed: str, code: int) -> None:
    """No file that is opened later takes its place."""
    line = f"exec {shlex.join(program(*words))} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)

    assert code == done.returncode
    assert b"Traceback" not in done.stderr


def test_nohup_keeps_a_command_alive() -> None:
    """A hang-up that is ignored stays ignored."""
    code = (
        "import signal; from toolgauge.cli.running import _hang_up_as_sigterm\n"
        "with _hang_up_as_sigterm(): signal.raise_signal(signal.SIGHUP); print('alive')"
    )
    line = f"trap '' HUP; exec {shlex.join([sys.executable, '-c', code])}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False)

    assert b"alive\n" == done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)]
)
def test_an_impatient_user_is_obeyed_quietly(
    misbehaving: Callable[..., list[str]], tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """While connecting on a terminal; the spinner shows, and the server ends with us."""
    ours, theirs = pty.openpty()
    words = ["list", "--connect-timeout", "60", *misbehaving("silent")]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", *words], stderr=theirs, stdout=subprocess.DEVNULL
    )
    os.close(theirs)
    with process:
        seen = _until(ours, b"connecting")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        pids = children.read_text().split() if children.exists() else []
        process.send_signal(number)
        process.wait(timeout=30)
    os.close(ours)

    assert b"connecting to python" in seen
    assert code == process.returncode
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def _until(terminal: int, wanted: bytes) -> bytes:
    """Read a terminal until something appears on it."""
    seen = b""
    while wanted not in seen:
        assert select.select([terminal], [], [], 30)[0], seen
        seen += os.read(terminal, 1_024)
    return seen


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ascii", "plain ascii"),
        ("Größe 酷狗 🎉", "Größe 酷狗 🎉"),
        ("\x1b[31mred\x9b0m", "\\x1b[31mred\\x9b0m"),
        ("a\u202eb\u2066c\u200bd\ufeff", "a\\u202eb\\u2066c\\u200bd\\ufeff"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("line\u2028break\r\n", "line\\u2028break\\x0d\\x0a"),
        ("half \ud800", "half \\ud800"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_hidden_characters_are_made_visible(text: str, shown: str) -> None:
    """Nothing that a terminal obeys or a reader cannot see gets through."""
    assert shown == visible(text)


def test_the_nearest_command_is_named(run: Run) -> None:
    """No file but a command's is loaded as one."""
    assert 2 == run("chek").code
    assert "'check'" in run("chek").err
    assert 2 == run("__init__").code


def test_a_command_is_everything_after_the_first_dashes() -> None:
    """Ours end there; the server may have dashes of its own."""
    assert (["list"], None) == split_command(["list"])
    assert (["list"], ["a", "--", "b"]) == split_command(["list", "--", "a", "--", "b"])


def test_dashes_where_no_server_is_taken_end_the_options(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No word after them is lost."""
    monkeypatch.chdir(tmp_path)
    Path("-x.jsonl").touch()
    Path("y.jsonl").touch()

    assert run("explain", "TG103") == run("explain", "--", "TG103")
    assert run("targets", "openai-strict") == run("targets", "--", "openai-strict")
    assert 2 == run("targets", "--", "no-such-target").code
    assert 0 == run("logs", "--", "-x.jsonl").code
    assert 3 == run("logs", "y.jsonl", "--", "no-such-file").code
    assert run("list", DEMO) == run("--", "list", DEMO)


@pytest.mark.parametrize(
    "error", [WrongUsage("a"), NoSuchTool("a", "b", ("c",)), HandlerFailed("a", "b")]
)
def test_every_exception_survives_pickle(error: ToolgaugeError) -> None:
    """With all its fields."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are POSIX")
@pytest.mark.parametrize("command", ["call", "validate"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15)])
def test_a_command_that_waits_for_its_arguments_is_ended_by_one_signal(
    tmp_path: Path, command: str, number: signal.Signals, code: int
) -> None:
    """Quietly: no event loop stands in between."""
    os.mkfifo(tmp_path / "arguments.json")
    words = [command, DEMO, "query_cities", "@arguments.json"]
    process = subprocess.Popen(program(*words), cwd=tmp_path, stderr=subprocess.PIPE)
    with process:
        assert process.stderr is not None
        # This waits until the other end is opened.
        with (tmp_path / "arguments.json").open("wb"):
            process.send_signal(number)
            process.wait(timeout=30)
        err = process.stderr.read()

    assert (code, b"") == (process.returncode, err)


def test_ctrl_c_before_a_command_begins_is_quiet() -> None:
    """While our own modules are imported."""
    code = """
import sys, toolgauge.cli

class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "toolgauge.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
toolgauge.cli.main(["list"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)

    assert (130, b"", b"") == (done.returncode, done.stdout, done.stderr)
