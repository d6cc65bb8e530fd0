"""Each value that goes one way only is covered by a declared loss, of its kind, at its place."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.lowering import generated, mixed
from tests.lowering.corpus import needs_corpus, readable, tools
from tests.lowering.losses import stray_paths, undeclared_narrower, undeclared_wider
from tests.lowering.sampling import values
from tests.profile import IS_LONG, long_run
from toolgauge.contract import compile_schema
from toolgauge.lowering import lower
from toolgauge.rules import targets

_BY_PASSES = {str(each.passes): name for name, each in targets().items() if each.passes}
TARGETS = sorted(_BY_PASSES.values())
"""One of those that have the same passes."""

SCHEMAS = 5_000 if IS_LONG else 10
LEAST = 0.7
CLOSED = {"type": "object", "additionalProperties": False}
TEXT = {"type": "string"}


def tool(schema: dict[str, Any]) -> dict[str, Any]:
    """Give a tool with one member of a schema."""
    properties = {"v": schema}
    return {
        "name": "t",
        "inputSchema": {"type": "object", "properties": properties, "required": ["v"]},
    }


def _hold(target: str, given_tool: dict[str, Any], rng: random.Random, count: int = 3) -> bool:
    """Try values of both schemas; tell whether the tool could be lowered."""
    own = compile_schema(given_tool["inputSchema"])
    lowered = lower([given_tool], target)
    if not lowered.tools or own.problem is not None:
        return own.problem is not None
    assert [] == stray_paths(given_tool, lowered)
    for value in values(readable(lowered.tools[0]["inputSchema"]), rng, count):
        assert [] == undeclared_wider(given_tool, lowered, value), value
    for value in values(given_tool["inputSchema"], rng, count):
        assert [] == undeclared_narrower(given_tool, lowered, value), value
    return True


@pytest.mark.parametrize("target", TARGETS)
def test_losses_of_generated_schemas_say_what_happens(target: str) -> None:
    """Unions beside keywords, patterns, text beside text, defaults, recursion."""
    lowered: list[bool] = []

    @settings(
        max_examples=SCHEMAS,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        make = generated.tool if seed % 4 == 0 else mixed.tool
        lowered.append(_hold(target, make(random.Random(seed)), random.Random(seed)))

    run()
    assert sum(lowered) >= len(lowered) * LEAST


@needs_corpus
@long_run
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_losses_of_real_tools_say_what_happens(target: str) -> None:
    """All of the corpus."""
    assert all(_hold(target, each, random.Random(1), 2) for each in tools())


KEY = {"properties": {"key": TEXT}}
BESIDE: list[tuple[dict[str, Any], Any]] = [
    ({"anyOf": [{"type": "boolean"}, {"type": "object"}], **KEY}, True),
    ({"anyOf": [{"type": "null"}, {"type": "object"}], **KEY}, None),
    ({"anyOf": [TEXT, {"type": "object"}], **KEY}, "x"),
    ({"anyOf": [{"enum": ["a", 1]}, {"type": "object"}], **KEY}, "a"),
    ({"anyOf": [{"type": "boolean"}, {"type": "object"}], "required": ["key"]}, True),
    ({"anyOf": [{"type": "boolean"}, {"type": "array"}], "items": TEXT}, True),
    ({"anyOf": [{"type": "boolean"}, {"minLength": 3}], **KEY}, True),
    ({"anyOf": [{"type": "integer"}, {"required": ["key"]}], **KEY}, 5),
    ({"type": ["boolean", "object"], **KEY}, True),
    ({"type": "array", "items": {"anyOf": [{"type": "boolean"}, KEY], **KEY}}, [True]),
    ({"anyOf": [{"type": ["boolean", "null"]}, CLOSED], **KEY, "minLength": 2}, None),
]


@pytest.mark.parametrize(("schema", "value"), BESIDE, ids=range(len(BESIDE)))
@pytest.mark.parametrize("target", TARGETS)
def test_n6_a_keyword_beside_a_union_drops_no_other_type(
    target: str, schema: dict[str, Any], value: Any
) -> None:
    """``properties`` says nothing about values that are no objects."""
    lowered = lower([tool(schema)], target)
    image = lowered.image("t", {"v": value})[1]

    assert compile_schema(readable(lowered.tools[0]["inputSchema"])).is_valid(image)
    assert {"v": value} == lowered.restore("t", image)[1]


def test_a_union_whose_alternatives_contradict_what_stands_beside_it_costs_no_tool() -> None:
    """No value is right there, and the member is optional."""
    schema = {"type": "object", "anyOf": [TEXT, {"type": "integer"}], "properties": {"a": TEXT}}
    given_tool = tool(schema)
    del given_tool["inputSchema"]["required"]

    for target in TARGETS:
        lowered = lower([given_tool], target)
        assert lowered.tools, target
        if compile_schema(lowered.tools[0]["inputSchema"]).is_valid({"v": {}}):
            assert [] == undeclared_wider(given_tool, lowered, {"v": {}}), target


PATTERN = {"patternProperties": {"^x-": TEXT}}


@pytest.mark.parametrize("target", TARGETS)
def test_members_that_only_a_pattern_names_are_a_narrower_loss(target: str) -> None:
    """Where the pattern goes and the object stays closed, they cannot be sent."""
    given_tool = tool({**CLOSED, "properties": {"a": TEXT}, **PATTERN})
    lowered = lower([given_tool], target)
    own = {"v": {"a": "b", "x-c": "d"}}
    image = lowered.image("t", own)[1]

    admits = compile_schema(readable(lowered.tools[0]["inputSchema"])).is_valid(image)
    assert admits != any(
        each.kind == "narrower" and each.path[:2] == ("properties", "v") for each in lowered.losses
    )


def test_a_loss_leads_to_a_place_of_the_schema_as_given() -> None:
    """Not to what a pass wrote, nor to a member that it added."""
    given_tool = tool({"allOf": [{"required": ["b"]}, {"$ref": "#/definitions/d"}]})
    given_tool["inputSchema"]["definitions"] = {"d": {"minProperties": 1, "properties": {"a": {}}}}

    for target in TARGETS:
        assert [] == stray_paths(given_tool, lower([given_tool], target)), target
