"""The answers of the Berkeley Function-Calling Leaderboard, held against its own tools."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.auditing.fetched import bfcl_folder
from toolgauge.auditing import (
    Audit,
    Contracts,
    Job,
    PartFormat,
    RowReader,
    RowTools,
    audit,
    find_inputs,
    tools_by_id,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Audit, list[dict[str, Any]]]:
    """Audit all answers; give the numbers, and the record of each failure."""
    from toolgauge.contract import parse_json

    folder, output = bfcl_folder(), tmp_path_factory.mktemp("bfcl") / "out"
    held = tools_by_id(find_inputs([str(folder)]), "function")
    job = Job(
        contracts=Contracts(),
        rows=RowReader(dialect="bfcl"),
        row_tools=RowTools("function", "bfcl", held),
        output=str(output),
        part_format=PartFormat.JSONL,
    )
    done = audit(find_inputs([str(folder / "possible_answer")]), job)
    records = [
        parse_json(line)
        for report in done.reports
        for line in (output / str(report.part)).read_bytes().splitlines()
    ]
    return done, records


def test_the_figures_are_those_of_the_guide(found: tuple[Audit, list[dict[str, Any]]]) -> None:
    """Rows, calls, verdicts, and what was made of the types."""
    tally = found[0].tally

    assert (3_556, 3_302, 45) == (tally.rows, tally.calls, tally.failures)
    assert {"valid": 3_257, "invalid": 44, "broken_contract": 1, "no_call": 1_055} == dict(
        tally.verdicts
    )
    assert tally.mappings["type 'dict' read as 'object'"] > 6_000
    assert not [each for each in tally.mappings if "not known" in each]


def test_each_failure_is_of_a_kind_that_the_guide_explains(
    found: tuple[Audit, list[dict[str, Any]]],
) -> None:
    """By data set and keywords; the guide tells what is behind each."""
    kinds = Counter(
        (
            each["file"].rpartition("BFCL_v4_")[2].removesuffix(".json"),
            "+".join(sorted({error["keyword"] for error in each["errors"]})),
        )
        for each in found[1]
    )

    assert {
        ("live_multiple", "enum"): 7,
        ("live_multiple", "enum+type"): 6,
        ("live_multiple", "required"): 4,
        ("live_multiple", "type"): 2,
        ("live_parallel_multiple", "enum"): 1,
        ("live_simple", "enum"): 1,
        ("live_simple", "required"): 2,
        ("parallel_multiple", "type"): 2,
        ("simple_java", "type"): 10,
        ("simple_javascript", "schema"): 1,
        ("simple_javascript", "type"): 8,
        ("simple_python", "required"): 1,
    } == kinds
