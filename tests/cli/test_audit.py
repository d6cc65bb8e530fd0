"""``toolgauge audit``: verdicts for recorded calls, from every kind of input, to every output."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import environment, program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.cli.conftest import Run

WEATHER = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}
GOOD = {"tool": "weather", "arguments": {"city": "Oslo"}, "session": "s1", "ts": 1772373600}
BAD = {"tool": "weather", "arguments": {"city": 7}, "session": "s2", "ts": 1772377200}


@pytest.fixture
def calls(tmp_path: Path) -> str:
    """Two good calls and a bad one."""
    return write(tmp_path / "calls.jsonl", [GOOD, BAD, GOOD])


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """The tool that they call."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([WEATHER]))
    return str(path)


def write(path: Path, rows: Sequence[Any]) -> str:
    """Write rows as lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return str(path)


def test_findings_are_exit_1_and_told_with_their_place(run: Run, calls: str, tools: str) -> None:
    """Counts, the kind, and the first example."""
    ended = run("audit", calls, "--tools", tools)

    assert 1 == ended.code
    assert "3 rows, 3 calls: 1 failed" in ended.out
    assert re.search(r"1 +weather +type +/city", ended.out)
    assert f"{calls}:2: 7 is not of type 'string'" in " ".join(ended.out.split())
    assert not ended.err


def test_calls_that_kept_their_contracts_are_exit_0(run: Run, tools: str, tmp_path: Path) -> None:
    """In one sentence."""
    ended = run("audit", write(tmp_path / "good.jsonl", [GOOD]), "--tools", tools)

    assert 0 == ended.code
    assert "all kept their contracts" in ended.out


def test_a_pipe_is_read_and_a_document_written(process: Run, tools: str) -> None:
    """Standard input is cut into units like a file."""
    lines = "".join(json.dumps(each) + "\n" for each in (GOOD, BAD))
    ended = process("audit", "-", "--tools", tools, "--format", "json", stdin=lines.encode())

    assert 1 == ended.code
    assert {"valid": 1, "invalid": 1} == ended.document["verdicts"]
    assert "-" == ended.document["kinds"][0]["examples"][0]["file"]


def test_pipes_are_named_like_files(
    run: Run, process: Run, calls: str, tools: str, tmp_path: Path
) -> None:
    """As a shell does for ``<(zcat …)``, several of them, for calls and for their tools."""
    lines = "".join(json.dumps({**GOOD, "id": 1}) + "\n" for _ in range(3))
    by_id = json.dumps({"id": 1, "tools": [WEATHER]})
    pipes = [str(tmp_path / f"{number}.pipe") for number in range(3)]
    for name in pipes:
        os.mkfifo(name)

    def write_all() -> None:
        for name, text in zip(pipes, (by_id, lines, lines), strict=True):
            with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123 - a pipe
                file.write(text)

    writer = threading.Thread(target=write_all)
    writer.start()
    words = ("--tools-by-id", pipes[0], "--format", "json")
    ended = run("audit", pipes[1], calls, pipes[2], "--tools", tools, *words)
    writer.join()
    piped = process("audit", "/dev/stdin", "--tools", tools, stdin=lines.encode())

    assert {"valid": 8, "invalid": 1} == ended.document["verdicts"]
    assert 0 == piped.code
    assert "3 rows, 3 calls" in piped.out


def test_a_name_that_is_no_utf8_is_escaped_in_documents_too(
    run: Run, calls: str, tools: str, tmp_path: Path
) -> None:
    """Of calls, of the output, of what cannot be read."""
    named = os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6sse.jsonl")
    os.rename(calls, named)  # noqa: PTH104 - it is no text
    output = os.fsdecode(os.fsencode(tmp_path) + b"/out\xf6")
    ended = run("audit", named, "--tools", tools, "--format", "json", "-o", output)
    gone = run("audit", named, "--tools", f"{output}.json", "--format", "json")

    assert 1 == ended.code
    assert f"{tmp_path}/gr\\udcf6sse.jsonl" == ended.document["kinds"][0]["examples"][0]["file"]
    assert f"{tmp_path}/out\\udcf6" == ended.document["output"]
    assert (3, True) == (gone.code, "out\\udcf6.json" in gone.document["error"]["message"])


def test_a_run_may_write_below_the_folder_that_it_reads(
    run: Run, tools: str, tmp_path: Path
) -> None:
    """What it wrote is no input of the same command, nor of its tools."""
    folder = tmp_path / "logs"
    folder.mkdir()
    write(folder / "calls.jsonl", [{**BAD, "id": 1}])
    write(folder / "tools.jsonl", [{"id": 1, "tools": [WEATHER]}])
    words = ("audit", str(folder), "--tools-by-id", str(folder), "-o", str(folder / "out"))
    first = run(*words)

    assert 1 == first.code
    assert first.out == run(*words, "--resume").out == run(*words, "--overwrite").out


def test_a_folder_gets_records_summary_and_report(
    run: Run, calls: str, tools: str, tmp_path: Path
) -> None:
    """And goes on, is shown again, or is written anew."""
    output = str(tmp_path / "out")
    words = (
        "audit",
        calls,
        "--tools",
        tools,
        "-o",
        output,
        "--records",
        "jsonl",
        "--id",
        "session",
    )
    first = run(*words, "--time-field", "ts")
    record = json.loads((tmp_path / "out" / "parts" / "part-00000.jsonl").read_bytes())

    assert 1 == first.code
    assert ("s2", 2, "invalid") == (record["session"], record["line"], record["verdict"])
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    assert {"2026-03-01T14", "2026-03-01T15"} == summary["times"].keys()
    assert b"Content-Security-Policy" in (tmp_path / "out" / "report.html").read_bytes()
    again = run(*words, "--time-field", "ts")
    assert (3, True) == (again.code, "--resume" in again.err)
    assert first.out == run(*words, "--time-field", "ts", "--resume").out
    other = run(*words)
    assert (3, True) == (other.code, "another run" in other.err)
    assert 1 == run(*words, "--overwrite", "--all").code
    assert 3 == len((tmp_path / "out" / "parts" / "part-00000.jsonl").read_text().splitlines())


def test_a_report_needs_no_folder(run: Run, calls: str, tools: str, tmp_path: Path) -> None:
    """One page, where it is asked for."""
    path = tmp_path / "report.html"
    run("audit", calls, "--tools", tools, "--report", str(path))

    assert b"7 is not of type" in path.read_bytes()


@pytest.mark.parametrize("name", ["calls.jsonl", "tools.json", "by-id.jsonl", "link.jsonl"])
def test_a_report_never_replaces_what_is_read(
    name: str, run: Run, calls: str, tools: str, tmp_path: Path
) -> None:
    """Calls or tools, of a folder too, and by any name."""
    by_id = write(tmp_path / "by-id.jsonl", [{"id": "s1", "tools": [WEATHER]}])
    (tmp_path / "link.jsonl").symlink_to(calls)
    before = (tmp_path / name).read_bytes()
    words = ("--tools", tools, "--tools-by-id", by_id, "--report", str(tmp_path / name))
    for given in (calls, str(tmp_path)):
        ended = run("audit", given, *words)
        assert (2, True) == (ended.code, "would replace" in ended.err)

    assert before == (tmp_path / name).read_bytes()


def test_fields_may_have_other_names(run: Run, tools: str, tmp_path: Path) -> None:
    """Also of a shape that is named."""
    path = write(tmp_path / "calls.jsonl", [{"fn": "weather", "kwargs": {"city": 7}}])
    named = run(
        "audit", path, "--tools", tools, "--tool-field", "fn", "--arguments-field", "kwargs"
    )
    unnamed = run("audit", path, "--tools", tools, "--shape", "direct", "--format", "json")

    assert "weather" in named.out
    assert {"malformed_call": 1} == unnamed.document["verdicts"]


def test_a_dialect_maps_the_types_of_one_source_too(run: Run, calls: str, tmp_path: Path) -> None:
    """Each mapping is told."""
    function = {
        "name": "weather",
        "parameters": {"type": "dict", "properties": {"city": {"type": "String"}}},
    }
    path = tmp_path / "functions.json"
    path.write_text(json.dumps([function]))
    plain = run("audit", calls, "--tools", str(path), "--format", "json")
    mapped = run("audit", calls, "--tools", str(path), "--dialect", "bfcl", "--format", "json")

    assert {"broken_contract": 3} == plain.document["verdicts"]
    assert {"valid": 2, "invalid": 1} == mapped.document["verdicts"]
    assert {"type 'dict' read as 'object'": 1, "type 'String' read as 'string'": 1} == (
        mapped.document["mappings"]
    )


def test_rows_may_bring_their_tools(run: Run, tmp_path: Path) -> None:
    """In a member of each, or in another file by id; padding may be dropped."""
    own = write(tmp_path / "own.jsonl", [{**GOOD, "defs": [WEATHER]}, {**BAD, "defs": [WEATHER]}])
    inside = run("audit", own, "--tools-field", "defs", "--format", "json")
    beside = write(tmp_path / "questions.jsonl", [{"id": "a", "function": [WEATHER]}])
    answers = write(tmp_path / "answers.jsonl", [{**BAD, "id": "a"}])
    by_id = run(
        *("audit", answers, "--tools-by-id", beside, "--tools-field", "function"),
        *("--format", "json"),
    )
    padded = {
        "id": "b",
        "tools": [WEATHER],
        "tool": "weather",
        "arguments": {"city": "x", "y": None},
    }
    path = write(tmp_path / "padded.jsonl", [padded])

    assert {"valid": 1, "invalid": 1} == inside.document["verdicts"]
    assert {"invalid": 1} == by_id.document["verdicts"]
    assert 0 == run("audit", path, "--drop-null-padding").code
    assert 3 == run("audit", answers, "--tools-by-id", answers).code


def test_a_member_for_tools_that_no_row_has_is_refused(run: Run, tmp_path: Path) -> None:
    """A misspelled name would make a broken contract of each call, or use other tools."""
    rows = [{**GOOD, "defs": [WEATHER]}] * 2
    found = run("audit", write(tmp_path / "own.jsonl", rows), "--tools-field", "def")

    assert 3 == found.code
    assert "no row has 'def'; there are: tool, arguments, session, ts, defs" in found.err


def test_formats_are_asserted_when_asked(run: Run, tmp_path: Path) -> None:
    """Annotations otherwise."""
    tool = {
        "name": "t",
        "inputSchema": {"properties": {"day": {"type": "string", "format": "date"}}},
    }
    tools = tmp_path / "formats.json"
    tools.write_text(json.dumps([tool]))
    path = write(tmp_path / "calls.jsonl", [{"tool": "t", "arguments": {"day": "soon"}}])

    assert 0 == run("audit", path, "--tools", str(tools)).code
    assert 1 == run("audit", path, "--tools", str(tools), "--assert-formats").code


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ([], 2, "name the recorded calls"),
        (["CALLS"], 2, "name the tools"),
        (["nothing.jsonl", "--tools", "TOOLS"], 3, "no such file"),
        (["CALLS", "--tools", "nothing.json"], 3, "no such file"),
        (["CALLS", "--tools", "EMPTY"], 2, "holds no tools"),
        (["CALLS", "-", "--tools", "TOOLS"], 2, "stdin"),
        (["CALLS", "--tools", "TOOLS", "--shape", "x"], 2, "direct"),
        (["CALLS", "--tools", "TOOLS", "--dialect", "x"], 2, "bfcl, xlam"),
        (["CALLS", "--tools", "TOOLS", "--id", "sesion"], 3, "tool, arguments, session"),
        (["CALLS", "--tools", "TOOLS", "--address", "x"], 2, "--engine"),
        (["CALLS", "--tools", "TOOLS", "--engine", "ray", "--address", "x", "-w", "2"], 2, "-w"),
        (["CALLS", "--tools", "TOOLS", "--engine", "x"], 2, "local, ray"),
        (["CALLS", "--tools", "TOOLS", "--resume"], 2, "--output"),
        (["CALLS", "--tools", "TOOLS", "-o", "x", "--resume", "--overwrite"], 2, "give one"),
        (["CALLS", "--tools", "TOOLS", "--report", "no/where/x.html"], 2, "no such folder"),
        (["CALLS", "--tools", "TOOLS", "-o", "TOOLS"], 3, "cannot be written"),
        (["CALLS", "--tools", "TOOLS", "--workers", "0"], 2, "workers"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(  # noqa: PLR0917 - three are the case
    words: list[str], code: int, told: str, run: Run, calls: str, tools: str, tmp_path: Path
) -> None:
    """Exit 2 for the command line, 3 for what it names."""
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    named = {"CALLS": calls, "TOOLS": tools, "EMPTY": str(empty)}
    ended = run("audit", *(named.get(each, each) for each in words))

    assert code == ended.code
    assert told in ended.err
    assert "Traceback" not in ended.err


def test_an_engine_that_is_not_installed_is_named(
    run: Run, calls: str, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "toolgauge.auditing.engines.ray", raising=False)
    ended = run("audit", calls, "--tools", tools, "--engine", "ray")

    assert 2 == ended.code
    assert "toolgauge[audit,ray]" in ended.err


def test_without_arrow_the_command_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything else."""
    monkeypatch.setattr("toolgauge.cli.commands.audit.find_spec", lambda _: None)
    ended = run("audit")

    assert 2 == ended.code
    assert "toolgauge[audit]" in ended.err


