from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

DEMO = "toolgauge.demo:tools"
GOOD = '{"value": 1, "from": "mile", "to": "kilometer"}'
TIME = ["--", sys.executable, "-m", "mcp_server_time"]
LOOSE = {
    "name": "help",
    "inputSchema": {
        "type": "object",
        "properties": {"topic": {"type": "string", "format": "date"}},
    },
}


@pytest.mark.parametrize(
    "words",
    [
        [DEMO, "convert_units", GOOD],
        [DEMO, "convert_units", "--args", GOOD],
        [DEMO, "--tool", "convert_units", GOOD],
        [DEMO, "--tool", "convert_units", "--args", GOOD],
        ["--args", GOOD, "--tool", "convert_units", DEMO],
    ],
)
@pytest.mark.parametrize("command", ["validate", "call"])
def test_tool_and_arguments_are_words_or_options(run: Run, command: str, words: list[str]) -> None:
    """In every combination that leaves no doubt."""
    assert 0 == run(command, *words).code


@pytest.mark.parametrize(
    "words",
    [
        [],
        [DEMO],
        [DEMO, "convert_units", GOOD, "more"],
        [DEMO, "convert_units", GOOD, "--args", GOOD],
        [DEMO, "--tool", "convert_units", GOOD, "more"],
        ["--"],
    ],
)
def test_words_that_do_not_fit_are_wrong_usage(run: Run, words: list[str]) -> None:
    """One too few or one too many."""
    assert 2 == run("validate", *words).code


def test_broken_arguments_are_told_by_place(run: Run) -> None:
    """The exit code is 1, and the document holds what ``/validate`` says."""
    text = run("validate", DEMO, "convert_units", '{"value": "1"}')
    ended = run("validate", DEMO, "convert_units", '{"value": "1"}', "-f", "json")

    assert (1, 1) == (text.code, ended.code)
    assert "convert_units: invalid, 3 errors" in text.out
    assert {"/value", "/from", "/to"} == {error["path"] for error in ended.document["errors"]}
    assert {"tool", "valid", "errors", "formats", "warnings"} == set(ended.document)
    assert ended.document["valid"] is False


def test_no_arguments_are_an_empty_object(run: Run) -> None:
    """What a model sends for a tool without parameters."""
    ended = run("validate", DEMO, "query_cities", "-f", "json")

    assert (0, True) == (ended.code, ended.document["valid"])


@pytest.mark.parametrize("command", ["validate", "call"])
@pytest.mark.parametrize("words", [[""], [" "], ["--args", ""]])
def test_empty_arguments_are_no_arguments_to_run(run: Run, command: str, words: list[str]) -> None:
    """As ``"$(cat lost.json)"`` gives them (V12)."""
    ended = run(command, DEMO, "query_cities", *words)

    assert 2 == ended.code
    assert "ARGS" in ended.err
    assert "" == ended.out


def test_an_issue_at_the_root_has_a_visible_place(run: Run) -> None:
    """Its pointer is empty, which nobody would see."""
    ended = run("validate", DEMO, "query_cities", "[1]")

    assert 1 == ended.code
    assert "(arguments)" in ended.out


def test_causes_are_shown_below_their_issue(run: Run) -> None:
    """Which branch of the union was nearly right, and why not quite."""
    ended = run("validate", DEMO, "measure_shape", '{"shape": {"kind": "circle", "width": 3}}')

    lines = ended.out.splitlines()
    assert lines[1].startswith("  /shape")
    assert lines[2].startswith("      /shape/radius")


def test_b08_undeclared_arguments_are_warned_of(
    run: Run, tools_file: Callable[[object], str]
) -> None:
    """B08: valid, and probably a slip."""
    path = tools_file([LOOSE])

    text = run("validate", path, "help", '{"topc": "install"}')
    document = run("validate", path, "help", '{"topc": "install"}', "-f", "json").document

    assert 0 == text.code
    assert "topic" in text.out
    assert document["valid"] is True
    assert ["/topc"] == [warning["path"] for warning in document["warnings"]]
    assert "topic" in document["warnings"][0]["hint"]


def test_formats_are_asserted_on_request(run: Run, tools_file: Callable[[object], str]) -> None:
    """And the document says which it was."""
    words = ["validate", tools_file([LOOSE]), "help", '{"topic": "no date"}', "-f", "json"]

    plain, strict = run(*words), run(*words, "--assert-formats")

    assert (0, "annotation") == (plain.code, plain.document["formats"])
    assert (1, "assertion") == (strict.code, strict.document["formats"])


