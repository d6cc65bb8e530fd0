"""Our verdicts and lowered schemas over generated tools, held against the engines.

The corpus is written by people who had a provider in mind; generated schemas have what
nobody writes. ``TOOLGAUGE_LONG=1`` makes more of them.
"""

from __future__ import annotations

import json
import os
import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.lowering import generated
from tests.profile import IS_LONG
from tests.rules.judges.differences import CORPUS, corpus, is_there, own_errors
from tests.rules.judges.judges import JUDGES, Judge
from toolgauge.contract import contains
from toolgauge.lowering import lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

pytestmark = pytest.mark.no_cover

COUNT = 5_000 if IS_LONG else 300
ENGINES = [
    each for each in JUDGES if each.name in {"llguidance", "mistral-common"} or not each.module
]

each_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)


@cache
def tools() -> Sequence[Any]:
    """Make the tools, the same in each run."""
    return [generated.tool(random.Random(seed)) for seed in range(COUNT)]


def _need(engine: Judge) -> None:
    if is_there(engine):
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{engine.name} cannot be had, and CI hears every engine")
    pytest.skip(f"{engine.name} cannot be had here")


EMPTY = "Unsatisfiable schema"
"""What llguidance says of a schema in which no value fits a place that it compiles.

That may be a definition which a value can do without: the schema is refused all the same,
and lowering leaves it. What it says must be true of the schema as it was given.
"""

LEFT = (
    # llguidance folds an enum of objects into the members beside it, recursive ones too.
    "circular references with sibling keys",
    "Schema intersection stack level exceeded",
)
"""What generated schemas are still refused for, in the engine's words, and why."""


def _refused(engine: Judge, made: Iterable[tuple[Any, Any]]) -> list[str]:
    """Ask an engine; return what it says against tools for which a call is lost.

    Args:
        engine: Who is asked.
        made: Each tool as it was given, and as the engine is to take it.
    """
    ask = engine.load()
    found, heard = [], 0
    for given, tool in made:
        said = ask(tool)
        heard += said is not None
        if said is None or said.is_accepted or any(words in said.fault for words in LEFT):
            continue
        if EMPTY not in said.fault or not _is_empty(given["inputSchema"], said.fault):
            found.append(f"{said.fault}: {json.dumps(tool['inputSchema'])}")
    assert heard
    return found


def _is_empty(schema: Any, fault: str) -> bool:
    """Prove that no value fits the definition that a fault names, or the whole schema."""
    named = re.search(r"#(/\$defs/\S+)", fault)
    place = {"$ref": f"#{named[1]}", "$defs": schema["$defs"]} if named else schema
    return contains(False, place).answer == "yes"


@each_engine
def test_what_we_accept_an_engine_takes(engine: Judge) -> None:
    """No tool is called fit that makes a request fail."""
    _need(engine)
    errors = own_errors(engine.target, tools())

    assert [] == _refused(
        engine, ((tool, tool) for index, tool in enumerate(tools()) if index not in errors)
    )


def _lowered(given: Iterable[Any], target: str) -> Iterator[tuple[Any, Any]]:
    return ((tool, each) for tool in given for each in lower([tool], target).tools)


@each_engine
def test_what_is_lowered_an_engine_takes(engine: Judge) -> None:
    """Lowering repairs what the engine refuses, or refuses the tool itself."""
    _need(engine)

    assert [] == _refused(engine, _lowered(tools(), engine.target))


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus lies beside the project, not in it")
@each_engine
def test_what_is_lowered_of_real_tools_an_engine_takes(engine: Judge) -> None:
    """A tool that is lowered and refused all the same is the worst of both."""
    _need(engine)
    real = [tool for _, tool in corpus()][:: 1 if IS_LONG else 10]

    assert [] == _refused(engine, _lowered(real, engine.target))
