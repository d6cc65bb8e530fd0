"""A tool that was checked in part is accepted by nobody."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.contract.extent import is_larger_than
from toolgauge.lowering import lower
from toolgauge.rules import check, targets

GOOD = {"name": "good", "description": "Good.", "inputSchema": {"type": "object", "properties": {}}}


def _cyclic() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    return schema


def _shared() -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(50):
        value = {"a": value, "b": value}
    return {"type": "object", "properties": {"a": {"default": value}}}


def _many() -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(10_001)}}


def _shared_text() -> dict[str, Any]:
    text = "x" * 1_000_000
    return {"type": "object", "properties": {f"p{i}": {"description": text} for i in range(100)}}


@pytest.mark.parametrize("schema", [_cyclic(), _shared(), _many(), _shared_text()])
def test_every_target_refuses_it_and_judges_the_others(schema: dict[str, Any]) -> None:
    """Also those that do not apply the rule themselves."""
    report = check([{"name": "bad", "description": "Bad.", "inputSchema": schema}, GOOD])

    assert all(each.refused >= 1 for each in report.verdicts)
    found = [each for each in report.findings if each.tool == "bad" and each.rule == "TG325"]
    assert set(targets()) == {each.target for each in found if each.severity == "error"}
    assert len(found) == len(targets())
    assert not any(each.tool == "good" and each.rule == "TG325" for each in report.findings)


@pytest.mark.parametrize("schema", [_cyclic(), _shared(), _many(), _shared_text()])
def test_it_is_not_lowered_either(schema: dict[str, Any]) -> None:
    """And the reason names the bound."""
    lowered = lower([{"name": "bad", "inputSchema": schema}, GOOD], "openai-strict")

    assert ["good"] == [each["name"] for each in lowered.tools]
    (refusal,) = lowered.refused
    assert refusal.tool in {"bad", "#0"}
    assert "more than" in refusal.reason


def test_a_part_counts_at_each_place_that_holds_it() -> None:
    """What is not shared is as large as it looks."""
    part = ["x" * 1_000]

    assert not is_larger_than([part], 2_000)
    assert is_larger_than([part, part], 2_000)
    assert is_larger_than({"a": [10**10_000]}, 2_000)
    assert not is_larger_than({1: (True, None, 1.5)}, 2_000)
