"""What the explorer's "Fill example" writes, judged by the engine that answers /validate.

The generator is TypeScript: it is bundled for Node.js and given every schema of
the corpus, one a line.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.contract import SchemaCompiler

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
UI = ROOT / "ui"
CORPUS = ROOT.parent / "shared" / "corpus" / "toollists"
FILES = sorted(CORPUS.glob("*.json"))
NODE = shutil.which("node")
SHARE_WANTED = 0.98

needs_corpus = pytest.mark.skipif(not FILES, reason="the corpus lies beside the project, not in it")
needs_node = pytest.mark.skipif(
    NODE is None or not (UI / "node_modules" / "vite").is_dir(),
    reason="Node.js and the packages of ui/ are needed: run npm ci there",
)

HARD: list[dict[str, Any]] = [
    {"properties": {"n": {"type": "integer", "minimum": 9007199254740993}}, "required": ["n"]},
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}},
    {
        "type": "object",
        "properties": {"t": {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True}},
        "minProperties": 1,
    },
    {
        "allOf": [{"$ref": "#/$defs/A"}, {"properties": {"x": {"minLength": 12}}}],
        "$defs": {"A": {"properties": {"x": {"pattern": "^[a-f]+$"}}, "required": ["x"]}},
    },
    {
        "properties": {"k": {"enum": ["a", "b"]}},
        "required": ["k"],
        "if": {"properties": {"k": {"const": "a"}}},
        "then": {"required": ["extra"]},
    },
    {"additionalProperties": {"type": "number", "multipleOf": 0.25, "exclusiveMinimum": 0}},
    {
        "properties": {"tree": {"$ref": "#/$defs/N"}},
        "required": ["tree"],
        "$defs": {"N": {"type": "object", "properties": {"sub": {"$ref": "#/$defs/N"}}}},
    },
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bundle the generator for Node.js."""
    assert NODE is not None
    folder = tmp_path_factory.mktemp("examples")
    vite = UI / "node_modules" / "vite" / "bin" / "vite.js"
    options = ["build", "--config", "build/examples.vite.ts", "--outDir", str(folder)]
    subprocess.run([NODE, str(vite), *options], cwd=UI, check=True, capture_output=True)
    return folder / "examples.js"


def examples_of(program: Path, schemas: list[Any]) -> list[dict[str, str]]:
    """Give each schema's examples: ``{"required": text, "all": text}``."""
    assert NODE is not None
    lines = "\n".join(json.dumps(schema) for schema in schemas)
    done = subprocess.run(
        [NODE, str(program)], input=lines, check=True, capture_output=True, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def corpus() -> Iterator[tuple[str, Any]]:
    """Give ``(file and name, input schema)`` of every tool."""
    for path in FILES:
        for tool in json.loads(path.read_text())["tools"]:
            yield f"{path.stem} {tool['name']}", tool["inputSchema"]


@needs_corpus
@needs_node
@pytest.mark.parametrize("formats", [False, True], ids=["annotation", "assertion"])
@pytest.mark.parametrize("extent", ["required", "all"])
def test_an_example_of_a_real_tool_is_valid(
    program: Path, extent: str, *, formats: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 100 tools at least 98 get an example that the engine accepts."""
    tools = list(corpus())
    written = examples_of(program, [schema for _, schema in tools])
    compiler = SchemaCompiler(formats=formats)
    refused = [
        (name, [(issue.pointer, issue.keyword) for issue in issues])
        for (name, schema), texts in zip(tools, written, strict=True)
        if (issues := list(compiler.compile(schema).issues(json.loads(texts[extent]))))
    ]
    share = 1 - len(refused) / len(tools)
    with capsys.disabled():
        sys.stdout.write(f"\n{extent}: {share:.2%} of {len(tools)} examples accepted\n")

    assert len(tools) > 1_000
    assert share >= SHARE_WANTED, refused[:20]


@needs_node
@pytest.mark.parametrize("extent", ["required", "all"])
def test_an_example_of_a_hard_schema_is_valid(program: Path, extent: str) -> None:
    """Unions, conditions, patterns, exact bounds and recursion, each asked for."""
    written = examples_of(program, HARD)

    for schema, texts in zip(HARD, written, strict=True):
        example = json.loads(texts[extent])
        assert [] == list(SchemaCompiler().compile(schema).issues(example)), (schema, example)
