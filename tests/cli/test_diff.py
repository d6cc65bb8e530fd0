from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

from tests.cli.conftest import program
from tests.cli.specimens import EVIL, GOOD
from tests.cli.test_lower import OPTIONAL
from toolgauge.changes import Change, Changes
from toolgauge.cli.reports.changed import Compared, to_markdown, to_text
from toolgauge.cli.text import visible
from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    """Write lists of tools, and give their paths in order."""

    def write(*lists: object) -> list[str]:
        paths = [tmp_path / f"{name}.json" for name in ("old", "new", "other")[: len(lists)]]
        for path, tools in zip(paths, lists, strict=True):
            path.write_text(json.dumps(tools), encoding="utf-8")
        return [str(path) for path in paths]

    return write


Files = Callable[..., list[str]]


def narrowed(**changes: Any) -> dict[str, Any]:
    """Ask for one parameter more."""
    tool = copy.deepcopy(OPTIONAL)
    tool["inputSchema"]["required"] = ["q", "tags"]
    return {**tool, **changes}


WORDED = {**OPTIONAL, "description": "Search everything."}
MORE = [OPTIONAL, GOOD]


def test_a_breaking_change_is_shown_with_its_witness(process: Run, files: Files) -> None:
    """Text that fits 80 columns, without colours when piped."""
    ended = process("diff", *files([OPTIONAL], [narrowed()]))

    assert (1, "") == (ended.code, ended.err)
    assert ended.out.startswith("old.json → new.json: 1 breaking\n")
    assert "✗ breaking input-narrowed  /inputSchema/required" in ended.out
    assert re.search(r"\{\"q\":\"[^\"]*\"\}", ended.out)
    assert "\x1b" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("new", "none", "compatible"),
    [
        ([OPTIONAL], 0, 0),
        (MORE, 1, 0),
        ([WORDED], 1, 0),
        ([narrowed()], 1, 1),
        ([], 1, 1),
    ],
)
def test_what_is_allowed_decides_the_exit_code(
    run: Run, files: Files, new: list[object], none: int, compatible: int
) -> None:
    """``compatible`` is the default; ``any`` never fails."""
    paths = files([OPTIONAL], new)

    assert none == run("diff", *paths, "--allow", "none").code
    assert compatible == run("diff", *paths, "--allow", "compatible").code
    assert compatible == run("diff", *paths).code
    assert 0 == run("diff", *paths, "--allow", "any").code