def test_the_tools_of_a_server_are_used_and_it_is_let_go(process: Run, calls: str) -> None:
    """Its command comes after ``--``."""
    server = [sys.executable, "-m", "mcp_server_time"]
    ended = process("audit", calls, "--format", "json", "--connect-timeout", "120", "--", *server)

    assert 1 == ended.code, ended.err
    assert {"unknown_tool": 3} == ended.document["verdicts"]


def _on_terminal(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start a command whose stderr is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        program(*words),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(TERM="xterm-256color", COLUMNS="120"),
    )
    os.close(theirs)
    return process, ours


def _read(terminal: int, until: Callable[[bytes], bool] = lambda _: False) -> bytes:
    """Read what a terminal shows, up to its end."""
    shown = b""
    while not until(shown):
        try:
            data = os.read(terminal, 65_536)
        except OSError:
            break
        if not data:
            break
        shown += data
    return shown


@pytest.mark.slow
def test_a_terminal_shows_progress_and_ctrl_c_says_how_to_go_on(tools: str, tmp_path: Path) -> None:
    """Rows, rows per second, time left; then what is finished stays."""
    path = tmp_path / "many.jsonl"
    block = "".join(json.dumps(each) + "\n" for each in [GOOD] * 999 + [BAD])
    with path.open("w") as file:
        for _ in range(900):
            file.write(block)
    words = ["audit", str(path), "--tools", tools, "-o", str(tmp_path / "out"), "--workers", "1"]
    process, terminal = _on_terminal(words)
    shown = _read(terminal, lambda text: bool(re.search(rb"[1-9][\d,]+ rows, [\d,]+/s", text)))
    process.send_signal(signal.SIGINT)
    shown += _read(terminal)
    process.communicate()

    assert b"auditing" in shown
    assert re.search(rb"[\d-]:[\d-]{2}:[\d-]{2}", shown)
    assert b"same command again" in shown, shown.decode()
    assert b"Traceback" not in shown
    assert 130 == process.returncode
    again = subprocess.run(program(*words), capture_output=True, check=False)
    assert 1 == again.returncode
    assert b"900,000 rows, 900,000 calls: 900 failed" in again.stdout
