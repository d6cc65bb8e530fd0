"""``check`` on tools whose validators and published schemas disagree."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from toolgauge.contract import compile_schema

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

MODULE = '''
import pydantic
from toolgauge import Failure, Success, Tool, define_tool, tool

class Lax(pydantic.BaseModel):
    n: int

class Narrow(pydantic.BaseModel):
    n: int

    @pydantic.field_validator("n")
    @classmethod
    def small(cls, value: int) -> int:
        if value > 100 or value < -100:
            raise ValueError("is out of range " + "x" * 50)
        return value

@tool
def agrees(n: int) -> str:
    """Agree."""
    return str(n)

silent = Tool(
    name="silent",
    description="d",
    input_schema={"type": "object"},
    validate=lambda _: Failure(()),
)
lax = define_tool(name="lax", description="d", input=Lax, handler=str)
narrow = define_tool(name="narrow", description="d", input=Narrow, handler=str)
tools = [lax, narrow, agrees, silent]
none = [agrees, {"name": "plain", "inputSchema": {"type": "object"}}]
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that holds tools with validators."""
    (tmp_path / "specimen_agreement.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "specimen_agreement", raising=False)
    return "specimen_agreement"


def test_each_disagreement_is_a_finding_with_an_example(run: Run, module: str) -> None:
    """What the validator refuses is a warning, what the schema refuses advice."""
    ended = run("check", f"{module}:tools", "-t", "mcp-spec", "-f", "json")
    found = [each for each in ended.document["findings"] if each["rule"] == "validator"]

    assert 0 == ended.code
    assert {("lax", "advice"), ("narrow", "advice"), ("narrow", "warning")} | {
        ("silent", "warning")
    } == {(each["tool"], each["severity"]) for each in found}
    assert {"/inputSchema"} == {each["path"] for each in found}


def test_the_example_is_accepted_by_one_and_refused_by_the_other(run: Run, module: str) -> None:
    """It can be tried."""
    ended = run("check", f"{module}:lax", "-t", "mcp-spec", "-f", "json")
    [found] = [each for each in ended.document["findings"] if each["rule"] == "validator"]
    example = json.loads(found["message"].split("accepts ", 1)[1].split(", and", 1)[0])
    lax = sys.modules[module].lax

    assert not compile_schema(lax.input_schema).is_valid(example)
    assert hasattr(lax.validate(example), "value")


@pytest.mark.parametrize("shape", ["text", "json", "sarif", "junit", "github", "markdown"])
def test_every_format_shows_them(run: Run, module: str, shape: str) -> None:
    """Beside what the targets say."""
    ended = run("check", f"{module}:narrow", "-t", "mcp-spec", "-f", shape)

    assert "the schema accepts" in " ".join(ended.out.split())
    assert "is out of range" in " ".join(ended.out.split())


def test_the_exit_code_counts_them_as_any_other_warning(run: Run, module: str) -> None:
    """With ``--fail-on warning``; an error they never are."""
    words = ("check", f"{module}:narrow", "-t", "mcp-spec")

    assert 0 == run(*words).code
    assert 1 == run(*words, "--fail-on", "warning").code


def test_tools_that_agree_are_not_mentioned(run: Run, module: str) -> None:
    """Nor those without a validator."""
    ended = run("check", f"{module}:none", "-t", "mcp-spec", "-f", "json")

    assert "validator" not in {each["rule"] for each in ended.document["findings"]}
