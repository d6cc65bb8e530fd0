from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.cli.specimens import EVIL, GOOD
from tests.cli.test_lower import OPTIONAL
from toolgauge.changes import read_lock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
Write = Callable[[object], str]


def test_the_lock_is_written_and_told(process: Run, tmp_path: Path) -> None:
    """Where it lies and how many tools it holds; nothing is left behind."""
    path = tmp_path / "toolgauge.lock"

    ended = process("lock", DEMO, "-o", str(path))

    assert (0, "") == (ended.code, ended.err)
    assert f"wrote {path}: 5 tools of {DEMO}\n" == ended.out
    assert [path] == list(tmp_path.iterdir())
    assert 5 == len(json.loads(path.read_text())["tools"])


def test_the_default_is_toolgauge_lock(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the current folder."""
    monkeypatch.chdir(tmp_path)

    assert 0 == run("lock", DEMO).code
    assert (tmp_path / "toolgauge.lock").exists()


def test_the_order_of_tools_and_keys_does_not_matter(
    run: Run, tools_file: Write, tmp_path: Path
) -> None:
    """The same contracts give the same bytes, and a current file is left alone."""
    path = tmp_path / "a.lock"
    run("lock", tools_file([GOOD, OPTIONAL]), "-o", str(path))
    before = path.read_bytes(), path.stat().st_ino

    turned = {key: GOOD[key] for key in reversed(GOOD)}
    ended = run("lock", tools_file([OPTIONAL, turned]), "-o", str(path))

    assert "is current" in ended.out
    assert before == (path.read_bytes(), path.stat().st_ino)


def test_check_writes_nothing(run: Run, tools_file: Write, tmp_path: Path) -> None:
    """0 when the file is current, 1 when it is absent or not."""
    path, words = tmp_path / "a.lock", ["-o", str(tmp_path / "a.lock"), "--check"]
    absent = run("lock", tools_file([GOOD]), *words)
    run("lock", tools_file([GOOD]), "-o", str(path))
    before = path.read_bytes()
    current = run("lock", tools_file([GOOD]), *words)
    stale = run("lock", tools_file([GOOD, OPTIONAL]), *words)
    path.write_bytes(before.replace(b"\n", b"\r\n"))
    windows = run("lock", tools_file([GOOD]), *words)

    assert (1, 0, 1, 0) == (absent.code, current.code, stale.code, windows.code)
    assert "toolgauge diff" in stale.err
    assert before.replace(b"\n", b"\r\n") == path.read_bytes()


def test_the_json_says_the_same(run: Run, tmp_path: Path) -> None:
    """One document."""
    path = tmp_path / "a.lock"

    first = run("lock", DEMO, "-o", str(path), "-f", "json").document
    second = run("lock", DEMO, "-o", str(path), "-f", "json").document

    expected = {"file": str(path), "source": DEMO, "tools": 5, "problems": []}
    assert {**expected, "current": False, "written": True} == first
    assert {**expected, "current": True, "written": False} == second


@pytest.mark.parametrize("text", ["[]", "{", '{"tools": []}', "secret"])
def test_only_locks_are_overwritten(run: Run, tmp_path: Path, text: str) -> None:
    """A slip of the pen costs no other file."""
    path = tmp_path / "tools.json"
    path.write_text(text)

    ended = run("lock", DEMO, "-o", str(path))

    assert 2 == ended.code
    assert text == path.read_text()


def test_an_outdated_lock_is_overwritten(run: Run, tmp_path: Path) -> None:
    """One of another version, or with a broken fingerprint, is a lock nevertheless."""
    path = tmp_path / "a.lock"
    path.write_text('{"version": 0, "tools": {}}')

    assert 0 == run("lock", DEMO, "-o", str(path)).code
    assert 5 == len(json.loads(path.read_text())["tools"])


def test_a_broken_tool_is_left_out_and_told(run: Run, tools_file: Write, tmp_path: Path) -> None:
    """It cannot be called, so there is no contract to keep."""
    path = tmp_path / "a.lock"

    ended = run("lock", tools_file([GOOD, {"inputSchema": {}}]), "-o", str(path))

    assert 1 == ended.code
    assert "has no name" in ended.err
    assert ["good"] == list(json.loads(path.read_text())["tools"])


def test_what_cannot_be_read_or_written(run: Run, tmp_path: Path) -> None:
    """Code 3 for the source, 2 for the file."""
    path = tmp_path / "a.lock"

    assert 3 == run("lock", str(tmp_path / "absent.json"), "-o", str(path)).code
    assert 2 == run("lock", DEMO, "-o", str(tmp_path)).code
    assert 2 == run("lock", DEMO, "-o", str(tmp_path / "a" / "b")).code
    assert not path.exists()


def test_a_definition_that_json_cannot_carry(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python code may hold anything; it is a sentence, not a traceback."""
    code = (
        "tools = [{'name': 'odd', 'inputSchema': {'default': float('nan')}}]\n"
        "round = {'type': 'object'}\n"
        "round['not'] = round\n"
        "circles = [{'name': 'odd', 'inputSchema': round}]\n"
    )
    (tmp_path / "specimen_locked.py").write_text(code)
    monkeypatch.chdir(tmp_path)

    ended = run("lock", "specimen_locked:tools", "-o", str(tmp_path / "a.lock"))
    assert 3 == ended.code
    assert 1 == len(ended.err.splitlines())
    assert not (tmp_path / "a.lock").exists()

    ended = run("lock", "specimen_locked:circles", "-o", str(tmp_path / "a.lock"))
    assert 1 == ended.code
    assert 1 == len(ended.err.splitlines())
    assert not read_lock((tmp_path / "a.lock").read_bytes()).tools


def test_names_are_kept_whole_in_the_file(run: Run, tools_file: Write, tmp_path: Path) -> None:
    """JSON escapes what a terminal would obey."""
    path = tmp_path / "a.lock"

    assert 0 == run("lock", tools_file([{**GOOD, "name": EVIL}]), "-o", str(path)).code
    assert b"\x1b" not in path.read_bytes()
    assert [EVIL] == list(json.loads(path.read_text())["tools"])
