"""However many kinds of failure there are, a bounded number of them is kept."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from tests.auditing.test_runs import run
from toolgauge.auditing import Contracts, Job, Judged, Row, RowReader, Tally, Verdict, tally
from toolgauge.contract import Issue

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNTS = {"name": "counts", "inputSchema": {"additionalProperties": {"type": "integer"}}}


@pytest.mark.parametrize("time", [None, "ts"], ids=["", "timed"])
@pytest.mark.parametrize("unit_bytes", [8_000, 1_000_000], ids=["units", "one unit"])
@pytest.mark.parametrize("writes", [False, True], ids=["", "written"])
def test_every_way_keeps_as_many_kinds(
    *,
    time: str | None,
    unit_bytes: int,
    writes: bool,
    write_lines: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Further ones are counted together, whether rows are only counted or written."""
    # More than kinds of which examples are kept: those are counted in another way.
    most = tally.MAX_KINDS_WITH_EXAMPLES + 20
    monkeypatch.setattr(tally, "MAX_KINDS", most)
    rows = [
        {"tool": "counts", "arguments": {f"k{number}": "x"}, "ts": 1}
        for number in [*range(most + 50), *range(most + 50)]
    ]
    the_job = Job(
        contracts=Contracts([COUNTS]),
        rows=RowReader(keys=("tool", "arguments")),
        time=time,
        output=str(tmp_path / "out") if writes else None,
    )
    kinds = run(write_lines(rows), the_job, unit_bytes=unit_bytes).tally.kinds

    assert most + 1 == len(kinds)
    assert len(rows) == sum(kinds.values())
    assert 2 * 50 == kinds[tally.OTHER, "invalid", "", ""]


def test_the_order_in_which_units_end_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the kinds and tools that are left, nor in their examples."""
    monkeypatch.setattr(tally, "MAX_KINDS", 3)
    units = [_counted(names) for names in ("adg", "beh", "cfi")]
    found: list[Any] = []
    for order in permutations(units):
        whole = Tally()
        for each in order:
            whole.merge(each)
        found.append(whole.to_json())

    assert [found[0]] * len(found) == found
    assert ["(other)", "a", "b", "c"] == list(found[0]["tools"])
    assert [6, 1, 1, 1] == [each["count"] for each in found[0]["kinds"]]


def _counted(names: str) -> Tally:
    counted = Tally()
    issue = Issue(message="is wrong", keyword="type")
    for line, name in enumerate(names):
        counted.add(Judged(Row(names, line), 0, name, Verdict.INVALID, (issue,), arguments={}))
    return counted
