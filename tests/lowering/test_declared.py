"""Each value that goes one way only is covered by a declared loss, of its kind, at its place."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from toolgauge.contract import Path

_BY_PASSES = {str(each.passes): name for name, each in targets().items() if each.passes}
TARGETS = sorted(_BY_PASSES.values())
"""One of those that have the same passes."""

SCHEMAS = 5_000 if IS_LONG else 10
LEAST = 0.98 if IS_LONG else 0.9
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


CLOSED_TUPLES: list[dict[str, Any]] = [
    {"type": "array", "prefixItems": [TEXT, TEXT], "items": False},
    {"type": "array", "prefixItems": [TEXT, TEXT], "items": False, "minItems": 2, "maxItems": 5},
    {"type": ["array", "null"], "prefixItems": [TEXT, TEXT], "items": False, "maxItems": 1},
    {"type": "array", "prefixItems": [TEXT, TEXT], "additionalItems": {}, "items": False},
    {"type": "array", "items": [TEXT, TEXT], "additionalItems": False},
    {"anyOf": [{"prefixItems": [TEXT], "items": False}, TEXT]},
]


@pytest.mark.parametrize("schema", CLOSED_TUPLES, ids=range(len(CLOSED_TUPLES)))
@pytest.mark.parametrize("target", TARGETS)
def test_a_tuple_that_ends_is_lowered_for_every_target(target: str, schema: dict[str, Any]) -> None:
    """Also where no boolean may stand below ``items``: then its length is told."""
    rng = random.Random(1)
    assert _hold(target, tool(schema), rng)
    again = lower(lower([tool(schema)], target).tools, target)
    assert lower([tool(schema)], target).tools == again.tools


def test_a_closed_tuple_loses_nothing_where_it_becomes_a_length() -> None:
    """Moonshot takes positions, and no boolean below ``items``."""
    for schema in CLOSED_TUPLES[:4]:
        lowered = lower([tool(schema)], "moonshot")
        assert () == lowered.losses
        made = compile_schema(lowered.tools[0]["inputSchema"])
        own = compile_schema(tool(schema)["inputSchema"])
        for length in range(4):
            value = {"v": ["x"] * length}
            assert own.is_valid(value) == made.is_valid(value)


LED: list[tuple[dict[str, Any], Path]] = [
    ({"$ref": "#/$defs/a"}, ("$defs", "a", "minLength")),
    ({"$ref": "#/$defs/chain"}, ("$defs", "a", "minLength")),
    ({"$ref": "#named"}, ("$defs", "b", "minimum")),
    ({"$ref": "#/$defs/list"}, ("$defs", "list", "items", "minLength")),
    ({"$ref": "#/$defs/a", "minLength": 5}, ("properties", "v", "minLength")),
]


@pytest.mark.parametrize(("schema", "path"), LED, ids=range(len(LED)))
def test_a_loss_of_what_a_reference_brought_is_told_where_it_is_written(
    schema: dict[str, Any], path: Path
) -> None:
    """Not at the reference, which has no such keyword."""
    given_tool = tool(schema)
    given_tool["inputSchema"]["$defs"] = {
        "a": {"type": "string", "minLength": 3},
        "b": {"$anchor": "named", "type": "integer", "minimum": 3},
        "chain": {"$ref": "#/$defs/a"},
        "list": {"type": "array", "items": {"type": "string", "minLength": 3}},
    }

    lowered = lower([given_tool], "tools-json-strict")

    assert path in [each.path for each in lowered.losses]
    assert [] == stray_paths(given_tool, lowered)


@pytest.mark.parametrize("make", [generated.tool, mixed.tool])
def test_losses_below_a_reference_cover_what_is_below_it(make: Any) -> None:
    """A type that only a referent has may be lost."""
    assert _hold("tools-json-strict", make(random.Random(5024)), random.Random(5024))