def test_what_is_unproven_counts_as_breaking(
    run: Run, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not knowing is not compatible."""
    found = Change(kind="input-unproven", severity="unproven", tool="search", message="unknown")
    monkeypatch.setattr("toolgauge.changes.compare", lambda *_, **__: Changes(changes=(found,)))
    paths = files([OPTIONAL], [OPTIONAL])

    assert 1 == run("diff", *paths).code
    assert 0 == run("diff", *paths, "--allow", "any").code


def test_the_json_is_as_it_is_specified(run: Run, files: Files) -> None:
    """Both sides by name, the verdict, the counts, the changes."""
    ended = run("diff", *files([OPTIONAL], [narrowed(), GOOD]), "-f", "json")
    document = ended.document

    assert {"old", "new", "verdict", "counts", "changes", "problems"} == set(document)
    assert ("old.json", "new.json", "breaking") == (
        document["old"],
        document["new"],
        document["verdict"],
    )
    assert {"breaking": 1, "unproven": 0, "compatible": 1, "notice": 0} == document["counts"]
    assert "q" in document["changes"][0]["witness"]


def test_a_lock_is_known_by_what_is_in_it(run: Run, tmp_path: Path, files: Files) -> None:
    """Under any name, on either side; what it was made of has not changed."""
    lock = tmp_path / "approved.json"
    old, new = files(MORE, [narrowed(), GOOD])
    run("lock", old, "-o", str(lock))

    assert 0 == run("diff", str(lock), old, "--allow", "none").code
    assert 0 == run("diff", old, str(lock), "--allow", "none").code
    assert 1 == run("diff", str(lock), new).code
    assert "approved.json → new.json" in run("diff", str(lock), new).out


@pytest.mark.parametrize(
    "text",
    [
        '{"version": 99, "tools": {}}',
        '{"version": 1, "tools": {"a": {"fingerprint": "sha256:0", "inputSchema": {}}}}',
        '{"version": 2, "tools": {"a": {"fingerprint": "sha256:0", "inputSchema": {}}}}',
        '{"version": 2, "tools": {"a": 5}}',
        '{"version": 2, "fingerprint": "sha256:0", "tools": []}',
        "<<<<<<< HEAD",
    ],
)
def test_a_lock_that_somebody_changed_is_exit_code_3(run: Run, tmp_path: Path, text: str) -> None:
    """One sentence that names the file."""
    path = tmp_path / "toolgauge.lock"
    path.write_text(text)

    ended = run("diff", str(path), DEMO)

    assert (3, "") == (ended.code, ended.out)
    assert "toolgauge.lock" in ended.err
    assert 1 == len(ended.err.splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes are POSIX")
def test_a_lock_may_come_through_a_pipe(process: Run, run: Run, tmp_path: Path) -> None:
    """``git show main:toolgauge.lock | toolgauge diff /dev/stdin SOURCE``."""
    lock = tmp_path / "a.lock"
    run("lock", DEMO, "-o", str(lock))

    done = process("diff", "/dev/stdin", DEMO, stdin=lock.read_bytes())
    tools = process("diff", "/dev/stdin", DEMO, stdin=json.dumps([OPTIONAL]).encode())

    assert (0, "stdin → toolgauge.demo:tools: nothing changed\n") == (done.code, done.out)
    assert 1 == tools.code


def test_a_server_is_the_new_side(
    run: Run, misbehaving: Callable[..., list[str]], files: Files
) -> None:
    """Its command ends the line."""
    (old,) = files([OPTIONAL])

    ended = run("diff", old, "-f", "json", *misbehaving("noise"))

    assert 1 == ended.code
    assert "old.json" == ended.document["old"]
    assert "tool-removed" == ended.document["changes"][0]["kind"]


@pytest.mark.parametrize(
    "words",
    [[], [DEMO], [DEMO, DEMO, DEMO], [DEMO, DEMO, "--", "x"], ["--", "x"], [DEMO, DEMO, "-f", "x"]],
)
def test_two_sources_are_compared(run: Run, words: list[str]) -> None:
    """No fewer, no more."""
    assert 2 == run("diff", *words).code


def test_a_source_that_is_not_there_is_exit_code_3(run: Run, tmp_path: Path) -> None:
    """With a document for programs."""
    ended = run("diff", DEMO, str(tmp_path / "absent.json"), "-f", "json")

    assert 3 == ended.code
    assert "SourceNotFound" == ended.document["error"]["kind"]


@pytest.mark.parametrize("name", ["numbers", "circles", "objects"])
def test_a_definition_that_json_cannot_carry(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Python code may hold anything; the exit code is not 0, and there is no traceback."""
    code = (
        "numbers = [{'name': 'search', 'inputSchema': {'const': float('nan')}}]\n"
        "round = {'type': 'object'}\n"
        "round['not'] = round\n"
        "circles = [{'name': 'search', 'inputSchema': round}]\n"
        "objects = [{'name': 'search', 'inputSchema': {'const': object()}}]\n"
    )
    (tmp_path / "specimen_compared.py").write_text(code)
    (tmp_path / "old.json").write_text(json.dumps([OPTIONAL]))
    monkeypatch.chdir(tmp_path)

    for shape in ("text", "json", "markdown"):
        ended = run("diff", "old.json", f"specimen_compared:{name}", "-f", shape)
        assert ended.code in {1, 3}
        assert "Traceback" not in ended.err


def test_what_only_looks_like_a_lock_is_a_source(run: Run, files: Files, tmp_path: Path) -> None:
    """A version beside an array of tools, or in what is no JSON at all."""
    (old,) = files([OPTIONAL])
    listed, torn = tmp_path / "listed.json", tmp_path / "torn.json"
    listed.write_text(json.dumps({"version": 1, "tools": [OPTIONAL]}))
    torn.write_text('{"version": 1, "tools": {')

    assert 0 == run("diff", old, str(listed), "--allow", "none").code
    assert 3 == run("diff", old, str(torn)).code
    assert 3 == run("diff", old, str(tmp_path)).code


def test_a_comparison_that_cannot_be_made_is_a_sentence(
    run: Run, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a definition holds that has no form in JSON."""

    def fail(*_: object, **__: object) -> Changes:
        raise TypeError("no JSON")

    monkeypatch.setattr("toolgauge.changes.compare", fail)

    ended = run("diff", *files([OPTIONAL], [OPTIONAL]))

    assert (3, "") == (ended.code, ended.out)
    assert 1 == len(ended.err.splitlines())


def test_broken_tools_are_told_and_compared_with_nothing(run: Run, files: Files) -> None:
    """What the other side had under the name is gone."""
    paths = files([GOOD, OPTIONAL], [GOOD, OPTIONAL, {"inputSchema": {}}])

    ended = run("diff", *paths)

    assert 0 == ended.code
    assert "has no name" in ended.err
    assert "new" == run("diff", *paths, "-f", "json").document["problems"][0]["side"]


def test_the_markdown_is_a_comment(run: Run, files: Files) -> None:
    """A table of tools; what hurts is unfolded."""
    ended = run("diff", *files([OPTIONAL], [narrowed(), GOOD]), "-f", "markdown")

    assert 1 == ended.code
    assert "## `old.json` → `new.json`: 1 breaking, 1 compatible" == ended.out.splitlines()[0]
    assert "| `search` | ❌ 1 |  |  |  |" in ended.out
    assert "<details open><summary><code>search</code></summary>" in ended.out
    assert "<details><summary><code>good</code></summary>" in ended.out
    assert re.search(r"`\{\"q\":\"[^\"]*\"\}`", ended.out)
    assert "nothing changed" in run("diff", DEMO, DEMO, "-f", "markdown").out


@pytest.mark.parametrize("shape", ["text", "markdown", "json"])
def test_nothing_is_printed_that_a_terminal_obeys(run: Run, files: Files, shape: str) -> None:
    """Names, keys and values of a tool are shown, not obeyed; nor are they markup."""
    schema = {"type": "object", "properties": {EVIL: {"type": "string", "enum": [EVIL, "a"]}}}
    old = {"name": EVIL, "inputSchema": {**schema, "required": [EVIL]}}
    new = copy.deepcopy(old)
    new["inputSchema"]["properties"][EVIL]["enum"] = ["a"]  # type: ignore[index]

    ended = run("diff", *files([old], [new]), "-f", shape)

    assert 1 == ended.code
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.out + ended.err)
    assert shape == "json" or "\u202e" not in ended.out


def test_the_comment_holds_no_markup_of_the_tools() -> None:
    """Read as Markdown, the only tags are ours, and the witness is whole."""
    witness = {EVIL: "`` a|b </code> <img> @here"}
    quoted = dump_json(witness).decode()
    change = Change(
        kind="input-narrowed",
        severity="breaking",
        tool=EVIL,
        path=(EVIL, "|"),
        message=f"<b>**broken** [x](y): {quoted} | @here",
        has_witness=True,
        witness=witness,
        fix="<i>#1</i>",
    )
    tokens = MarkdownIt().enable("table").parse(to_markdown(shown(change)))
    parts = [part for token in tokens for part in token.children or ()]
    blocks = "".join(token.content for token in tokens if token.type == "html_block")

    assert not {"html_inline", "link_open", "image"} & {part.type for part in parts}
    assert {"details", "summary", "code"} == set(re.findall(r"</?(\w+)", blocks))
    assert visible(quoted) in {part.content for part in parts if part.type == "code_inline"}


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_the_text_fits_the_terminal(
    run: Run, files: Files, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """No line is longer than the terminal is wide, wide characters and all."""
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", str(columns))
    name = "酷狗" * 60

    ended = run("diff", *files([OPTIONAL, {**OPTIONAL, "name": name}], [narrowed(name=name)]))

    assert max(map(cell_len, ended.out.splitlines())) <= columns


def shown(*changes: Change) -> Compared:
    """Compare without comparing."""
    return Compared(old="old", new="new", changes=Changes(changes=changes))


def test_a_witness_that_no_message_quotes_has_a_line() -> None:
    """Cut where it is long, and with its direction."""
    change = Change(
        kind="input-narrowed",
        severity="breaking",
        message="refused",
        has_witness=True,
        witness={"q": "x" * 5_000},
    )

    assert "old accepts, new refuses:" in to_text(shown(change))
    assert "(5008 characters)" in to_text(shown(change)).replace("\n    ", " ")
    assert 'old accepts, new refuses: `{"q":"xx' in to_markdown(shown(change))


def test_colours_are_for_terminals() -> None:
    """Asked for, they are there."""
    change = Change(kind="tool-added", severity="compatible", tool="[red]a", message="added")

    assert "\x1b[" in to_text(shown(change), color=True)
    assert "[red]a" in to_text(shown(change))


def test_a_comment_has_a_bounded_length() -> None:
    """GitHub refuses longer ones; what is left out is said."""
    changes = [
        Change(kind="tool-removed", severity="breaking", tool=f"tool_{n}", message="removed " * 20)
        for n in range(2_000)
    ]

    text = to_markdown(shown(*changes))

    assert len(text) <= 65_536
    assert "are left out" in text.splitlines()[-1]
    assert "2000 breaking" in text


def test_a_reader_that_goes_away_is_no_error(files: Files) -> None:
    """``toolgauge diff … | head -1``."""
    old = [{**GOOD, "name": f"tool_{n}"} for n in range(2_000)]
    process = subprocess.Popen(
        program("diff", *files(old, [])), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()
        process.wait(timeout=60)

    assert (141, b"") == (process.returncode, err)
