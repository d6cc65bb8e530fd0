"""Where units run: in this process, in processes of this machine, or on a cluster.

An engine is one function: ``map_units(work, units)`` yields each unit with its report
or its error, in any order. Nothing else of an audit knows where it runs. A package
adds one by an entry point of the group ``toolgauge.engines``, whose name is the
engine's and whose value a ``MakeEngine``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from toolgauge.auditing.errors import AuditError
from toolgauge.auditing.job import Report
from toolgauge.auditing.units import WorkUnit

Work: TypeAlias = Callable[[WorkUnit], Report | AuditError]
"""Runs one unit; returns its report, or the error that stopped it. Crosses processes."""

Outcome: TypeAlias = tuple[WorkUnit, Report | Exception]
"""A unit, and its report or what stopped it."""

MapUnits: TypeAlias = Callable[[Work, Iterable[WorkUnit]], Iterator[Outcome]]
"""An engine. Units are cut while it asks for them: an engine that takes a few at a time
begins before the input is read through."""

MakeEngine: TypeAlias = Callable[[str | None, int | None], MapUnits]
"""A cluster's address, ``None`` for a local one, and the number of workers, ``None`` for
one per core, to its engine."""

GROUP = "toolgauge.engines"

TRIES = 3
"""How often a unit is tried whose worker died."""

AHEAD = 2
"""Units that wait for each worker, so that none is idle between two."""


def clusters() -> dict[str, EntryPoint]:
    """Return the ``MakeEngine`` of every cluster by its name, sorted and not imported yet."""
    ray = EntryPoint("ray", f"{__name__}.ray:ray_engine", GROUP)
    found = {each.name: each for each in (*entry_points(group=GROUP), ray)}
    return dict(sorted(found.items()))
