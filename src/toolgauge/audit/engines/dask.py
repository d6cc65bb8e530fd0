"""A Dask cluster, or local worker processes that are started for the run.

Workers import ``toolgauge``, so it is installed on each of them; files and the output
folder are where every worker reaches them.
"""

from __future__ import annotations

import logging
import pickle
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import dask
import distributed

from toolgauge.audit.engines import TRIES, MapUnits, Outcome, Work
from toolgauge.audit.errors import AuditError, EngineUnavailable, WorkerLost

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.audit.job import Report
    from toolgauge.audit.units import WorkUnit

_AHEAD = 2
"""Units that wait for each thread of a worker, so that none is idle between two."""

_CONNECT_TIMEOUT_S = 30


def dask_engine(address: str | None = None, workers: int | None = None) -> MapUnits:
    """Make the engine of a Dask cluster.

    Args:
        address: Its scheduler: ``"tcp://10.0.0.1:8786"``. A local one is started
            where there is none.
        workers: Processes of a local one; one for each core by default.
    """

    def map_units(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        with _connected(address, workers) as client:
            yield from _run(client, work, units)

    return map_units


@contextmanager
def _connected(address: str | None, workers: int | None) -> Iterator[Any]:
    """Connect to a cluster, or start one that ends with the run.

    Raises:
        EngineUnavailable: If there is no scheduler at the address.
    """
    options: dict[str, Any] = {"address": address, "timeout": _CONNECT_TIMEOUT_S}
    if address is None:
        options = {
            "n_workers": workers,
            "threads_per_worker": 1,
            # Its own port: with the usual one, a second run beside this one complains.
            "dashboard_address": "127.0.0.1:0",
            "silence_logs": logging.CRITICAL,
        }
    # How many workers a unit may take with it, on a scheduler that we start.
    with dask.config.set({"distributed.scheduler.allowed-failures": TRIES - 1}), _quiet():
        try:
            client: Any = distributed.Client(**options)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, RuntimeError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
            raise EngineUnavailable("dask", address or "local", reason) from None
        with client:
            yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the comings and goings of workers from the log."""
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def _run(client: Any, work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
    """Keep as many tasks under way as there is room for."""
    # A task of its own: it is done again on another worker when one is lost.
    shared = client.submit(pickle.loads, pickle.dumps(work), pure=False)
    waiting = deque(units)
    running: dict[Any, WorkUnit] = {}
    suspects: list[WorkUnit] = []
    finished: Any = distributed.as_completed()  # type: ignore[no-untyped-call]
    while waiting or running:
        most = _AHEAD * max(1, sum(client.nthreads().values()))
        while waiting and len(running) < most:
            unit = waiting.popleft()
            future = client.submit(_run_unit, shared, unit, pure=False)
            running[future] = unit
            finished.add(future)
        future = next(finished)
        unit = running.pop(future)
        outcome = _outcome(future)
        if outcome is None:
            suspects.append(unit)
        else:
            yield unit, outcome
    # Dask blames every unit that its dead worker held: with nothing beside it, the
    # one that kills workers is known.
    for unit in suspects:
        outcome = _outcome(client.submit(_run_unit, shared, unit, pure=False))
        yield unit, outcome or WorkerLost(unit.title, TRIES)


def _outcome(future: Any) -> Report | Exception | None:
    """Wait for a unit; ``None`` where its worker died each time."""
    try:
        found: Report | AuditError = future.result()
    except distributed.KilledWorker:
        return None
    return found


def _run_unit(work: Work, unit: WorkUnit) -> Report | AuditError:
    """Run one unit in a worker. An error of ours is a result: it crosses as it is."""
    try:
        return work(unit)
    except AuditError as error:
        return error
