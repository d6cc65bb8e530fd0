from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import environment
from tests.cli.specimens import EVIL, GOOD, TARGETS, TOOLS
from toolgauge.contract import resolve
from toolgauge.rules import targets

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("specimens")

FORMATS = ["text", "json", "sarif", "junit", "github", "markdown"]
Write = Callable[[object], str]

SCHEMA = {"type": "array"}
SHAPES = {
    "mcp": ({"tools": [{"name": "t", "inputSchema": SCHEMA}]}, "/tools/0/inputSchema/type"),
    "openai chat": (
        {"tools": [{"type": "function", "function": {"name": "t", "parameters": SCHEMA}}]},
        "/tools/0/function/parameters/type",
    ),
    "openai responses": (
        {"tools": [{"type": "function", "name": "t", "parameters": SCHEMA}]},
        "/tools/0/parameters/type",
    ),
    "anthropic": (
        {"tools": [{"name": "t", "input_schema": SCHEMA}]},
        "/tools/0/input_schema/type",
    ),
    "gemini": (
        {"tools": [{"functionDeclarations": [{"name": "t", "parameters": {"type": "ARRAY"}}]}]},
        "/tools/0/functionDeclarations/0/parameters/type",
    ),
    "bedrock": (
        {"toolConfig": {"tools": [{"toolSpec": {"name": "t", "inputSchema": {"json": SCHEMA}}}]}},
        "/toolConfig/tools/0/toolSpec/inputSchema/json/type",
    ),
}


def test_the_json_is_as_it_is_specified(run: Run, tools_file: Write) -> None:
    """Verdicts by target; findings with nine members, and their place in the file."""
    document = run("check", tools_file(TOOLS), "-f", "json").document

    assert {"targets", "findings"} == set(document)
    assert set(TARGETS) == set(document["targets"])
    assert {"tools": 3, "accepted": 1, "refused": 2, "verdict": "refused"} == document["targets"][
        "narrow"
    ]
    assert "accepted" == document["targets"]["roomy"]["verdict"]
    assert {
        "rule",
        "name",
        "pointer",
        "target",
        "tool",
        "index",
        "path",
        "message",
        "severity",
        "fix",
    } == set(document["findings"][0])


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 1),
        (["--fail-on", "never"], 0),
        (["--target", "roomy"], 0),
        (["--target", "clients"], 0),
        (["--target", "clients", "--fail-on", "advice"], 1),
        (["--target", "teacher", "--fail-on", "warning"], 0),
        (["--target", "no-such-target"], 2),
        (["--fail-on", "sometimes"], 2),
        (["--format", "yaml"], 2),
    ],
)
def test_the_exit_code_is_about_what_matters(
    run: Run, tools_file: Write, options: list[str], code: int
) -> None:
    """0 nothing at or above the bar, 1 something, 2 wrong usage."""
    assert code == run("check", tools_file(TOOLS), *options).code


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"a": 1}', "\ufeff5"])
def test_a_file_without_tools_is_exit_code_3(run: Run, tmp_path: Path, text: str) -> None:
    """One sentence, no traceback."""
    path = tmp_path / "tools.json"
    path.write_text(text, encoding="utf-8")

    ended = run("check", str(path))

    assert (3, "") == (ended.code, ended.out)
    assert 1 == len(ended.err.splitlines())


def test_an_unknown_target_is_told_before_the_source_is_opened(run: Run) -> None:
    """With the nearest names."""
    ended = run("check", "absent.json", "--target", "narow")

    assert 2 == ended.code
    assert "narrow" in ended.err


@pytest.mark.parametrize("shape", SHAPES)
def test_a_request_is_checked_as_it_is(run: Run, tools_file: Write, shape: str) -> None:
    """Paths lead through the provider's own members."""
    body, pointer = SHAPES[shape]
    path = tools_file(body)

    findings = run("check", path, "-t", "stern", "-f", "json").document["findings"]
    results = run("check", path, "-t", "stern", "-f", "sarif").document["runs"][0]["results"]

    assert [True] == [pointer.endswith(each["path"]) for each in findings]
    assert [pointer] == [each["properties"]["pointer"] for each in results]
    assert "array" == str(resolve(body, pointer)).lower()


def test_broken_tools_are_found_and_hide_no_other(run: Run, tools_file: Write) -> None:
    """Whatever stands in the list has its index."""
    tools = [GOOD, {"inputSchema": {}}, "text", {"name": "odd", "inputSchema": []}]

    ended = run("check", tools_file(tools), "-t", "stern", "-f", "json")

    assert 1 == ended.code
    assert 4 == ended.document["targets"]["stern"]["tools"]
    assert {1, 2, 3} == {each["index"] for each in ended.document["findings"]}
    assert "" == ended.err


def test_a_broken_tool_that_no_target_minds_is_told_all_the_same(
    run: Run, tools_file: Write
) -> None:
    """A tool without a name cannot be called."""
    path = tools_file([GOOD, {"inputSchema": {}}])

    ended = run("check", path, "-t", "roomy")

    assert 1 == ended.code
    assert "has no name" in ended.err
    assert 0 == run("check", path, "-t", "roomy", "--fail-on", "never").code


