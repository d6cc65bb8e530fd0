"""What every unit of a run has in common, and the work on one of them."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolgauge.auditing.errors import AuditError, UnitCrashed, UnreadableInput
from toolgauge.auditing.judging import Judge
from toolgauge.auditing.reading import DEFAULT_MAX_LINE_BYTES, Overlong, iter_lines, iter_rows
from toolgauge.auditing.records import PartFormat, part_writer
from toolgauge.auditing.store import Store
from toolgauge.auditing.tally import MAX_EXAMPLES, Tally, hour_of
from toolgauge.auditing.verdicts import GOOD, Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.auditing.contracts import Contracts
    from toolgauge.auditing.row_tools import RowTools
    from toolgauge.auditing.rows import RowReader
    from toolgauge.auditing.tally import KindKey
    from toolgauge.auditing.units import WorkUnit
    from toolgauge.auditing.verdicts import Judged

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Everything that a unit needs besides itself. Crosses processes.

    Attributes:
        contracts: The tools that all rows share.
        rows: How calls stand in rows.
        row_tools: Finds the tools that rows bring themselves; ``None`` where none do.
        columns: Members of a row to keep with each record, beside ``time``.
        time: The member that says when the call was made, ``None`` for none.
        output: Folder or URI of the run, ``None`` to count only.
        part_format: How records are written; ``None`` for lines, and for Parquet where all
            files that an audit reads are Parquet.
        keep_all: Whether valid calls are written too.
        max_line_bytes: Longest line that is read.
    """

    contracts: Contracts
    rows: RowReader
    row_tools: RowTools | None = None
    columns: tuple[str, ...] = ()
    time: str | None = None
    output: str | None = None
    part_format: PartFormat | None = None
    keep_all: bool = False
    max_line_bytes: int = DEFAULT_MAX_LINE_BYTES

    @property
    def kept(self) -> tuple[str, ...]:
        """The members of its row that a record keeps, each once."""
        time = () if self.time is None else (self.time,)
        return tuple(dict.fromkeys((*self.columns, *time)))

    @property
    def named(self) -> tuple[str, ...]:
        """The members of rows that the user named."""
        held = self.row_tools
        own = held.key if held is not None and held.is_needed else None
        given = (self.rows.tool, self.rows.arguments, own, *self.kept)
        return tuple(each for each in given if each is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of one unit.

    Attributes:
        unit: The unit.
        tally: What it holds, in numbers.
        part: The name of its part, ``None`` where nothing is written.
        records: The number of records in the part.
    """

    unit: WorkUnit
    tally: Tally = field(default_factory=Tally)
    part: str | None = None
    records: int = 0


def run_unit(job: Job, unit: WorkUnit, told: frozenset[KindKey] = frozenset()) -> Report:
    """Read, judge and write one unit. Doing it twice gives the same part.

    Args:
        job: What all units have in common.
        unit: The unit.
        told: Kinds of failure that need no examples from this unit.

    Raises:
        UnreadableInput: If the input is damaged; nothing is written then.
        UnwritableOutput: If the part cannot be written.
    """
    tally = Tally(told=told)
    if job.output is None:
        _judge(job, unit, tally, None)
        return Report(unit=unit, tally=tally)
    store = Store(job.output)
    how = job.part_format or PartFormat.JSONL
    name = store.part_name(f"parts/part-{unit.number:05d}", how.ending)
    with ExitStack() as stack:
        file = stack.enter_context(store.open(name))
        write = stack.enter_context(part_writer(file, how, job.kept))
        records = _judge(job, unit, tally, write)
    return Report(unit=unit, tally=tally, part=name, records=records)


class UnitWork:
    """Runs the units of one run. Each process has its own, empty at first.

    Of each kind of failure the first examples by file and line are shown in the end.
    Where earlier units have enough of a kind, later ones need not keep any; which of
    them this process did changes what is kept, and not what is shown.

    Args:
        job: What all units have in common.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._lock = threading.Lock()
        self._last = ("", 0)
        self._examples: Counter[KindKey] = Counter()

    def __reduce__(self) -> tuple[type[UnitWork], tuple[Job]]:
        return UnitWork, (self._job,)

    def __call__(self, unit: WorkUnit) -> Report | AuditError:
        """Run a unit; return its report, or what stopped it. A crash is logged."""
        begin = unit.file, unit.first
        try:
            report = run_unit(self._job, unit, self._told(begin))
        except AuditError as error:
            return error
        except Exception as error:  # noqa: BLE001 - the outermost edge of one unit
            _LOG.exception("unit %s", unit.title)
            return UnitCrashed(unit.title, type(error).__name__)
        with self._lock:
            if begin > self._last:
                self._last = begin
                for kind, examples in report.tally.examples.items():
                    self._examples[kind] += len(examples)
        return report

    def _told(self, begin: tuple[str, int]) -> frozenset[KindKey]:
        """Return the kinds that earlier units, in the order of examples, have enough of."""
        with self._lock:
            if begin <= self._last:
                return frozenset()
            return frozenset(
                kind for kind, number in self._examples.items() if number >= MAX_EXAMPLES
            )


def _judge(job: Job, unit: WorkUnit, tally: Tally, write: Callable[[Judged], None] | None) -> int:
    """Judge all rows of a unit; return the number of records that were written."""
    records = 0

    def emit(judged: Judged) -> None:
        nonlocal records
        tally.add(judged, None if job.time is None else hour_of(judged.columns.get(job.time)))
        if write is not None and (job.keep_all or judged.verdict not in GOOD or judged.notes):
            write(judged)
            records += 1

    # Most runs only count, and each step between counts for every refused row.
    is_counted_only = write is None and job.time is None
    judge = Judge(
        job.contracts,
        job.rows,
        tally.add if is_counted_only else emit,
        columns=job.kept,
        max_line_bytes=job.max_line_bytes,
        emit_valid=job.keep_all,
        time=job.time,
        row_tools=job.row_tools,
        count=tally.count if is_counted_only else None,
    )
    if unit.kind == "parquet":
        for number, row in iter_rows(unit, job.max_line_bytes):
            if isinstance(row, Overlong):
                judge.overlong(row, Row(unit.file, number))
            else:
                judge.row(row, Row(unit.file, number))
        if not unit.end:
            raise UnreadableInput(unit.file, 0, "its row groups were not found at the beginning")
    else:
        number = unit.first
        for lines in iter_lines(unit, job.max_line_bytes):
            if isinstance(lines, Overlong):
                judge.overlong(lines, Row(unit.file, number))
                number += 1
            else:
                judge.block(lines, unit.file, number)
                number += len(lines)
    tally.rows = judge.rows
    tally.add_valid(judge.valid, judge.hours)
    tally.mappings.update(judge.mappings)
    tally.settle()
    return records
