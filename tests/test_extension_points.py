"""Each extension point takes one new file, and everything that reads the folder knows it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import toolgauge
from tests.standard.test_joining import ADAPTER, LIBRARY

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT = '''
"""A provider of its own: tools, calls and rows are wrapped in members that no other has."""

from toolgauge.wire._calls import CallMembers
from toolgauge.wire._format import Declared, Format, flat, in_mcp_shape
from toolgauge.wire._recorded import Shape, placed

CALL = CallMembers(arguments="with", id="ticket", wrappers=("novelCall",))


def entry(tool):
    return {"novelTool": flat("parameters", tool)}


def opens(entry):
    tool = entry.get("novelTool")
    if not isinstance(tool, dict):
        return None
    return (Declared(raw=tool, path=("novelTool",), wire=in_mcp_shape(tool)),)


def claims(message):
    return isinstance(message, dict) and "novelCalls" in message


def calls(message):
    return [CALL.read(each) for each in message["novelCalls"]] if claims(message) else None


def results(found):
    return [{"ticket": each.call.id, "text": str(each.result.content)} for each in found]


def rows(row):
    if not claims(row):
        return None
    return [CALL.recorded(*each) for each in placed(row["novelCalls"], ("novelCalls",))]


FORMAT = Format(
    name="novel",
    title="Novel",
    entries={"novel": entry},
    wrappers=("novelTools",),
    members=("novelTool",),
    opens=opens,
    claims=claims,
    call=CALL,
    calls=calls,
    to_results=results,
    recorded=Shape(name="novel", title="Novel rows", read=rows, members=frozenset({"novelCalls"})),
)
'''

DIALECT = '''
"""A data set that calls its types by other words."""

from toolgauge.auditing.dialects import Dialect, map_types


def schema(parameters):
    return map_types(parameters, {"words": "string"})


DIALECT = Dialect(name="novel", title="Novel", schema=schema, tools_key="kit")
'''

SHAPE = '''
"""Rows that are a pair."""

from toolgauge.wire import RecordedCall, Shape


def read(row):
    return (RecordedCall(row[0], row[1], (1,)),) if isinstance(row, list) and row else None


SHAPE = Shape(name="pair", title="a name and its arguments", read=read)
'''

COMMAND = '''
"""``toolgauge names``: the names of the tools of a source."""

from toolgauge.cli.command import Command
from toolgauge.cli.connection import Connection
from toolgauge.cli.options import Format, OutputFormat, SourceWord
from toolgauge.cli.output import say, say_json


async def names(
    *, source: SourceWord = None, shape: OutputFormat = Format.TEXT, connection: Connection
) -> int:
    """Print the names of the tools of a source."""
    async with connection.open(connection.source(source)) as opened:
        found = [each.name for each in opened.tools]
    say_json(found) if shape is Format.JSON else say(", ".join(found))
    return 0


COMMAND = Command(run=names, rank=35, examples="  toolgauge names toolgauge.demo:tools\\n")
'''

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
DOCUMENT = {"novelTools": [{"novelTool": {"name": "weather", "parameters": SCHEMA}}]}
CALLS = [
    {"ticket": "1", "name": "weather", "with": {"city": "Oslo"}},
    {"ticket": "2", "name": "weather", "with": {"city": 7}},
]


@pytest.fixture(scope="module")
def add(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Copy the package to a folder of its own, and add files to it."""
    folder = tmp_path_factory.mktemp("package")
    package = folder / "toolgauge"
    shutil.copytree(
        Path(toolgauge.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )

    def add(path: str, text: str) -> Path:
        (package / path).write_text(text)
        return folder

    return add


def ended(package: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python on the copy of the package."""
    return subprocess.run(
        [sys.executable, *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(package)},
    )


def command(package: Path, *words: str, stdin: str = "", code: int = 0) -> str:
    """Run a command of the copy, and return what it wrote."""
    done = ended(package, "-m", "toolgauge", *words, stdin=stdin)

    assert code == done.returncode, done.stderr
    return done.stdout


def summary(package: Path, rows: Path, *words: str) -> dict[str, Any]:
    """Audit rows, and return the verdicts."""
    out = command(package, "audit", str(rows), *words, "--format", "json", code=1)
    verdicts: dict[str, Any] = json.loads(out)["verdicts"]
    return {name: number for name, number in verdicts.items() if number}


def test_a_provider_is_one_file(add: Callable[[str, str], Path], tmp_path: Path) -> None:
    """Its tools, messages, results, bare calls and recorded rows are read at once."""
    package = add("wire/formats/novel.py", FORMAT)
    code = """if True:
        import json, sys
        from toolgauge import CallResult
        from toolgauge.lowering import SHAPES
        from toolgauge.wire import WireResult, detect, from_tools
        document, message = json.load(sys.stdin)
        tools, found = from_tools(document), detect(message)
        calls = found.read_calls(message)
        results = [WireResult(call=each, result=CallResult(content=("x",))) for each in calls]
        print(json.dumps([
            [each.name for each in tools], found.name, [each.arguments for each in calls],
            [each["ticket"] for each in found.to_results(results)],
            found.to_tools(tools), "novel" in SHAPES,
        ]))
    """
    message = {"novelCalls": CALLS}
    done = ended(package, "-c", code, stdin=json.dumps([DOCUMENT, message]))

    assert 0 == done.returncode, done.stderr
    entries = DOCUMENT["novelTools"]
    arguments = [each["with"] for each in CALLS]
    assert [["weather"], "novel", arguments, ["1", "2"], entries, True] == json.loads(done.stdout)

    tools, rows, mapping = (tmp_path / name for name in ("tools.json", "rows.jsonl", "map.json"))
    tools.write_text(json.dumps(DOCUMENT))
    rows.write_text(json.dumps(message))
    wanted = {"valid": 1, "invalid": 1}
    assert wanted == summary(package, rows, "--tools", str(tools))
    assert wanted == summary(package, rows, "--tools", str(tools), "--shape", "novel")

    command(package, "lower", str(tools), "-t", "openai-strict", "--map", str(mapping))
    sent = json.dumps({"novelCall": CALLS[0]})
    restored = command(package, "restore", "--map", str(mapping), stdin=sent)
    assert {"name": "weather", "arguments": {"city": "Oslo"}} == json.loads(restored)


def test_a_dialect_is_one_file(add: Callable[[str, str], Path], tmp_path: Path) -> None:
    """Named by ``--dialect``, with the member that holds its tools."""
    package = add("auditing/dialects/novel.py", DIALECT)
    properties = {"city": {"type": "words"}}
    kit = [{"name": "weather", "parameters": {"type": "object", "properties": properties}}]
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        "\n".join(
            json.dumps({"name": "weather", "arguments": {"city": city}, "kit": kit})
            for city in ("Oslo", 7)
        )
    )

    assert {"valid": 1, "invalid": 1} == summary(package, rows, "--dialect", "novel")


def test_a_shape_of_rows_is_one_file(add: Callable[[str, str], Path], tmp_path: Path) -> None:
    """Tried for each row, and named by ``--shape``."""
    package = add("auditing/shapes/pair.py", SHAPE)
    tools, rows = tmp_path / "tools.json", tmp_path / "rows.jsonl"
    tools.write_text(json.dumps([{"name": "weather", "inputSchema": SCHEMA}]))
    rows.write_text('["weather", {"city": "Oslo"}]\n["weather", {}]')

    for words in ((), ("--shape", "pair")):
        assert {"valid": 1, "invalid": 1} == summary(package, rows, "--tools", str(tools), *words)


def test_a_command_is_one_file(add: Callable[[str, str], Path], tmp_path: Path) -> None:
    """It has a page of help, the options for a source, and the exit codes of all commands."""
    package = add("cli/commands/names.py", COMMAND)
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"name": "weather", "inputSchema": SCHEMA}]))

    assert "names     Print the names of the tools of a source." in command(package, "--help")
    assert "--connect-timeout SECONDS" in command(package, "names", "--help")
    assert "weather\n" == command(package, "names", str(tools))
    assert ["weather"] == json.loads(command(package, "names", str(tools), "-f", "json"))
    command(package, "names", "none.json", code=3)
    command(package, "names", code=2)


def test_a_validator_library_is_one_file_of_another_package(tmp_path: Path) -> None:
    """Its entry point joins it, for what a tool takes and for what it returns."""
    info = tmp_path / "wordlib-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wordlib\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[toolgauge.vendors]\nwordlib = joined:ADAPTER\n")
    (tmp_path / "wordlib.py").write_text(LIBRARY)
    (tmp_path / "joined.py").write_text(ADAPTER)
    (tmp_path / "words.py").write_text(
        "import wordlib\n"
        "from toolgauge import define_tool\n"
        "say = define_tool(name='say', input=wordlib.Record('word'),\n"
        "    output=wordlib.Record('said'), handler=lambda word: wordlib.Word(word.text.upper()))\n"
        "TOOLS = [say]\n"
    )
    listed = ended(tmp_path, "-m", "toolgauge", "list", "words:TOOLS", "--format", "json")
    called = ended(tmp_path, "-m", "toolgauge", "call", "words:TOOLS", "say", '{"word": "hi"}')
    wrong = ended(tmp_path, "-m", "toolgauge", "call", "words:TOOLS", "say", '{"word": 1}')

    assert (0, 0, 1) == (listed.returncode, called.returncode, wrong.returncode), called.stderr
    (made,) = json.loads(listed.stdout)["tools"]
    assert ["word"] == made["inputSchema"]["required"]
    assert ["said"] == made["outputSchema"]["required"]
    assert "HI" in called.stdout
    assert "is no word" in wrong.stdout + wrong.stderr
