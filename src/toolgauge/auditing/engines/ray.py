"""A Ray cluster, or a local one that is started for the run: one task for each unit.

Plain tasks, because Ray repeats them exactly when a worker or a node dies. Workers
import ``toolgauge``, so it is installed on every node; files and the output folder
are where every node reaches them.

Set ``RAY_AUTH_MODE`` alike on all nodes and here. A cluster that we started ends with
the run; one that was there before stays as it was.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ray
import ray.exceptions

from toolgauge.auditing.engines import AHEAD, TRIES, MapUnits, Outcome, Work
from toolgauge.auditing.errors import EngineUnavailable, WorkerLost

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.auditing.errors import AuditError
    from toolgauge.auditing.job import Report
    from toolgauge.auditing.units import WorkUnit


def ray_engine(address: str | None = None, workers: int | None = None) -> MapUnits:
    """Make the engine of a Ray cluster.

    Args:
        address: The cluster: ``"auto"``, or ``"10.0.0.1:6379"``. A local one is
            started where there is none.
        workers: Cores of a local one; all by default.
    """

    def map_units(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        with _connected(address, workers):
            yield from _run(work, units)

    return map_units


@contextmanager
def _connected(address: str | None, workers: int | None) -> Iterator[None]:
    """Use the cluster that this process has already, or connect for a while.

    Raises:
        EngineUnavailable: If there is no cluster at the address.
    """
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"address": address}
    if address is None:
        # What is recorded of calls is nobody's business: no statistics are sent.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        options = {"address": "local", "num_cpus": workers, "include_dashboard": False}
    try:
        _reach(address)
        with _handler_kept():
            ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise EngineUnavailable("ray", address or "local", _first_line(error)) from None
    try:
        yield
    finally:
        ray.shutdown()


_HOST_AND_PORT = re.compile(r"([\w.-]+|\[[\da-fA-F:]+\]):(\d+)")
_CONNECT_TIMEOUT_S = 10


def _reach(address: str | None) -> None:
    """Find out early whether anything listens: Ray itself asks for many minutes.

    Raises:
        OSError: If nothing does.
    """
    found = _HOST_AND_PORT.fullmatch(address or "")
    if found is not None:
        host, port = found[1].strip("[]"), int(found[2])
        socket.create_connection((host, port), _CONNECT_TIMEOUT_S).close()


@contextmanager
def _handler_kept() -> Iterator[None]:
    """Ray puts its own handler of SIGTERM in place; ours says how to go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _run(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
    """Keep as many tasks under way as there is room for."""
    task = ray.remote(_run_unit).options(num_cpus=1, max_retries=TRIES - 1)
    # In a list, or each task would unpack it anew.
    shared = [ray.put(work)]
    waiting = deque(units)
    running: dict[Any, WorkUnit] = {}
    while waiting or running:
        most = AHEAD * max(1, _cores())
        while waiting and len(running) < most:
            unit = waiting.popleft()
            running[task.remote(shared, unit)] = unit
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            unit = running.pop(reference)
            yield unit, _outcome(reference, unit)


def _cores() -> int:
    """Count the cores that the cluster has just now."""
    found: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return int(found.get("CPU", 1))


def _outcome(reference: Any, unit: WorkUnit) -> Report | Exception:
    try:
        found: Report | AuditError = ray.get(reference)
    except ray.exceptions.RayTaskError:
        raise  # work that is not ours, with a fault of its own
    except ray.exceptions.RayError:
        return WorkerLost(unit.title, TRIES)
    return found


_KNOWN: dict[str, Work] = {}
"""The work that this worker process has unpacked, with what it has compiled since."""


def _run_unit(shared: list[Any], unit: WorkUnit) -> Report | AuditError:
    """Run one unit in a worker."""
    key = shared[0].hex()
    work = _KNOWN.get(key)
    if work is None:
        _KNOWN.clear()
        work = _KNOWN[key] = ray.get(shared[0])
    return work(unit)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
