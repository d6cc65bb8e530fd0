"""What holds for every value: the way there, the way back, and nothing lost unsaid."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis_jsonschema import from_schema

from tests.lowering import generated
from tests.lowering.corpus import is_declared, needs_corpus, readable, tools
from tests.lowering.sampling import values
from tests.profile import IS_LONG
from toolgauge.contract import compile_schema
from toolgauge.lowering import lower
from toolgauge.rules import targets

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.lowering import Lowered

TARGETS = tuple(name for name, target in targets().items() if target.passes)
HYPOTHESIS_TOOLS = 300 if IS_LONG else 60
LONGEST_SCHEMA = 1_500
"""In characters. hypothesis-jsonschema needs seconds for the largest."""


def _back(tool: dict[str, Any], lowered: Lowered, value: Any) -> None:
    """Valid under the lowered schema, restored: valid, unless a loss says so."""
    found = lowered.restore_report(lowered.tools[0]["name"], value)
    issues = compile_schema(tool["inputSchema"]).issues(found.arguments)

    assert found.name == tool["name"]
    if not found.unmapped:
        assert not [
            each for each in issues if not is_declared(lowered, tool["inputSchema"], each, "wider")
        ], value


def _forth(tool: dict[str, Any], lowered: Lowered, value: Any) -> None:
    """Valid under the original: the image is valid, and comes back as a valid value."""
    compiled = compile_schema(readable(lowered.tools[0]["inputSchema"]))
    name, image = lowered.image(tool["name"], value)
    issues = compiled.issues(image)

    assert not [
        each for each in issues if not is_declared(lowered, tool["inputSchema"], each, "narrower")
    ], value
    if not issues:
        _, again = lowered.restore(name, image)
        assert compile_schema(tool["inputSchema"]).is_valid(again), (value, image, again)


def _lowered(target: str, tool: dict[str, Any]) -> Lowered | None:
    lowered = lower([tool], target)
    is_usable = lowered.tools and compile_schema(tool["inputSchema"]).problem is None
    return lowered if is_usable else None


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_no_value_is_lost_unsaid(target: str) -> None:
    """Both ways, over real tools and values made at random."""
    count = 0
    for tool in tools(every=6 if IS_LONG else 30):
        lowered = _lowered(target, tool)
        if lowered is None:
            continue
        count += 1
        rng = random.Random(count)
        for value in values(readable(lowered.tools[0]["inputSchema"]), rng, 2):
            _back(tool, lowered, value)
        for value in values(tool["inputSchema"], rng, 2):
            _forth(tool, lowered, value)

    assert count >= (300 if IS_LONG else 55)


SEEDS = (*range(20), 26, 44, 66, 88, 110, 124, 345, 405, 427)
"""The later ones found faults once: overlapping branches of ``oneOf``, references to
themselves, ``contains`` beside reshaped items, nulls that no alternative takes."""


@pytest.mark.parametrize("target", TARGETS)
def test_generated_schemas_lose_nothing_unsaid_and_are_lowered_once(target: str) -> None:
    """Nested ones, with references, overlapping unions and odd names."""
    count = 0
    for seed in SEEDS:
        tool = generated.tool(random.Random(seed))
        lowered = _lowered(target, tool)
        if lowered is None:
            continue
        count += 1
        assert lowered.tools == lower(lowered.tools, target).tools, seed
        for value in values(readable(lowered.tools[0]["inputSchema"]), random.Random(seed), 3):
            _back(tool, lowered, value)
        for value in values(tool["inputSchema"], random.Random(seed), 3):
            _forth(tool, lowered, value)

    assert count > len(SEEDS) / 2


def _hold(schema: dict[str, Any], ask: Callable[[Any], None]) -> None:
    """Draw a few values for a schema."""

    @settings(
        max_examples=3,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(from_schema(schema))
    def run(value: Any) -> None:
        if isinstance(value, dict) and compile_schema(schema).is_valid(value):
            ask(value)

    run()


@needs_corpus
@pytest.mark.slow
def test_hypothesis_finds_no_value_that_is_lost_unsaid() -> None:
    """Many real tools, each one way, the targets in turn."""
    small = [each for each in tools() if len(str(each["inputSchema"])) <= LONGEST_SCHEMA]
    step = max(1, len(small) // HYPOTHESIS_TOOLS)
    chosen = small[::step][: HYPOTHESIS_TOOLS + 20]
    count = 0
    for index, tool in enumerate(chosen):
        lowered = _lowered(TARGETS[index % len(TARGETS)], tool)
        if lowered is None:
            continue
        count += 1
        if index % 10 < 5:
            schema = readable(lowered.tools[0]["inputSchema"])
            _hold(schema, partial(_back, tool, lowered))
        else:
            _hold(tool["inputSchema"], partial(_forth, tool, lowered))

    assert count >= HYPOTHESIS_TOOLS
