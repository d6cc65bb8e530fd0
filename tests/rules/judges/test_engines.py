"""Our verdicts and lowered schemas over generated tools, held against the engines.

The corpus is written by people who had a provider in mind; generated schemas have what
nobody writes. ``TOOLGAUGE_LONG=1`` makes more of them.
"""

from __future__ import annotations

import json
import os
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.lowering import generated
from tests.profile import IS_LONG
from tests.rules.judges.differences import CORPUS, corpus, is_there, own_errors
from tests.rules.judges.judges import JUDGES, Judge
from toolgauge.lowering import lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


LEFT = (
    # No value fits the schema as given; that it is refused costs no call.
    "Unsatisfiable schema",
    # llguidance folds an enum of objects into the members beside it, recursive ones too.
    "circular references with sibling keys",
    "Schema intersection stack level exceeded",
)
"""What generated schemas are still refused for, in the engine's words, and why."""


def _refused(engine: Judge, made: Iterable[Any]) -> list[str]:
    """Ask an engine; give what it says against schemas that admit anything."""
    ask = engine.load()
    faults = (ask(each) for each in made)
    return [
        f"{each.fault}: {json.dumps(each.tool['inputSchema'])}"
        for each in faults
        if each is not None
        and not each.is_accepted
        and not any(words in each.fault for words in LEFT)
    ]


@each_engine
def test_what_we_accept_an_engine_takes(engine: Judge) -> None:
    """No tool is called fit that makes a request fail."""
    _need(engine)
    errors = own_errors(engine.target, tools())

    assert [] == _refused(
        engine, (tool for index, tool in enumerate(tools()) if index not in errors)
    )


@each_engine
def test_what_is_lowered_an_engine_takes(engine: Judge) -> None:
    """Lowering repairs what the engine refuses, or refuses the tool itself."""
    _need(engine)
    made = (each for tool in tools() for each in lower([tool], engine.target).tools)

    assert [] == _refused(engine, made)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus lies beside the project, not in it")
@each_engine
def test_what_is_lowered_of_real_tools_an_engine_takes(engine: Judge) -> None:
    """A tool that is lowered and refused all the same is the worst of both."""
    _need(engine)
    real = [tool for _, tool in corpus()][:: 1 if IS_LONG else 10]
    made = (each for tool in real for each in lower([tool], engine.target).tools)

    assert [] == _refused(engine, made)
