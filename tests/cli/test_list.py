from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
NAMES = ["convert_units", "text_statistics", "date_calculator", "query_cities", "measure_shape"]
EVIL = {
    "name": "evil[red]\x1b[2Jname",
    "description": "\n\n[bold]not markup[/bold] \u202etxt.exe\u2066 \x07bell\nsecond line",
    "inputSchema": {"type": "object", "required": ["a\x1b]0;title\x07", 5]},
    "annotations": {"readOnlyHint": "yes", "destructiveHint": True},
}


def test_tools_are_listed_in_order(run: Run) -> None:
    """Name, required parameters, hints, description, and how many there are."""
    ended = run("list", DEMO)

    lines = ended.out.splitlines()
    assert 0 == ended.code
    assert NAMES == [line.split()[0] for line in lines[2:7]]
    assert "value, from, to" in lines[2]
    assert "read-only" in lines[2]
    assert "5 tools of toolgauge.demo:tools" == lines[-1]
    assert "" == ended.err


def test_the_json_holds_the_definitions_whole(run: Run) -> None:
    """As MCP writes them, with what is wrong beside them."""
    ended = run("list", DEMO, "--format", "json")

    assert 0 == ended.code
    assert DEMO == ended.document["source"]
    assert NAMES == [tool["name"] for tool in ended.document["tools"]]
    assert "inputSchema" in ended.document["tools"][0]
    assert [] == ended.document["problems"]


@pytest.mark.parametrize("columns", [40, 60, 80, 120, 200])
def test_the_table_fits_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """No line is longer than the terminal is wide."""
    monkeypatch.setenv("COLUMNS", str(columns))

    ended = run("list", DEMO)

    assert max(map(len, ended.out.splitlines())) <= columns


def test_texts_of_tools_reach_no_terminal_as_commands(
    run: Run, tools_file: Callable[[object], str]
) -> None:
    """Escape sequences, bidi controls and markup are shown, not obeyed."""
    path = tools_file([EVIL, {"name": "x\x1b[1m", "inputSchema": []}])
    for words in ([path], [path, "--format", "json"]):
        ended = run("list", *words)

        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.out + ended.err)
    text = run("list", path).out
    assert "\u202e" not in text
    assert "[bold]not markup[/bold]" in text
    assert "second line" not in text
    assert "destructive" in text


def test_bad_tools_are_reported_by_name(run: Run, tools_file: Callable[[object], str]) -> None:
    """The rest is listed, and the exit code says that there are findings."""
    good = {"name": "good", "inputSchema": {}}
    path = tools_file([good, {"inputSchema": {}}, {"name": "odd", "inputSchema": []}, good])

    ended = run("list", path)
    document = run("list", path, "-f", "json").document

    assert 1 == ended.code
    assert "2 tools of tools.json" in ended.out
    assert "tool 1" in ended.err
    assert "'odd'" in ended.err
    assert 1 == ended.err.count("listed twice")
    assert [None, "odd", "good"] == [problem["name"] for problem in document["problems"]]


