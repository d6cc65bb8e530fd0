"""This machine: in this process, or in worker processes of the standard library."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.auditing.engines import AHEAD, TRIES, MapUnits, Outcome, Work
from toolgauge.auditing.errors import NoWorkers, WorkerLost

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection

    from toolgauge.auditing.errors import AuditError
    from toolgauge.auditing.job import Report
    from toolgauge.auditing.units import WorkUnit


def local_engine(workers: int | None = None) -> MapUnits:
    """Make the engine of this machine.

    Args:
        workers: Processes; 1 works in this process, ``None`` means one per core where
            there is enough to do that starting them pays.
    """

    def map_units(work: Work, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        left = iter(units)
        most = workers or available_cores()
        head = list(_first(left, most, 0 if workers else _SMALL_BYTES))
        is_small = not workers and sum(unit.weight for unit in head) < _SMALL_BYTES
        number = 1 if is_small else min(most, len(head))
        every = chain(head, left)
        if number == 1:
            return ((unit, work(unit)) for unit in every)
        return _Pool(work, number).run(every)

    return map_units


def _first(units: Iterator[WorkUnit], number: int, weight: int) -> Iterator[WorkUnit]:
    """Give the first units: at least so many, and of so many bytes, where there are."""
    for unit in units:
        yield unit
        number, weight = number - 1, weight - unit.weight
        if number <= 0 and weight <= 0:
            return


_SMALL_BYTES = 24 * 1024 * 1024
"""One process reads this in less time than others take to start."""


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Worker:
    """Runs units in a worker process. The work is sent once, since it may hold many tools."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._turn = threading.Lock()
        self._is_busy = False
        self._is_stopped = False

    def run(self, unit: WorkUnit) -> Report | AuditError:
        with self._turn:
            if self._is_stopped:
                os._exit(1)
            self._is_busy = True
        try:
            return self._work(unit)
        finally:
            with self._turn:
                self._is_busy = False

    def end_with(self, parent: int, stopped: Connection) -> None:
        """End when the parent is gone, or says so: in the middle of a unit.

        Not while a report is on its way: whoever reads it would wait for the rest.
        """
        if parent not in connection.wait([parent, stopped]):
            with self._turn:
                self._is_stopped = True
                if self._is_busy:
                    os._exit(1)
            connection.wait([parent])
        os._exit(1)


_WORKER: _Worker | None = None


def _begin_worker(work: Work, stopped: Connection) -> None:
    """Leave Ctrl-C to the parent, and end when it says so or is gone, however it ended."""
    global _WORKER  # noqa: PLW0603 - a worker process has one work
    _WORKER = _Worker(work)
    # A collector that looked through all that a copy began with would copy it in fact.
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A copy of the parent has its handler, which would tell the user that all has ended.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        signs = (parent.sentinel, stopped)
        threading.Thread(target=_WORKER.end_with, args=signs, daemon=True).start()


def _run(unit: WorkUnit) -> Report | AuditError:
    if _WORKER is None:
        msg = "this is no worker process"
        raise RuntimeError(msg)
    return _WORKER.run(unit)


def _has_one_thread() -> bool:
    """Tell whether this process may be copied: a copy of one with more threads may hang.

    A copy starts in a hundredth of the time of a fresh process, with all modules loaded.
    Only Linux says how many threads there are, those of libraries too.
    """
    return sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1


class _Pool:
    """Keeps worker processes busy, and opens the pool again when one dies.

    Which worker died is not known, so every unit that was under way is a suspect:
    suspects run one at a time, so that the one which kills its worker is found and
    the others are done.
    """

    def __init__(self, work: Work, workers: int) -> None:
        self._work = work
        self._workers = workers
        # Nobody takes what is sent, so that each worker finds it, also one that begins late.
        self._stopped, self._stop = multiprocessing.Pipe(duplex=False)
        self._pool = self._open()
        self._running: dict[Future[Report | AuditError], WorkUnit] = {}
        self._suspects: deque[tuple[WorkUnit, int]] = deque()

    def _open(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("fork" if _has_one_thread() else "spawn")
        return ProcessPoolExecutor(
            self._workers,
            mp_context=context,
            initializer=_begin_worker,
            initargs=(self._work, self._stopped),
        )

    def run(self, units: Iterable[WorkUnit]) -> Iterator[Outcome]:
        waiting = iter(units)
        try:
            while True:
                if self._suspects:
                    yield from self._alone(*self._suspects.popleft())
                elif not self._fill(waiting):
                    self._reopen()
                elif self._running:
                    yield from self._done()
                else:
                    return
        except BaseException:
            # What is under way would only be thrown away at its end.
            self._stop.send_bytes(b"stop")
            raise
        finally:
            # Nothing is cancelled: up to Python 3.12 a broken pool complains of that aloud.
            self._pool.shutdown(wait=True)
            self._stop.close()
            self._stopped.close()

    def _fill(self, waiting: Iterator[WorkUnit]) -> bool:
        """Give the workers something to do; false where the pool turns out to be broken."""
        for unit in islice(waiting, self._workers * AHEAD - len(self._running)):
            try:
                self._running[self._pool.submit(_run, unit)] = unit
            except BrokenProcessPool:
                self._suspects.append((unit, 0))
                return False
        return True

    def _done(self) -> Iterator[Outcome]:
        """Wait until something ends."""
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            try:
                outcome = future.result()
            except BrokenProcessPool:
                self._reopen()
                return
            yield self._running.pop(future), outcome

    def _reopen(self) -> None:
        """Begin with a new pool; what was under way and has no result is suspect."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        lost = sorted(self._running.values(), key=lambda unit: unit.number)
        self._suspects.extend((unit, 1) for unit in lost)
        self._running.clear()
        self._pool = self._open_sound()

    def _open_sound(self) -> ProcessPoolExecutor:
        """Open a pool whose workers start.

        Raises:
            NoWorkers: If they do not, however often it is tried.
        """
        for _ in range(TRIES):
            pool = self._open()
            try:
                pool.submit(os.getpid).result()
            except BrokenProcessPool:
                pool.shutdown(wait=True, cancel_futures=True)
            else:
                return pool
        raise NoWorkers(TRIES)

    def _alone(self, unit: WorkUnit, tries: int) -> Iterator[Outcome]:
        """Run one suspect with nothing beside it."""
        try:
            outcome = self._pool.submit(_run, unit).result()
        except BrokenProcessPool:
            self._reopen()
            if tries + 1 < TRIES:
                self._suspects.appendleft((unit, tries + 1))
                return
            outcome = WorkerLost(unit.title, TRIES)
        yield unit, outcome
