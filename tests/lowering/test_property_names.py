"""Renamed members: every keyword that names them agrees, or is given up."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract import compile_schema
from toolgauge.lowering import lower

TEXT = {"type": "string"}

BESIDE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"if": {"required": ["top"]}, "then": {"required": ["$filter"]}}, {"top": "1"}),
    ({"dependentRequired": {"$filter": ["$order"]}}, {"$filter": "a"}),
    ({"dependentSchemas": {"$filter": {"required": ["$order"]}}}, {"$filter": "a"}),
    ({"not": {"required": ["$order"]}}, {"$order": "a"}),
    ({"propertyNames": {"pattern": "^[$t]"}}, {"x": 1}),
    ({"patternProperties": {"^_": {"type": "integer"}}}, {"_x": "a"}),
    ({"patternProperties": {"^_": {"type": "integer"}}, "additionalProperties": False}, {"x": 1}),
]


@pytest.mark.parametrize(("beside", "bad"), BESIDE, ids=range(len(BESIDE)))
@pytest.mark.parametrize("target", ["anthropic", "bedrock-converse", "anthropic-strict"])
def test_what_names_members_follows_or_is_a_loss(
    target: str, beside: dict[str, Any], bad: dict[str, Any]
) -> None:
    """Calls that the tool takes are valid; what it refuses is still refused, or declared."""
    members = {"$filter": TEXT, "$order": TEXT, "top": TEXT}
    given = {"type": "object", "properties": members, **beside}
    lowered = lower([{"name": "t", "inputSchema": given}], target)
    compiled = compile_schema(lowered.tools[0]["inputSchema"])
    own = compile_schema(given)
    everything = {"$filter": "a", "$order": "b", "top": "c"}
    good = everything if own.is_valid(everything) else {"$filter": "a", "top": "c"}

    assert own.is_valid(good)
    assert not own.is_valid(bad)
    assert compiled.is_valid(lowered.image("t", good)[1])
    assert ("t", good) == lowered.restore(*lowered.image("t", good))
    if compiled.is_valid(lowered.image("t", bad)[1]):
        assert {each.path[0] for each in lowered.losses if each.kind == "wider"} & beside.keys()


def test_the_model_is_told_the_new_name_of_what_a_text_mentions() -> None:
    """The text of a joined union names members too."""
    branches = [{"required": ["$filter"]}, {"required": ["top"]}]
    given = {
        "type": "object",
        "properties": {"$filter": TEXT, "$order": TEXT, "top": TEXT},
        "anyOf": branches,
    }
    lowered = lower([{"name": "t", "inputSchema": given}], "anthropic")
    words = lowered.tools[0]["inputSchema"]["description"]

    assert "'$filter' is called '_filter'" in words
    assert "$order" not in words