def test_what_only_the_catalog_sees_is_reported_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider's tools are known when it is asked, and it may raise."""
    code = (
        "def twice():\n    return [{'name': 'a'}, {'name': 'a'}]\n"
        "def broken():\n    raise OSError('no database')\n"
        "def wrong():\n    return 5\n"
    )
    (tmp_path / "specimen_provider.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    twice = run("list", "specimen_provider:twice")
    broken = run("list", "specimen_provider:broken")
    wrong = run("list", "specimen_provider:wrong")

    assert 1 == twice.code
    assert "listed twice" in twice.err
    assert 1 == broken.code
    assert "no database" in broken.err
    assert 3 == wrong.code


def test_an_empty_list_is_said_to_be_empty(run: Run, tools_file: Callable[[object], str]) -> None:
    """No table of nothing."""
    ended = run("list", tools_file([]))

    assert (0, "0 tools of tools.json\n") == (ended.code, ended.out)


def test_a_server_is_listed(run: Run, misbehaving: Callable[..., list[str]]) -> None:
    """With its own name, and the noise that it makes on stdout."""
    ended = run("list", *misbehaving("noise"))

    assert 1 == ended.code
    assert "2 tools of misbehaving-noise (python" in ended.out
    assert "Server started" in ended.err


@pytest.mark.parametrize(
    "words",
    [
        ["absent.json"],
        ["no_such_module:tools"],
        ["http://127.0.0.1:1/mcp?token=urlsecret999"],
        ["--", "no-such-program", "--key", "argsecret999"],
    ],
)
def test_a_source_that_cannot_be_had_is_one_sentence(run: Run, words: list[str]) -> None:
    """Exit code 3, no traceback, no secret (case C25), and a document for programs."""
    text = run("list", *words)
    document = run("list", "-f", "json", *words)

    assert (3, 3) == (text.code, document.code)
    assert "" == text.out
    assert 1 == len(text.err.splitlines())
    assert {"kind", "message"} <= set(document.document["error"])
    assert "secret999" not in text.err + document.out + document.err


EXITING = """
class Tool:
    description = ""
    inputSchema = {}

    @property
    def name(self):
        raise SystemExit(0)

tools = [Tool()]

def provider():
    raise SystemExit(0)

def __getattr__(name):
    raise SystemExit(0)
"""


@pytest.mark.parametrize("attribute", ["tools", "provider", "other"])
def test_code_that_exits_is_no_success(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attribute: str
) -> None:
    """Nothing was listed."""
    (tmp_path / "specimen_exiting.py").write_text(EXITING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ended = run("list", f"specimen_exiting:{attribute}", "-f", "json")

    if attribute == "tools":  # one tool, which costs itself alone
        assert 1 == ended.code
        assert "SystemExit" in ended.document["problems"][0]["message"]
        return
    assert 3 == ended.code
    assert "SystemExit" in ended.document["error"]["message"]


def test_a_server_that_dies_is_told_with_its_last_words(
    run: Run, misbehaving: Callable[..., list[str]]
) -> None:
    """On stderr below the sentence, and as a list in the document."""
    ended = run("list", "-f", "json", *misbehaving("exits"))

    error = ended.document["error"]
    assert 3 == ended.code
    assert "ServerFailed" == error["kind"]
    assert ["config.toml: no such file"] == error["stderr"]
    assert "config.toml" in ended.err


def test_the_connect_timeout_is_an_option(run: Run, misbehaving: Callable[..., list[str]]) -> None:
    """A silent server is given up on."""
    ended = run("list", "--connect-timeout", "0.3", *misbehaving("silent"))

    assert 3 == ended.code
    assert "0.3 s" in ended.err


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["a.json", "b.json"],
        ["a.json", "--", "python"],
        ["--"],
        ["ftp://host.test"],
        [DEMO, "--header", "no colon"],
        [DEMO, "--header", "X-Key: line\nbreak"],
        [DEMO, "--header", "X-Key: schlüssel"],
        [DEMO, "--env", "=value"],
        [DEMO, "--env", "NO_SUCH_VARIABLE_ANYWHERE"],
        [DEMO, "--format", "yaml"],
        [DEMO, "--connect-timeout", "0"],
        [DEMO, "--no-such-option"],
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, words: list[str]) -> None:
    """Ours and the option parser's alike."""
    ended = run("list", *words)

    assert 2 == ended.code
    assert ended.err
    assert "Traceback" not in ended.err


def test_a_variable_is_handed_on(
    run: Run, misbehaving: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By name from our environment, or with a value."""
    monkeypatch.setenv("HANDED_ON", "mine")
    words = ["--env", "HANDED_ON", "--env", "GIVEN=a=b", *misbehaving("environment")]

    ended = run("call", "--tool", "good", "-f", "json", *words)

    seen = json.loads(ended.document["result"]["content"][0]["text"])
    assert ("mine", "a=b") == (seen["HANDED_ON"], seen["GIVEN"])
