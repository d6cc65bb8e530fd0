"""One audit, from its input to its summary."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING, Any

from toolgauge.auditing.engines.local import local_engine
from toolgauge.auditing.errors import UnitsFailed
from toolgauge.auditing.inputs import change_in
from toolgauge.auditing.job import Job, Report, UnitWork
from toolgauge.auditing.records import PartFormat
from toolgauge.auditing.report import to_html
from toolgauge.auditing.rows import require_columns
from toolgauge.auditing.runs import Run
from toolgauge.auditing.store import Store
from toolgauge.auditing.tally import Tally
from toolgauge.auditing.units import bytes_of_unit, iter_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolgauge.auditing.engines import MapUnits
    from toolgauge.auditing.inputs import Input
    from toolgauge.auditing.units import WorkUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What a finished audit found.

    Attributes:
        tally: The numbers, and examples.
        reports: What became of each unit, in order; of its numbers only the rows.
        output: The folder of the records, ``None`` where none were written.
        inputs: The names of the files that were read.
    """

    tally: Tally
    reports: tuple[Report, ...]
    output: str | None = None
    inputs: tuple[str, ...] = ()

    def to_html(self) -> bytes:
        """Give the report as one page that opens from disk."""
        return to_html(self.tally.to_bytes(), self.inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is: after planning, and after each unit."""

    done_weight: int
    weight: int
    rows: int


def audit(  # noqa: PLR0913 - everything that a run may be told
    inputs: Sequence[Input],
    job: Job,
    *,
    engine: MapUnits | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    unit_bytes: int | None = None,
) -> Audit:
    """Hold all recorded calls against their contracts.

    Args:
        inputs: From ``find_inputs`` or ``spool``.
        job: Tools, shape of the rows and output.
        engine: Where units run; this machine's cores by default.
        resume: Go on with a run that is in the output folder, also a finished one.
            An unfinished one with the same arguments goes on in any case.
        overwrite: Throw away what the output folder holds.
        on_progress: Told how far the run is.
        unit_bytes: About how much of a plain file makes a unit, in bytes; see ``plan_units``.

    Raises:
        MissingInput: If there is nothing to read.
        UnreadableInput: If a file is damaged where the members that the job names should be.
        MissingColumn: If a member that the job names is in no row.
        ForeignOutput: If the output folder holds another run, somebody's files, or an input,
            or another run is at work in it.
        UnwritableOutput: If the output cannot be written.
        UnitsFailed: If some units failed, or their files changed while they were read. With an
            output folder the others are finished, and the same arguments go on from there.
    """
    job = replace(job, part_format=job.part_format or PartFormat.like(inputs))
    size = bytes_of_unit(inputs) if unit_bytes is None else unit_bytes
    units = iter_units(inputs, unit_bytes=size)
    require_columns(inputs, job.named)
    run = None if job.output is None else Run(Store(job.output), _identity(inputs, job, size))
    begun: AbstractContextManager[dict[int, Report]] = nullcontext({})
    if run is not None:
        begun = run.begun(inputs, resume=resume, overwrite=overwrite)
    with begun as finished:
        work = engine or local_engine()
        tally, reports, failed = _work(units, inputs, finished, run, job, work, on_progress)
        if failed:
            told = [f"{unit.title}: {error}" for unit, error in failed]
            raise UnitsFailed(told, None if run is None else run.folder)
        tally.mappings.update(job.contracts.mappings)
        names = tuple(each.name for each in inputs)
        if run is not None:
            summary = tally.to_bytes()
            run.close(reports, summary, to_html(summary, names))
    return Audit(tally=tally, reports=tuple(reports), output=job.output, inputs=names)


def _work(  # noqa: PLR0913, PLR0917 - the parts of one run
    units: Iterable[WorkUnit],
    inputs: Sequence[Input],
    finished: dict[int, Report],
    run: Run | None,
    job: Job,
    engine: MapUnits,
    on_progress: Callable[[Progress], None] | None,
) -> tuple[Tally, list[Report], list[tuple[WorkUnit, Exception]]]:
    """Run what is not finished yet; give the sum, all reports, and what failed."""
    tally = Tally()
    weight = sum(each.size for each in inputs)
    sources = {each.path: each for each in inputs}
    reports: list[Report] = []
    failed: list[tuple[WorkUnit, Exception]] = []

    def tell() -> None:
        if on_progress is not None:
            done = sum(report.unit.weight for report in reports)
            on_progress(Progress(done_weight=done, weight=weight, rows=tally.rows))

    def add(report: Report) -> None:
        # Added up as they come, so that memory does not grow with the units.
        tally.merge(report.tally)
        reports.append(replace(report, tally=Tally(rows=report.tally.rows)))

    for report in finished.values():
        add(report)
    tell()
    left = (unit for unit in units if unit.number not in finished)
    first = next(left, None)
    outcomes = iter(()) if first is None else engine(UnitWork(job), chain((first,), left))
    # An engine ends with the block, also where something else than a unit failed.
    with closing(outcomes) if isinstance(outcomes, Generator) else nullcontext():
        for unit, done in outcomes:
            # Looked at after the unit was read and before it counts as finished.
            outcome = change_in(sources[unit.path]) or done
            if isinstance(outcome, Exception):
                failed.append((unit, outcome))
                continue
            if run is not None:
                run.finish_unit(outcome)
            add(outcome)
            tell()
    reports.sort(key=lambda each: each.unit.number)
    return tally, reports, failed


def _identity(inputs: Sequence[Input], job: Job, unit_bytes: int) -> dict[str, Any]:
    """Name everything that the result depends on."""
    return {
        "toolgauge": version("toolgauge"),
        "inputs": [
            {"name": each.name, "size": each.size, "changed": each.stamp} for each in inputs
        ],
        "tools": job.contracts.fingerprint,
        "rows": job.rows.to_json(),
        "rowTools": None if job.row_tools is None else job.row_tools.to_json(),
        "columns": list(job.columns),
        "time": job.time,
        "format": str(job.part_format),
        "all": job.keep_all,
        "maxLineBytes": job.max_line_bytes,
        "unitBytes": unit_bytes,
    }
