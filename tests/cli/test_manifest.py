from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.specimens import GOOD
from tests.cli.test_lower import OPTIONAL
from tests.wire.test_manifest import schemas
from toolgauge.cli.marked import BEGIN, END
from toolgauge.demo import tools as demo_tools
from toolgauge.wire import formats

if TYPE_CHECKING:
    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
Write = Callable[[object], str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def test_the_section_is_written_and_told(process: Run, tmp_path: Path) -> None:
    """AGENTS.md where there is neither; nothing is left behind."""
    ended = process("manifest", DEMO)

    assert (0, "", f"wrote AGENTS.md: 5 tools of {DEMO}\n") == (ended.code, ended.err, ended.out)
    assert [tmp_path / "AGENTS.md"] == list(tmp_path.iterdir())


def test_the_schemas_are_those_on_the_wire(run: Run) -> None:
    """Each as Anthropic's request has it, in the order of the names."""
    run("manifest", DEMO)

    made = formats()["anthropic"].to_tools(sorted(demo_tools, key=lambda tool: tool.name))
    assert [each["input_schema"] for each in made] == schemas(Path("AGENTS.md").read_text())


@pytest.mark.parametrize("there", [("AGENTS.md",), ("CLAUDE.md",), ("AGENTS.md", "CLAUDE.md")])
def test_the_files_that_are_there_are_refreshed(run: Run, there: tuple[str, ...]) -> None:
    """One or both; what stands in them stays."""
    for name in there:
        Path(name).write_text("# Ours\n")

    assert 0 == run("manifest", DEMO).code
    assert set(there) == {each.name for each in Path().iterdir()}
    for name in there:
        assert Path(name).read_text().startswith("# Ours\n\n<!--")


def test_files_may_be_named(run: Run) -> None:
    """Several; the usual ones are then left alone."""
    Path("AGENTS.md").write_text("# Ours\n")

    ended = run("manifest", DEMO, "-o", "a.md", "--file", "b.md")

    assert ["wrote a.md", "wrote b.md"] == [line.split(":")[0] for line in ended.out.splitlines()]
    assert "# Ours\n" == Path("AGENTS.md").read_text()
    assert Path("a.md").read_bytes() == Path("b.md").read_bytes()


def test_a_current_file_is_left_alone(run: Run) -> None:
    """Not even its time changes."""
    run("manifest", DEMO)
    before = Path("AGENTS.md").stat().st_ino

    ended = run("manifest", DEMO)

    assert f"AGENTS.md is current: 5 tools of {DEMO}\n" == ended.out
    assert before == Path("AGENTS.md").stat().st_ino


def test_the_order_of_the_source_does_not_matter(run: Run, tools_file: Write) -> None:
    """Servers list as they like."""
    run("manifest", tools_file([GOOD, OPTIONAL]))

    assert 0 == run("manifest", tools_file([OPTIONAL, GOOD]), "--check").code


def test_only_the_section_changes(run: Run, tools_file: Write) -> None:
    """Between the markers; around them not a byte, Windows line ends and all."""
    head, tail = b"# Ours\r\n\xff\r\n", b"\r\n\r\nEnd without a line end"
    Path("CLAUDE.md").write_bytes(head + BEGIN + b"\r\nold\r\n" + END + tail)

    run("manifest", tools_file([GOOD]))

    made = Path("CLAUDE.md").read_bytes()
    assert made.startswith(head + BEGIN + b"\r\n")
    assert made.endswith(b"\r\n" + END + tail)
    assert made.count(b"\n") == made.count(b"\r\n")


def test_check_writes_nothing_and_says_what_would(run: Run, tools_file: Write) -> None:
    """0 when all files are current, 1 when one is not."""
    source = tools_file([GOOD])
    absent = run("manifest", source, "--check")
    run("manifest", source)
    before = Path("AGENTS.md").read_bytes()
    current = run("manifest", source, "--check")
    tools_file([GOOD, OPTIONAL])
    stale = run("manifest", source, "--check", "-o", "AGENTS.md")

    assert (1, 0, 1) == (absent.code, current.code, stale.code)
    assert f"toolgauge: to refresh: toolgauge manifest {source}\n" == absent.err
    assert f"to refresh: toolgauge manifest {source} --file AGENTS.md" in stale.err
    assert "AGENTS.md is not current: 2 tools" in stale.out
    assert before == Path("AGENTS.md").read_bytes()


def test_the_command_that_refreshes_holds_no_keys(
    run: Run, misbehaving: Callable[..., list[str]]
) -> None:
    """A server's arguments may be keys, and logs are read by many."""
    ended = run("manifest", "--check", *misbehaving("no tools", "secret"))

    assert "secret" not in ended.err


def test_a_server_is_a_source(run: Run) -> None:
    """Its command is told by the program alone."""
    server = [sys.executable, "-m", "mcp_server_time"]
    ended = run("manifest", "--check", "--", *server)

    assert 1 == ended.code
    assert f"to refresh: toolgauge manifest -- {Path(sys.executable).name} …" in ended.err


def test_the_json_says_the_same(run: Run) -> None:
    """One document."""
    checked = run("manifest", DEMO, "--check", "-f", "json").document
    written = run("manifest", DEMO, "-f", "json").document
    current = run("manifest", DEMO, "-f", "json").document

    def expected(*, current: bool, written: bool) -> dict[str, object]:
        file = {"file": "AGENTS.md", "current": current, "written": written}
        return {"files": [file], "source": DEMO, "tools": 5, "problems": []}

    assert expected(current=False, written=False) == checked
    assert expected(current=False, written=True) == written
    assert expected(current=True, written=False) == current


@pytest.mark.parametrize(
    "lines", [[BEGIN], [END], [END, BEGIN], [BEGIN, END, BEGIN, END], [b"x " + BEGIN], [b"\0"]]
)
def test_broken_markers_are_wrong_usage(run: Run, lines: list[bytes]) -> None:
    """With a sentence, and no file is touched: not the other one either."""
    Path("AGENTS.md").write_text("# Ours\n")
    Path("CLAUDE.md").write_bytes(b"\n".join(lines))

    ended = run("manifest", DEMO)

    assert 2 == ended.code
    assert 1 == len(ended.err.splitlines())
    assert "CLAUDE.md cannot be refreshed" in ended.err
    assert "# Ours\n" == Path("AGENTS.md").read_text()
    assert b"\n".join(lines) == Path("CLAUDE.md").read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX rights and links")
def test_rights_and_links_are_kept(run: Run) -> None:
    """CLAUDE.md is often a link to AGENTS.md: one file, written once."""
    Path("AGENTS.md").write_text("# Ours\n")
    Path("AGENTS.md").chmod(0o600)
    Path("CLAUDE.md").symlink_to("AGENTS.md")

    ended = run("manifest", DEMO)

    assert 1 == len(ended.out.splitlines())
    assert Path("CLAUDE.md").is_symlink()
    assert 0o600 == stat.S_IMODE(Path("AGENTS.md").stat().st_mode)
    assert Path("AGENTS.md").read_text().startswith("# Ours\n")
    assert BEGIN in Path("AGENTS.md").read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX links and pipes")
def test_what_is_no_file_is_refused(run: Run, tmp_path: Path) -> None:
    """Before anything is read from it."""
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")
    os.mkfifo("pipe")

    for name in (str(tmp_path), "a", "pipe", "/dev/null", "x/y", "x" * 300):
        ended = run("manifest", DEMO, "-o", name)
        assert 2 == ended.code, name
        assert 1 == len(ended.err.splitlines())


def test_a_file_that_is_too_large_is_refused(run: Run) -> None:
    """Nobody meant that one."""
    with Path("AGENTS.md").open("wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)

    assert 2 == run("manifest", DEMO).code


def test_a_broken_tool_is_left_out_and_told(run: Run, tools_file: Write) -> None:
    """Code 1; the others are written."""
    ended = run("manifest", tools_file([GOOD, {"inputSchema": {}}]))

    assert 1 == ended.code
    assert "has no name" in ended.err
    assert "### `good`" in Path("AGENTS.md").read_text()


def test_a_source_that_cannot_be_read(run: Run) -> None:
    """Code 3, and no file appears."""
    assert 3 == run("manifest", "absent.json").code
    assert [] == list(Path().iterdir())


def test_a_definition_that_json_cannot_carry(run: Run, tmp_path: Path) -> None:
    """Python code may hold anything; it is a sentence, not a traceback."""
    code = (
        "tools = [{'name': 'odd', 'inputSchema': {'default': float('nan')}}]\n"
        "round = {'type': 'object'}\n"
        "round['not'] = round\n"
        "circles = [{'name': 'odd', 'inputSchema': round}]\n"
        "lone = [{'name': 'odd', 'description': chr(0xd800), 'inputSchema': {}}]\n"
        "inside = [{'name': 'odd', 'inputSchema': {'title': chr(0xd800)}}]\n"
    )
    (tmp_path / "specimen_manifest.py").write_text(code)

    ended = run("manifest", "specimen_manifest:tools")
    assert 3 == ended.code
    assert 1 == len(ended.err.splitlines())
    assert not Path("AGENTS.md").exists()
    for name in ("circles", "inside"):
        ended = run("manifest", f"specimen_manifest:{name}")
        assert 1 == ended.code, name
        assert 1 == len(ended.err.splitlines())
        assert "odd" not in Path("AGENTS.md").read_text()
    assert 0 == run("manifest", "specimen_manifest:lone").code
    assert "> \\U0000d800" in Path("AGENTS.md").read_text()
