"""A driver on Dask, in a process of its own: ``python -m tests.audit.engines.on_dask CALLS OUT``.

A worker dies once; then one unit kills each worker; then the run is gone on with.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.audit.test_faults import UNIT_BYTES, killing
from tests.audit.test_runs import job
from toolgauge.audit import UnitsFailed, audit, find_inputs, run_unit
from toolgauge.audit.engines.dask import dask_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolgauge.audit import Job, Report, WorkUnit
    from toolgauge.audit.engines import Outcome, Work


def run(calls: str, the_job: Job, work: Callable[[WorkUnit], Report]) -> dict[str, Any]:
    """Audit with other work; give the summary, or what failed."""

    def map_units(_work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        return dask_engine(workers=2)(work, units)

    try:
        found = audit(find_inputs([calls]), the_job, engine=map_units, unit_bytes=UNIT_BYTES)
    except UnitsFailed as error:
        return {"failed": list(error.units)}
    return found.tally.to_json()


if __name__ == "__main__":
    named, out = sys.argv[1], Path(sys.argv[2])
    once, always = job(out / "once"), job(out / "always")
    answers = [
        run(named, once, partial(killing, once, str(out / "flag"), 3)),
        run(named, always, partial(killing, always, str(out / "always-flag-always"), 2)),
        run(named, always, partial(run_unit, always)),
    ]
    (out / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