def test_an_unknown_tool_names_the_nearest(run: Run, tools_file: Callable[[object], str]) -> None:
    """Wrong usage; without a near one, a short list is given whole."""
    near = run("validate", DEMO, "convert_unit", "-f", "json")
    far = run("validate", tools_file([LOOSE]), "zzz", "-f", "json")
    many = run("call", tools_file([{"name": f"tool_{n}"} for n in range(20)]), "zzz")

    assert (2, 2, 2) == (near.code, far.code, many.code)
    assert "convert_units" == near.document["error"]["nearest"][0]
    assert ["help"] == far.document["error"]["nearest"]
    assert "toolgauge list" in many.err


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "NaN", '{"a": 1} 2', "\ud800"])
def test_arguments_that_are_not_json_are_wrong_usage(run: Run, text: str) -> None:
    """The place is told."""
    ended = run("validate", DEMO, "query_cities", f"--args={text}", "-f", "json")

    assert 2 == ended.code
    assert "ARGS" in ended.document["error"]["message"]


def test_arguments_come_from_a_file(run: Run, tmp_path: Path) -> None:
    """``@FILE``, and why one cannot be read."""
    path = tmp_path / "call.json"
    path.write_text(GOOD, encoding="utf-8")
    huge = tmp_path / "huge.json"
    huge.write_bytes(b" " * 1_048_577)

    good = run("call", DEMO, "convert_units", f"@{path}")
    absent = run("call", DEMO, "convert_units", f"@{tmp_path / 'absent'}")
    folder = run("call", DEMO, "convert_units", f"@{tmp_path}")
    large = run("call", DEMO, "convert_units", f"@{huge}")

    assert 0 == good.code
    assert (2, 2, 2) == (absent.code, folder.code, large.code)
    assert "No such file" in absent.err
    assert "bytes" in large.err


def test_a_call_prints_the_answer(run: Run) -> None:
    """Text as text; the document as MCP writes it."""
    text = run("call", DEMO, "convert_units", GOOD)
    document = run("call", DEMO, "convert_units", GOOD, "-f", "json").document

    assert 1.609344 == json.loads(text.out)["value"]
    assert document["valid"] is True
    assert document["result"]["isError"] is False
    assert 1.609344 == document["result"]["structuredContent"]["value"]


def test_an_error_of_the_tool_is_a_finding(run: Run) -> None:
    """The answer is on stdout, that it is an error on stderr."""
    words = ["call", DEMO, "convert_units", '{"value": 1, "from": "mile", "to": "gram"}']

    text, ended = run(*words), run(*words, "-f", "json")

    assert (1, 1) == (text.code, ended.code)
    assert "unit of length" in text.out
    assert "answered with an error" in text.err
    assert ended.document["result"]["isError"] is True


def test_broken_arguments_never_reach_the_tool(run: Run) -> None:
    """There is no result then."""
    words = ["call", DEMO, "convert_units", "{}"]

    text, ended = run(*words), run(*words, "-f", "json")

    assert (1, 1) == (text.code, ended.code)
    assert "not called" in text.out
    assert ended.document["result"] is None
    assert 3 == len(ended.document["errors"])


def test_a_file_only_describes_its_tools(process: Run, tools_file: Callable[[object], str]) -> None:
    """Wrong usage, and what to name instead."""
    ended = process("call", tools_file([LOOSE]), "help")

    assert 2 == ended.code
    assert "cannot run it" in ended.err
    assert 1 == len(ended.err.splitlines())


