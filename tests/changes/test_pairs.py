from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolgauge.changes import compare_schemas
from toolgauge.contract import compile_schema

SUITE = Path(__file__).parents[1] / "suites" / "compare_pairs.json"
PAIRS: list[dict[str, Any]] = json.loads(SUITE.read_text())


@pytest.mark.parametrize("pair", PAIRS, ids=[each["name"] for each in PAIRS])
def test_a_pair_with_a_known_answer_gets_it(pair: dict[str, Any]) -> None:
    """Never a wrong ``compatible``, and a witness that the engine confirms for each break."""
    formats = pair.get("formats", False)
    changes = compare_schemas(
        pair["old"], pair["new"], direction=pair["direction"], formats=formats
    )

    assert changes.verdict in pair["expect"].split("-or-")
    asked, given = pair["old"], pair["new"]
    if pair["direction"] == "output":
        asked, given = given, asked
    for change in changes.changes:
        assert (change.severity == "breaking") <= change.has_witness
        if change.severity == "breaking":
            assert compile_schema(asked, formats=formats).is_valid(change.witness)
            assert not compile_schema(given, formats=formats).is_valid(change.witness)


def test_the_suite_is_large_and_its_names_differ() -> None:
    """Each keyword both ways, unions, references, recursion, formats, output."""
    assert len(PAIRS) >= 80
    assert len(PAIRS) == len({each["name"] for each in PAIRS})


@pytest.mark.parametrize("pair", PAIRS, ids=[each["name"] for each in PAIRS])
def test_a_schema_compared_with_itself_is_unchanged(pair: dict[str, Any]) -> None:
    """Broken ones too: nothing happened."""
    copy = json.loads(json.dumps(pair["old"]))

    assert "unchanged" == compare_schemas(pair["old"], copy).verdict
