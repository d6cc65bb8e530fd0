"""A driver on Ray, in a process of its own: ``python -m tests.auditing.engines.on_ray CALLS OUT``.

On one cluster it kills a worker once and another one each time, maps ``audit_batch`` over
a Ray data set, and takes a node away in mid-run.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import ray
import ray.data
from ray.cluster_utils import Cluster

from tests.auditing.conftest import WEATHER
from tests.auditing.test_faults import UNIT_BYTES, killing
from tests.auditing.test_runs import job
from toolgauge.auditing import Contracts, UnitsFailed, audit, audit_batch, find_inputs, run_unit
from toolgauge.auditing.engines.ray import ray_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolgauge.auditing import Job, Report, WorkUnit
    from toolgauge.auditing.engines import Outcome, Work

MEMORY = 128 * 1024 * 1024
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": MEMORY}


def replaced(work: Callable[[WorkUnit], Report]) -> Callable[..., Iterator[Outcome]]:
    """Make the engine with other work in place of a run's own."""

    def map_units(_work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        return ray_engine()(work, units)

    return map_units


def run(calls: str, the_job: Job, work: Callable[[WorkUnit], Report]) -> dict[str, Any]:
    """Audit with other work; give the summary, or what failed."""
    inputs = find_inputs([calls])
    try:
        found = audit(inputs, the_job, engine=replaced(work), unit_bytes=UNIT_BYTES)
    except UnitsFailed as error:
        return {"failed": list(error.units)}
    return found.tally.to_json()


def killed(calls: str, out: Path) -> list[Any]:
    """A worker dies once; then one unit kills each worker; then the run is gone on with."""
    once, always = job(out / "once"), job(out / "always")
    return [
        run(calls, once, partial(killing, once, str(out / "flag"), 3)),
        run(calls, always, partial(killing, always, str(out / "always-flag-always"), 2)),
        run(calls, always, partial(run_unit, always)),
    ]


def wait_for(flag: Path) -> None:
    """Wait until a file is there."""
    for _ in range(12_000):
        if flag.exists():
            return
        time.sleep(0.01)
    raise TimeoutError(flag)


def halting(the_job: Job, node: str, begun: Path, unit: WorkUnit) -> Report:
    """On one node, tell that work has begun and wait for the node's end; others wait for that."""
    if ray.get_runtime_context().get_node_id() == node:
        begun.touch()
        while True:
            signal.pause()
    wait_for(begun)
    return run_unit(the_job, unit)


def node(calls: str, out: Path, cluster: Cluster, second: Any) -> dict[str, Any]:
    """Take the second node away while it works on a unit."""
    begun = out / "begun"

    def remove() -> None:
        wait_for(begun)
        cluster.remove_node(second, allow_graceful=False)

    remover = threading.Thread(target=remove)
    remover.start()
    the_job = job(out / "node")
    found = run(calls, the_job, partial(halting, the_job, second.node_id, begun))
    remover.join()
    return found


def batches(calls: str) -> dict[str, int]:
    """The example of docs/audit.md, over rows that are in Ray already."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [json.loads(line) for line in Path(calls).read_bytes().splitlines() if b'{"' in line]
    table = pa.table(
        {
            "tool": [each["tool"] for each in rows],
            "arguments": [json.dumps(each["arguments"]) for each in rows],
        }
    )
    contracts = ray.put(Contracts([WEATHER]))

    def check(batch: pa.Table) -> pa.Table:
        whole = batch.combine_chunks().to_batches()
        return pa.Table.from_batches([audit_batch(each, ray.get(contracts)) for each in whole])

    dataset = ray.data.from_arrow(table).map_batches(
        check, batch_format="pyarrow", batch_size=50, max_retries=3
    )
    counted: dict[str, int] = {}
    for row in dataset.iter_rows():
        counted[row["verdict"]] = counted.get(row["verdict"], 0) + 1
    return counted


if __name__ == "__main__":
    named, out = sys.argv[1], Path(sys.argv[2])
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    second = cluster.add_node(**NODE)
    ray.init(address=cluster.address, log_to_driver=False)
    answers = {
        "killed": killed(named, out),
        "batches": batches(named),
        "node": node(named, out, cluster, second),
    }
    (out / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    ray.shutdown()
    cluster.shutdown()  # type: ignore[no-untyped-call]