CODE = """
from toolgauge import CallResult, Tool

def boom(arguments):
    raise ValueError("the disk \\x1b[31mis full")

def blocks(arguments):
    return CallResult(content=[
        {"type": "text", "text": "line 1\\n\\x1b[2Jline 2"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "hologram", "x": 1},
        5,
    ])

async def slow(arguments):
    import anyio
    await anyio.sleep_forever()

tools = [
    Tool(name="boom", handler=boom),
    Tool(name="blocks", handler=blocks),
    Tool(name="slow", handler=slow),
    Tool(name="bare", handler=lambda a: CallResult(structured={"a": 1})),
    Tool(name="astray", output_schema={"required": ["a"]}, handler=lambda a: {"b": 1}),
    Tool(name="loose", input_schema={"properties": {"a": {}}}, handler=lambda a: "ok"),
]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Tools whose handlers misbehave."""
    (tmp_path / "specimen_handlers.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "specimen_handlers:tools"


def test_a_handler_that_raises_is_one_sentence(process: Run, module: str) -> None:
    """A finding about the tool; no traceback, no escape sequence."""
    ended = process("call", module, "boom")

    assert 1 == ended.code
    assert "ValueError" in ended.err
    assert 1 == len(ended.err.splitlines())
    assert "\x1b" not in ended.err


def test_an_answer_that_breaks_the_contract_is_one_sentence(process: Run, module: str) -> None:
    """It is not logged as well, as it is where nobody reads our sentence."""
    ended = process("call", module, "astray")

    assert "output schema" in ended.err
    assert 1 == len(ended.err.splitlines())


def test_a_call_that_takes_too_long_is_given_up(run: Run, module: str) -> None:
    """The bound is an option."""
    assert 3 == run("call", module, "slow", "--timeout", "0.2").code


def test_every_kind_of_block_is_printed(run: Run, module: str) -> None:
    """Lines stay lines; pictures are named, not dumped."""
    blocks = run("call", module, "blocks").out
    bare = run("call", module, "bare").out

    assert "line 1\n\\x1b[2Jline 2\n" in blocks
    assert "[image image/png" in blocks
    assert "hologram" in blocks
    assert '{"a":1}\n' == bare


PRINTING = """
import os, subprocess, sys
from toolgauge import Tool

EARLY = sys.stdout

def prints(whose):
    print(whose, "prints")
    EARLY.write(whose + " kept the stream\\n")
    os.write(1, (whose + " writes\\n").encode())
    subprocess.run([sys.executable, "-c", f"print('{whose} starts a child')"], check=True)

def handler(arguments):
    prints("the handler")
    return "answer"

def provider():
    prints("the provider")
    return [Tool(name="loud", handler=handler)]

prints("the module")

class Lazy:
    @property
    def tools(self):
        prints("the property")
        return provider

lazy = Lazy()
"""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["list", "specimen_loud:lazy", "-f", "json"], 0),
        (["call", "specimen_loud:lazy", "loud", "-f", "json"], 0),
        (["call", "specimen_loud:lazy", "loud"], 0),
        (["validate", "specimen_loud:lazy", "loud", "-f", "json"], 0),
        (["lower", "specimen_loud:lazy", "-t", "openai", "-f", "json"], 0),
        (["check", "specimen_loud:lazy", "-f", "json"], 1),
    ],
)
def test_what_the_code_of_a_source_prints_is_no_part_of_the_answer(
    process: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int
) -> None:
    """It goes to standard error, whoever prints it and however."""
    (tmp_path / "specimen_loud.py").write_text(PRINTING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ended = process(*words)

    assert code == ended.code, ended.err
    assert "json" not in words or ended.document
    assert "json" in words or "answer\n" == ended.out
    for whose in ("module", "property", "provider") + ("handler",) * ("call" in words):
        for does in ("prints", "kept the stream", "writes", "starts a child"):
            assert f"the {whose} {does}\n" in ended.err


def test_a_call_warns_on_stderr(run: Run, module: str) -> None:
    """Stdout holds the answer alone."""
    ended = run("call", module, "loose", '{"b": 1}')

    assert "ok\n" == ended.out
    assert "/b" in ended.err


def test_mcp_server_time_is_validated_and_called(run: Run) -> None:
    """The main path on a real server: list, validate, call."""
    listed = run("list", "-f", "json", *TIME)
    invalid = run("validate", "get_current_time", "{}", *TIME)
    called = run("call", "--tool", "get_current_time", "--args", '{"timezone": "UTC"}', *TIME)

    assert {"get_current_time", "convert_time"} == {t["name"] for t in listed.document["tools"]}
    assert 1 == invalid.code
    assert "/timezone" in invalid.out
    assert 0 == called.code
    assert "UTC" == json.loads(called.out)["timezone"]


def test_a_server_that_dies_in_a_call_is_exit_code_3(
    run: Run, misbehaving: Callable[..., list[str]]
) -> None:
    """It is the source that failed, not the tool."""
    ended = run("call", "good", *misbehaving("die-in-call"))

    assert 3 == ended.code
    assert "exit code 9" in ended.err
    assert "| Traceback: boom" in ended.err


def test_c22_text_stays_utf8_whatever_the_locale(process: Run) -> None:
    """C22: arguments in, answer out, under a Windows code page and under C."""
    text = "Messgerät 酷狗 ★ 🎉"
    arguments = json.dumps({"text": text}, ensure_ascii=False).encode()
    for env in ({"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        changes: dict[str, Any] = env
        ended = process("call", DEMO, "text_statistics", "-", stdin=arguments, **changes)

        assert 0 == ended.code, ended.err
        assert "messgerät" in ended.out


def test_a_lone_surrogate_of_the_shell_is_no_crash(process: Run) -> None:
    """Bytes that are no UTF-8 arrive as surrogates in ``argv``."""
    ended = process("validate", DEMO, "tool\udcff", "{}")

    assert 2 == ended.code
    assert "Traceback" not in ended.err
