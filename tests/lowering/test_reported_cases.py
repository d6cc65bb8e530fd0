"""Faults that people reported, by the id of the case, on each target that it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.lowering.corpus import readable
from toolgauge.changes import compare_schemas
from toolgauge.contract import compile_schema
from toolgauge.lowering import lower
from toolgauge.rules import targets

if TYPE_CHECKING:
    from toolgauge.lowering import Lowered

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "suites" / "reported_cases.json").read_text("utf-8")
)
WITH_PASSES = [name for name, target in targets().items() if target.passes]


def cases(*idents: str) -> pytest.MarkDecorator:
    """Parametrize by case and target; a case that names none is for all with passes."""
    return pytest.mark.parametrize(
        ("ident", "target"),
        [
            (ident, target)
            for ident in idents
            for target in CASES[ident]["input"]["target"] or WITH_PASSES
        ],
    )


def lowered_for(ident: str, target: str) -> Lowered:
    """Lower the tool of a case; it may not be refused."""
    lowered = lower(CASES[ident]["input"]["tools"], target)
    assert lowered.tools, lowered.refused
    return lowered


@cases("N1", "N2", "N3", "N4", "N5", "N6", "N8", "N10", "N11")
def test_the_tool_is_lowered_to_a_schema_that_is_one(ident: str, target: str) -> None:
    """No tool that is accepted as it is becomes a refused one."""
    lowered = lowered_for(ident, target)

    assert compile_schema(readable(lowered.tools[0]["inputSchema"])).problem is None


@cases("N1", "N6")
def test_the_call_can_be_sent_or_a_loss_says_that_it_cannot(ident: str, target: str) -> None:
    """A keyword beside a reference or a union takes nothing away unsaid."""
    lowered = lowered_for(ident, target)
    call = CASES[ident]["input"]["call"]
    name = lowered.tools[0]["name"]
    schema = compile_schema(readable(lowered.tools[0]["inputSchema"]))

    assert schema.is_valid(call) or "narrower" in {loss.kind for loss in lowered.losses}
    assert call == lowered.restore(name, call)[1]


@cases("N5", "N8")
def test_the_call_is_restored(ident: str, target: str) -> None:
    """Whatever spells the recursion, and whatever stands beside the members."""
    lowered = lowered_for(ident, target)
    _, restored = lowered.restore(lowered.tools[0]["name"], CASES[ident]["input"]["call"])

    assert CASES[ident]["expected"]["restored"] == restored


@cases("N2")
def test_both_sides_of_a_reference_hold(ident: str, target: str) -> None:
    """What the referent requires, and what stands beside the reference."""
    lowered = lowered_for(ident, target)
    place = lowered.tools[0]["inputSchema"]["properties"]["to"]
    call = {"to": {"x": 1, "y": 2}}

    assert {"x", "y"} == set(place["required"])
    assert call == lowered.restore("move", call)[1]


@cases("N11")
def test_a_mapping_leads_to_what_is_there(ident: str, target: str) -> None:
    """Its references are rewritten with the others, or it goes."""
    schema = lowered_for(ident, target).tools[0]["inputSchema"]

    assert "#/definitions/" not in json.dumps(schema)


@pytest.mark.parametrize(
    ("ident", "verdict", "place"),
    [("N17", "breaking", "/properties/mode"), ("N20", "compatible", "/properties/t/items")],
)
def test_two_versions_are_judged_at_the_place_that_differs(
    ident: str, verdict: str, place: str
) -> None:
    """A new definition is named where it is used, and a new spelling breaks nobody."""
    versions = CASES[ident]["input"]
    found = compare_schemas(versions["old"], versions["new"])

    assert verdict == found.verdict
    assert place in [change.pointer for change in found.changes]
