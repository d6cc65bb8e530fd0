from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import program
from tests.cli.test_lower import OPTIONAL

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Ended, Run

SENT = {"q": "x", "tags": None}
BACK = {"name": "search", "arguments": {"q": "x"}}


@pytest.fixture
def calls_map(run: Run, tmp_path: Path) -> str:
    """Lower a tool and give its map."""
    tools, path = tmp_path / "tools.json", tmp_path / "calls.map.json"
    tools.write_text(json.dumps([OPTIONAL]))
    words = ["lower", str(tools), "-t", "openai-strict", "-f", "wire", "--map", str(path)]
    assert 0 == run(*words).code
    return str(path)


@pytest.fixture
def fed(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process, with bytes on its standard input."""

    def command(*words: str, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        return run(*words)

    return command


def rows(text: str) -> list[Any]:
    """Read JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


CALLS = {
    "plain": {"name": "search", "arguments": SENT},
    "text": {"name": "search", "arguments": json.dumps(SENT)},
    "openai chat": {
        "id": "call_1",
        "type": "function",
        "function": {"name": "search", "arguments": json.dumps(SENT)},
    },
    "openai responses": {"type": "function_call", "name": "search", "arguments": json.dumps(SENT)},
    "anthropic": {"type": "tool_use", "id": "toolu_1", "name": "search", "input": SENT},
    "gemini": {"functionCall": {"name": "search", "args": SENT}},
    "bedrock": {"toolUse": {"toolUseId": "1", "name": "search", "input": SENT}},
    "openai legacy": {
        "role": "assistant",
        "content": None,
        "function_call": {"name": "search", "arguments": json.dumps(SENT)},
    },
    "gemini, as Python writes it": {"function_call": {"name": "search", "args": SENT}},
    "null beside": {"name": "search", "arguments": None, "input": SENT},
    "an object called function beside": {"name": "search", "arguments": SENT, "function": {}},
    "mcp": {"method": "tools/call", "params": {"name": "search", "arguments": SENT}},
}


def test_every_provider_s_calls_are_read(fed: Run, calls_map: str) -> None:
    """One line for each, in order."""
    stdin = "\n".join(json.dumps(each) for each in CALLS.values()).encode()

    ended = fed("restore", "--map", calls_map, stdin=stdin)

    assert (0, "") == (ended.code, ended.err)
    assert [BACK] * len(CALLS) == rows(ended.out)


MESSAGES = {
    "openai chat": {
        "role": "assistant",
        "name": "bot",
        "tool_calls": [CALLS["openai chat"], CALLS["openai chat"]],
    },
    "openai chat, whole": {
        "choices": [
            {"index": 0, "message": {"role": "assistant", "tool_calls": [CALLS["openai chat"]] * 2}}
        ]
    },
    "openai responses": {"object": "response", "output": [CALLS["openai responses"]] * 2},
    "anthropic": {"role": "assistant", "content": [CALLS["anthropic"], CALLS["anthropic"]]},
    "gemini": {"role": "model", "parts": [CALLS["gemini"], CALLS["gemini"]]},
    "bedrock": {"role": "assistant", "content": [CALLS["bedrock"], CALLS["bedrock"]]},
}


def test_every_provider_s_messages_are_read(fed: Run, calls_map: str) -> None:
    """One line for each call in them."""
    stdin = "\n".join(json.dumps(each) for each in MESSAGES.values()).encode()

    ended = fed("restore", "--map", calls_map, stdin=stdin)

    assert [BACK] * len(MESSAGES) * 2 == rows(ended.out)
    assert (0, "") == (ended.code, ended.err)


ELSEWHERE: list[dict[str, object]] = [
    {"name": "search", "parameters": SENT},
    {"name": "search", "kwargs": SENT},
    {"type": "function", "name": "search", "parameters": json.dumps(SENT)},
    {"name": "search", "arguments": None, "params": SENT},
    {"name": "search", "arguments": SENT, "input": SENT},
    {"name": "search", "description": "d", "inputSchema": {"type": "object"}},
    {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}},
    {"type": "function_call_output", "call_id": "c", "name": "search", "output": "[]"},
    {"role": "assistant", "content": "I search."},
]


def test_arguments_are_never_thrown_away(fed: Run, calls_map: str) -> None:
    """What may hold them under another name is an error, not a call without arguments."""
    stdin = "\n".join(json.dumps(each) for each in ELSEWHERE).encode()

    ended = fed("restore", "--map", calls_map, stdin=stdin)

    assert 1 == ended.code
    assert list(range(1, len(ELSEWHERE) + 1)) == [each["line"] for each in rows(ended.out)]


