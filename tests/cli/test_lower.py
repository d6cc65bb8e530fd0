from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.specimens import EVIL, GOOD

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
Write = Callable[[object], str]

BROKEN = {"name": "broken", "inputSchema": {"type": "objekt"}}
OPTIONAL: dict[str, Any] = {
    "name": "search",
    "description": "Search.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "q": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        },
        "required": ["q"],
    },
}


def test_the_tools_go_to_stdout_and_the_words_to_stderr(process: Run) -> None:
    """So that a pipe gets JSON in the provider's own shape."""
    ended = process("lower", DEMO, "--target", "openai-strict")

    assert 0 == ended.code
    assert ["function"] * 5 == [each["type"] for each in ended.document]
    assert all(each["function"]["strict"] for each in ended.document)
    assert "lowered 5 of 5 tools" in ended.err
    assert "made good by restore" in ended.err
    assert max(map(len, ended.err.splitlines())) <= 80


def test_the_lowered_tools_pass_the_check(run: Run, tmp_path: Path) -> None:
    """The file is a SOURCE again."""
    path = tmp_path / "strict.json"

    assert 0 == run("lower", DEMO, "-t", "openai-strict", "-o", str(path)).code
    assert 0 == run("check", str(path), "-t", "openai-strict").code


def test_every_output_has_its_file(run: Run, tmp_path: Path) -> None:
    """The tools, the map, and nothing left behind under a temporary name."""
    tools, back = tmp_path / "t.json", tmp_path / "m.json"

    ended = run("lower", DEMO, "-t", "gemini-parameters", "-o", str(tools), "--map", str(back))

    assert (0, "") == (ended.code, ended.out)
    assert 5 == len(json.loads(tools.read_text()))
    assert "gemini-parameters" == json.loads(back.read_text())["target"]
    assert {tools, back} == set(tmp_path.iterdir())


def test_the_json_document_holds_everything(run: Run, tools_file: Write) -> None:
    """Tools, losses, refusals and the map."""
    ended = run("lower", tools_file([OPTIONAL, BROKEN]), "-t", "openai-strict", "-f", "json")
    document = ended.document

    assert 1 == ended.code
    assert {"target", "tools", "losses", "refused", "map"} == set(document)
    assert "openai-strict" == document["target"]
    assert ["search"] == [each["function"]["name"] for each in document["tools"]]
    assert ["broken"] == [each["tool"] for each in document["refused"]]
    assert all(each["reason"] and each["fix"] for each in document["refused"])
    assert {"restore", "gate"} <= {each["made_good_by"] for each in document["losses"]}
    assert ["search"] == list(document["map"]["tools"])


def test_a_refused_tool_is_told_with_its_remedy(run: Run, tools_file: Write) -> None:
    """And hides no other; the tools that could be lowered are printed."""
    path = tools_file([BROKEN, GOOD])

    text = run("lower", path, "-t", "openai")
    wire = run("lower", path, "-t", "openai", "-f", "wire")

    assert (1, 1) == (text.code, wire.code)
    assert text.out == wire.out
    assert ["good"] == [each["function"]["name"] for each in text.document]
    assert "lowered 1 of 2 tools" in text.err
    assert "refused: 1 tool" in text.err
    assert "→" in text.err
    assert 1 == len(wire.err.splitlines())
    assert "refused broken" in wire.err


def test_the_wire_format_is_silent_when_all_is_well(run: Run, tools_file: Write) -> None:
    """A line for each tool, for diffs."""
    ended = run("lower", tools_file([OPTIONAL, GOOD]), "-t", "anthropic", "-f", "wire")

    assert (0, "") == (ended.code, ended.err)
    assert 4 == len(ended.out.splitlines())
    assert ["search", "good"] == [each["name"] for each in ended.document]
    assert "[]\n" == run("lower", tools_file([]), "-t", "anthropic", "-f", "wire").out


@pytest.mark.parametrize("name", ["strict", "no-such-target", "vscode"])
def test_a_target_without_a_way_is_wrong_usage(run: Run, name: str) -> None:
    """A group, an unknown name, a client; told before the source is opened."""
    ended = run("lower", "absent.json", "-t", name)

    assert (2, "") == (ended.code, ended.out)
    assert 1 == len(ended.err.splitlines())


def test_the_target_must_be_named(run: Run) -> None:
    """There is no schema that suits all."""
    assert 2 == run("lower", DEMO).code


def test_a_source_that_is_not_there_is_exit_code_3(run: Run, tmp_path: Path) -> None:
    """And no file is written."""
    path = tmp_path / "out.json"

    assert 3 == run("lower", str(tmp_path / "absent.json"), "-t", "openai", "-o", str(path)).code
    assert not path.exists()


def test_a_file_that_cannot_be_written_leaves_the_other_alone(run: Run, tmp_path: Path) -> None:
    """Both files, or neither."""
    path = tmp_path / "out.json"
    path.write_text("before")

    folder = run("lower", DEMO, "-t", "openai", "-o", str(path), "--map", str(tmp_path))
    absent = run("lower", DEMO, "-t", "openai", "-o", str(path), "--map", str(tmp_path / "a/b"))
    twice = run("lower", DEMO, "-t", "openai", "-o", str(path), "--map", f"{tmp_path}/./out.json")

    assert (2, 2, 2) == (folder.code, absent.code, twice.code)
    assert "before" == path.read_text()
    assert [path] == list(tmp_path.iterdir())


def test_a_full_disk_leaves_no_half_of_a_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there stays, and the temporary file goes."""
    path = tmp_path / "out.json"
    path.write_text("before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    ended = run("lower", DEMO, "-t", "openai", "-o", str(path))

    assert 2 == ended.code
    assert "No space left on device" in ended.err
    assert "before" == path.read_text()
    assert [path] == list(tmp_path.iterdir())


def test_an_existing_file_keeps_its_rights_and_a_link_stays(run: Run, tmp_path: Path) -> None:
    """Only the content is new."""
    path, link = tmp_path / "out.json", tmp_path / "link.json"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)

    assert 0 == run("lower", DEMO, "-t", "openai", "-o", str(link)).code
    assert link.is_symlink()
    assert 0o640 == stat.S_IMODE(path.stat().st_mode)
    assert 5 == len(json.loads(path.read_text()))


def test_a_device_is_written_to_and_not_replaced(run: Run) -> None:
    """``-o /dev/null``."""
    assert 0 == run("lower", DEMO, "-t", "openai", "-o", "/dev/null").code


def test_nothing_is_printed_that_a_terminal_obeys(run: Run, tools_file: Write) -> None:
    """Neither markup nor control characters of a tool's own text."""
    evil = {"name": EVIL, "inputSchema": {"type": "[red]\x1b[2J"}}
    odd = {**OPTIONAL, "name": EVIL + "2"}

    for shape in ("text", "wire", "json"):
        ended = run("lower", tools_file([evil, odd, evil]), "-t", "openai-strict", "-f", shape)
        assert 1 == ended.code
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", ended.err)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.out)


def test_many_refusals_and_losses_are_cut(run: Run, tools_file: Write) -> None:
    """The document has them all."""
    path = tools_file([{**BROKEN, "name": f"broken_{n}"} for n in range(30)])

    ended = run("lower", path, "-t", "openai")

    assert "and 10 more tools; --format json has all" in ended.err
    assert 30 == len(run("lower", path, "-t", "openai", "-f", "json").document["refused"])
