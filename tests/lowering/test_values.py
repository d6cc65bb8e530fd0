"""Values that look alike, and what may be sent at all."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import compile_schema
from toolgauge.lowering import InvalidMap, lower, passes, restorer_from_map
from toolgauge.rules import targets

TARGETS = [name for name, target in targets().items() if target.passes]

ALIKE: list[tuple[dict[str, Any], list[Any]]] = [
    ({"v": {"type": "array", "prefixItems": [{"const": 1}, {"const": True}]}}, [[1, True]]),
    ({"v": {"enum": [1, "1"]}}, [1, "1"]),
    ({"v": {"enum": ["1", 1, "1_"]}}, [1, "1", "1_"]),
    ({"v": {"anyOf": [{"const": "true"}, {"const": True}, {"const": None}]}}, [True, "true", None]),
    ({"v": {"allOf": [{"enum": [[0], [1], 2]}, {"enum": [[False], [1], 2]}]}}, [[1], 2]),
]


@pytest.mark.parametrize(("properties", "values"), ALIKE, ids=range(len(ALIKE)))
@pytest.mark.parametrize("target", TARGETS)
def test_values_that_look_alike_stay_apart(
    target: str, properties: dict[str, Any], values: list[Any]
) -> None:
    """``1`` is neither ``true`` nor ``"1"``, on the way there and back."""
    schema = {"type": "object", "properties": properties, "required": ["v"]}
    lowered = lower([{"name": "t", "inputSchema": schema}], target)
    compiled = compile_schema(lowered.tools[0]["inputSchema"])

    for each in values:
        name, image = lowered.image("t", {"v": each})
        assert compiled.is_valid(image) or "nullable" in str(lowered.tools), image
        assert repr({"v": each}) == repr(lowered.restore(name, image)[1])


@pytest.mark.parametrize("target", TARGETS)
def test_alternatives_at_the_root_that_look_alike_stay_apart(target: str) -> None:
    """``[0, 1]`` and ``[false, true]`` are equal to Python alone."""
    listed: list[list[Any]] = [[0, 1], [False, True]]
    branches = [{"properties": {"f": {"enum": each}}} for each in listed]
    schema = {"type": "object", "anyOf": branches, "required": ["f"]}
    lowered = lower([{"name": "t", "inputSchema": schema}], target)
    compiled = compile_schema(lowered.tools[0]["inputSchema"])

    for each in (1, True):
        name, image = lowered.image("t", {"f": each})
        assert compiled.is_valid(image), image
        assert repr({"f": each}) == repr(lowered.restore(name, image)[1])


PATTERNED = {"type": "object", "patternProperties": {"^x-": {"type": "string"}}}
OPEN: list[tuple[dict[str, Any], bool]] = [
    (PATTERNED, True),
    ({**PATTERNED, "additionalProperties": True}, True),
    ({**PATTERNED, "additionalProperties": False}, False),
    ({"type": "object", "patternProperties": {".*": {"type": "string"}}}, False),
    ({"type": "object", "additionalProperties": {"type": "string"}}, False),
]


@pytest.mark.parametrize(("schema", "is_open"), OPEN, ids=range(len(OPEN)))
@pytest.mark.parametrize("target", ["gemini-parameters", "openai-strict", "anthropic-strict"])
def test_keys_that_no_pattern_names_are_a_loss(
    target: str, schema: dict[str, Any], is_open: bool
) -> None:
    """They take any value, and a list of pairs has one type for all."""
    given = {"type": "object", "properties": {"m": schema}, "required": ["m"]}
    lowered = lower([{"name": "t", "inputSchema": given}], target)

    assert is_open == any(each.kind == "narrower" for each in lowered.losses if each.path[:1])


MARKING = [name for name, each in passes().items() if each.marks]


@pytest.mark.parametrize("mark", [{}, 5, None, [], {"shape": 1, "texts": [], "renamed": "x"}])
@pytest.mark.parametrize("name", MARKING)
def test_a_damaged_map_is_no_map(name: str, mark: object) -> None:
    """It is told when it is read, not by the first call."""
    step = {"pass": name, "schema": {"type": "object"}, "marks": {"": mark}}
    document = {"version": 1, "target": "x", "tools": {"a": {"name": "a", "steps": [step]}}}

    with pytest.raises(InvalidMap):
        restorer_from_map(document)


def test_every_pass_says_what_its_marks_hold() -> None:
    """All but those that read JSON text, whose marks hold nothing that is read."""
    restoring = {name for name, each in passes().items() if each.restore is not None}

    assert {"any-values", "cut-recursion", "depth"} == restoring - set(MARKING)