NO_ARGUMENTS = [
    {"name": "search"},
    {"name": "search", "arguments": None, "id": "call_1", "index": 0},
    {"type": "function", "id": "c", "function": {"name": "search", "arguments": ""}},
    {"toolUse": {"toolUseId": "1", "name": "search"}},
    {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "search", "_meta": {"a": 1}}},
]


def test_a_call_may_have_no_arguments(fed: Run, calls_map: str) -> None:
    """Then there are none."""
    stdin = "\n".join(json.dumps(each) for each in NO_ARGUMENTS).encode()

    ended = fed("restore", "--map", calls_map, stdin=stdin)

    assert [{"name": "search", "arguments": {}}] * len(NO_ARGUMENTS) == rows(ended.out)


def test_what_is_no_call_has_its_line(fed: Run, calls_map: str) -> None:
    """Numbers count every line of the input; blank ones have no answer."""
    lines = [
        b"nonsense",
        b"",
        b'{"name": "unknown", "arguments": {}}',
        b"[]",
        b'{"name": 5}',
        json.dumps(CALLS["plain"]).encode(),
        b'{"name": "search", "arguments": {"q": "\xff"}}',
        b'{"name": "search", "arguments": "{"}',
        b'{"name": "search"}',
    ]

    ended = fed("restore", "--map", calls_map, stdin=b"\r\n".join(lines))
    found = rows(ended.out)

    assert (1, "") == (ended.code, ended.err)
    assert [1, 3, 4, 5, 7] == [each["line"] for each in found if "error" in each]
    assert BACK == found[4]
    assert "{" == found[6]["arguments"]
    assert [""] == [each["path"] for each in found[6]["unmapped"]]
    assert {"name": "search", "arguments": {}} == found[7]


def test_a_line_is_bounded(fed: Run, calls_map: str) -> None:
    """A line of 1 MiB is read, a longer one is not, and hides no other."""
    plain = json.dumps(CALLS["plain"]).encode()
    full = plain + b" " * (1_048_576 - len(plain))

    ended = fed(
        "restore", "--map", calls_map, stdin=b"\n".join([full, full + b" ", plain, full * 3, plain])
    )
    found = rows(ended.out)

    assert 1 == ended.code
    assert [2, 4] == [each["line"] for each in found if "error" in each]
    assert [BACK] * 3 == [each for each in found if "error" not in each]


def test_each_answer_comes_at_once(calls_map: str) -> None:
    """A program may ask line by line; it ends with its input."""
    process = subprocess.Popen(
        program("restore", "--map", calls_map),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(CALLS["plain"]) + "\n")
            process.stdin.flush()
            assert BACK == json.loads(process.stdout.readline())
        process.stdin.close()
        assert 0 == process.wait(timeout=30)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_ends_it_quietly(calls_map: str) -> None:
    """Also while it waits for a line."""
    process = subprocess.Popen(
        program("restore", "--map", calls_map),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(CALLS["plain"]).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()  # it is waiting for the next one now
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        err = process.stderr.read()

    assert (130, b"") == (process.returncode, err)


def test_the_document_of_lower_is_a_map_too(process: Run, run: Run, tmp_path: Path) -> None:
    """``lower --format json`` holds everything."""
    tools, path = tmp_path / "tools.json", tmp_path / "all.json"
    tools.write_text(json.dumps([OPTIONAL]))
    run("lower", str(tools), "-t", "openai-strict", "-f", "json", "-o", str(path))

    ended = process("restore", "--map", str(path), stdin=json.dumps(CALLS["plain"]).encode())

    assert [BACK] == rows(ended.out)


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"version": 99}', '{"losses": 1}'])
def test_what_is_no_map_is_exit_code_3(run: Run, tmp_path: Path, text: str | None) -> None:
    """One sentence, before a line is read."""
    path = tmp_path / "map.json"
    if text is not None:
        path.write_text(text)

    ended = run("restore", "--map", str(path))

    assert (3, "") == (ended.code, ended.out)
    assert 1 == len(ended.err.splitlines())


def test_a_folder_is_no_map(run: Run, tmp_path: Path) -> None:
    """Nor is a command line without one."""
    assert 3 == run("restore", "--map", str(tmp_path)).code
    assert 2 == run("restore").code
