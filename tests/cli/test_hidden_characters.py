"""No character of a tool that a terminal obeys or that misleads a reader is written raw."""

from __future__ import annotations

import json
import re
import time
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.specimens import checked
from toolgauge.cli.reports import junit, sarif
from toolgauge.cli.text import escaped, visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Run

    Write = Callable[..., str]

C1 = [chr(code) for code in range(0x7F, 0xA0)]
FORMAT = [
    *"\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u2060\u2061\ufeff\ufff9\U000e0001\U000e0041",
    *map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
]
NO_CHARACTER = [*"\ufffe\uffff\U0001fffe\U0010ffff"]
RAW = re.compile(f"[\x00-\x08\x0b-\x1f{''.join([*C1, *FORMAT, *NO_CHARACTER])}]")
HOSTILE = f"a{''.join([*C1, *FORMAT, *NO_CHARACTER])}\x1b[2Jé👩\u200d🚀"
TOOL: dict[str, Any] = {
    "name": HOSTILE,
    "title": HOSTILE,
    "description": HOSTILE,
    "inputSchema": {
        "type": "object",
        "properties": {HOSTILE: {"type": "string", "description": HOSTILE, "pattern": HOSTILE}},
        "required": [HOSTILE],
        "additionalProperties": {"enum": [HOSTILE], "default": HOSTILE, HOSTILE: HOSTILE},
    },
}
COMMANDS = [
    *(("list", "{tools}", "-f", shape) for shape in ("text", "json")),
    *(
        ("check", "{tools}", "-f", shape, "--severity", "advice")
        for shape in ("text", "json", "sarif", "junit", "github", "markdown")
    ),
    *(
        ("lower", "{tools}", "-t", target, "-f", shape)
        for target in ("openai", "openai-strict", "gemini", "anthropic-strict")
        for shape in ("text", "json", "wire")
    ),
    *(("diff", "{old}", "{tools}", "-f", shape) for shape in ("text", "json", "markdown")),
    *(("validate", "{tools}", HOSTILE, "{}", "-f", shape) for shape in ("text", "json")),
    *(("call", "{tools}", HOSTILE, "{}", "-f", shape) for shape in ("text", "json")),
    ("validate", "{tools}", f"{HOSTILE}?", "{}"),
    ("list", f"no-such-{HOSTILE[:40]}.json"),
    ("lock", "{tools}", "--check"),
    ("manifest", "{tools}"),
    ("check", "{tools}", f"--target={HOSTILE}"),
]


@pytest.mark.parametrize(
    "words", COMMANDS, ids=lambda words: f"{words[0]} {words[-1][:9]}".encode().hex()
)
def test_no_command_writes_them_raw(
    run: Run,
    tools_file: Write,
    tmp_path: Path,
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor on standard error."""
    monkeypatch.chdir(tmp_path)
    old = tmp_path / "old.json"
    old.write_text(json.dumps([{**TOOL, "inputSchema": {"type": "object"}}]), encoding="utf-8")
    paths = {"{tools}": tools_file([TOOL]), "{old}": str(old)}
    ended = run(*(paths.get(each, each) for each in words))

    assert ended.out or ended.err
    assert not RAW.search(ended.out)
    assert not RAW.search(ended.err)


def test_json_keeps_its_value(run: Run, tools_file: Write, tmp_path: Path) -> None:
    """The characters are escapes of JSON, in a file as on the terminal."""
    tool = {"name": "t", "description": HOSTILE, "inputSchema": {"type": "object"}}
    path, output = tools_file([tool]), tmp_path / "out.json"
    listed = run("list", path, "-f", "json")
    lowered = run("lower", path, "-t", "anthropic", "-f", "wire")
    run("lower", path, "-t", "anthropic", "-f", "wire", "-o", str(output))

    assert HOSTILE == listed.document["tools"][0]["description"]
    assert HOSTILE == lowered.document[0]["description"]
    assert "\\u009b" in lowered.out
    assert lowered.out == output.read_text(encoding="utf-8")


def test_each_stream_escapes_them(process: Run) -> None:
    """Whoever writes to it: an import's own print, here, and a traceback."""
    ended = process("list", "tests.cli.chatty:tools")

    assert "said \\u009b31m \\u202e" in ended.err
    assert not RAW.search(ended.err)


def test_escaping_is_json_and_keeps_layout_and_colors() -> None:
    """A surrogate pair stands for what is past U+FFFF."""
    assert HOSTILE == json.loads(escaped(json.dumps(HOSTILE, ensure_ascii=False)))
    assert "\x1b[1mbold\x1b[0m\n\t" == escaped("\x1b[1mbold\x1b[0m\n\t")
    assert "\\udb40\\udc01" == escaped("\U000e0001")
    assert not RAW.search(visible(HOSTILE))


@pytest.mark.parametrize("character", [*map(chr, range(0x20)), *C1, *"\ud800\udfff\ufffe\uffff"])
@pytest.mark.usefixtures("specimens")
def test_junit_is_xml_1_0(character: str) -> None:
    """A character that XML does not have is shown as an escape, in attributes and in text."""
    tool = {"name": f"a{character}b", "inputSchema": {"type": f"c{character}d"}}
    text = junit.render([checked(tools=[tool])])
    root = ET.fromstring(text.encode())  # noqa: S314 - our own text

    names = {case.get("name") or "" for case in root.iter("testcase")}
    assert visible(f"a{character}b") in names
    assert not RAW.search("".join(names))


@pytest.mark.usefixtures("specimens")
def test_sarif_has_them_as_escapes() -> None:
    """Also where it is written to a file and not to a terminal."""
    tool = {"name": HOSTILE, "inputSchema": {"type": HOSTILE}}

    assert not RAW.search(sarif.render([checked(tools=[tool])]))


def test_long_texts_are_escaped_in_bounded_time() -> None:
    """A million characters: about 0.1 s of CPU."""
    text = "é漢\x9b\u202e\U000e0001" * 200_000
    began = time.process_time()
    escaped(text)
    visible(text)

    assert time.process_time() - began < 2
