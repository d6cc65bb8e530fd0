"""Where units run: here, in processes of this machine, or on a cluster.

An engine is one function: ``map_units(work, units)`` gives each unit with its report
or its error, in any order. Nothing else of an audit knows where it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from toolgauge.audit.job import Report
from toolgauge.audit.units import WorkUnit

Work: TypeAlias = Callable[[WorkUnit], Report]
"""Runs one unit. Crosses processes."""

Outcome: TypeAlias = tuple[WorkUnit, Report | Exception]
"""A unit, and its report or what stopped it."""

MapUnits: TypeAlias = Callable[[Work, Iterable[WorkUnit]], Iterator[Outcome]]
"""An engine. Units are cut while it asks for them: whoever takes a few at a time begins
before the input is read through."""

TRIES = 3
"""How often a unit is tried whose worker died."""