def test_the_prefix_counts(run: Run, tools_file: Write) -> None:
    """It is what the model sees."""
    path = tools_file([GOOD])

    assert 0 == run("check", path).code
    assert 1 == run("check", path, "--prefix", "mcp__acme__").code


def test_conflicts_count_in_full_when_asked(run: Run, tools_file: Write) -> None:
    """A warning becomes an error."""
    path = tools_file([{"name": "a", "inputSchema": {"type": "object"}}])

    assert 0 == run("check", path).code
    assert 1 == run("check", path, "--conservative").code


def test_several_files_are_checked_one_by_one(run: Run, tmp_path: Path) -> None:
    """As pre-commit gives them; limits on a list are about each."""
    paths = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps([GOOD | {"name": f"{name}{i}"} for i in range(3)]))
        paths.append(str(path))

    text = run("check", *paths)
    document = run("check", *paths, "-f", "json").document

    assert 0 == text.code
    assert "3 tools of b.json" in text.out
    assert ["a.json", "b.json"] == [each["source"] for each in document["sources"]]
    assert 2 == len(run("check", *paths, "-f", "sarif").document["runs"])


def test_modules_and_servers_are_checked(run: Run, misbehaving: Callable[..., list[str]]) -> None:
    """They have no file, so nothing points into one."""
    module = run("check", "toolgauge.demo:tools", "-t", "stern", "-f", "sarif")
    server = run("check", "-t", "stern", "-f", "json", *misbehaving("noise"))

    locations = [each["locations"][0] for each in module.document["runs"][0]["results"]]
    assert 1 == module.code
    assert locations
    assert not any("physicalLocation" in each for each in locations)
    assert 2 == server.document["targets"]["stern"]["tools"]


def test_a_providers_tools_are_checked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only Python code knows is asked for."""
    code = "def tools():\n    return [{'name': 'overlong_name', 'inputSchema': {}}]\n"
    (tmp_path / "specimen_checked.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    ended = run("check", "specimen_checked:tools", "-f", "json")

    assert {"overlong_name"} == {each["tool"] for each in ended.document["findings"]}


@pytest.mark.parametrize("shape", FORMATS)
def test_no_format_prints_what_a_terminal_obeys(run: Run, tools_file: Write, shape: str) -> None:
    """Names with control and bidi characters are shown escaped, in the file and piped."""
    ended = run("check", tools_file(TOOLS), "-f", shape)

    assert 1 == ended.code
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.out + ended.err)
    assert shape == "json" or "\u202e" not in ended.out
    assert shape == "json" or "evil" in ended.out


@pytest.mark.parametrize("shape", FORMATS)
def test_no_tools_are_no_findings(run: Run, tools_file: Write, shape: str) -> None:
    """An empty list is accepted by targets that ask for none."""
    assert 0 == run("check", tools_file([]), "-f", shape).code


@pytest.mark.parametrize("columns", [40, 60, 80, 160])
@pytest.mark.parametrize("names", [["all"], ["stern"]])
def test_the_text_fits_the_terminal(
    run: Run,
    tools_file: Write,
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
    names: list[str],
) -> None:
    """No line is longer than the terminal is wide, wide characters and all."""
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", str(columns))
    tools = [*TOOLS, {"name": "酷狗" * 40, "inputSchema": {"type": "object"}}]
    options = [word for name in names for word in ("--target", name)]

    ended = run("check", tools_file(tools), *options)

    assert max(map(cell_len, ended.out.splitlines())) <= columns


def test_the_least_severity_is_an_option(run: Run, tools_file: Write) -> None:
    """Text says how much it leaves out; the verdict stays."""
    path = tools_file(TOOLS)

    text = run("check", path, "-t", "teacher")
    more = run("check", path, "-t", "teacher", "--severity", "advice")
    errors = run("check", path, "-f", "json", "--severity", "error").document

    assert "TG204" not in text.out
    assert "--severity advice" in text.out
    assert "TG204" in more.out
    assert {"error"} == {each["severity"] for each in errors["findings"]}
    assert "refused" == errors["targets"]["narrow"]["verdict"]


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize(("env", "colours"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_has_colours_unless_told_otherwise(env: dict[str, str], colours: bool) -> None:
    """NO_COLOR is heard."""
    ours, theirs = pty.openpty()
    words = ["check", "toolgauge.demo:tools", "-t", "openai"]
    process = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", *words],
        stdout=theirs,
        stderr=theirs,
        env=environment(TERM="xterm-256color", **env),
    )
    os.close(theirs)
    seen = b""
    with process:
        while select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 4_096)
            except OSError:  # Linux says so when the other side has closed
                break
            if not part:
                break
            seen += part
    os.close(ours)

    assert b"5 tools" in seen
    assert colours == (b"\x1b[" in seen)


def test_the_evil_name_is_one_tool(run: Run, tools_file: Write) -> None:
    """JSON carries it whole."""
    findings = run("check", tools_file(TOOLS), "-f", "json").document["findings"]

    assert EVIL in {each["tool"] for each in findings}


def test_the_help_names_every_group(run: Run) -> None:
    """As the targets have them."""
    told = run("check", "--help").out

    assert all(group in told for each in targets().values() for group in each.groups)
