"""Did many recorded calls keep their contracts?

Needs ``pyarrow``: ``pip install 'toolgauge[audit]'``.
"""

from __future__ import annotations

from toolgauge.auditing.audits import Audit, Progress, audit
from toolgauge.auditing.contracts import Contracts
from toolgauge.auditing.dialects import DIALECTS, Dialect
from toolgauge.auditing.errors import (
    AuditError,
    ChangedInput,
    EngineUnavailable,
    ForeignOutput,
    MissingColumn,
    MissingInput,
    NoWorkers,
    UnitCrashed,
    UnitsFailed,
    UnreadableInput,
    UnwritableOutput,
    WorkerLost,
)
from toolgauge.auditing.inputs import Input, find_inputs, spool
from toolgauge.auditing.job import Job, Report, run_unit
from toolgauge.auditing.records import PartFormat, audit_batch
from toolgauge.auditing.row_tools import RowTools, tools_by_id
from toolgauge.auditing.rows import RowReader
from toolgauge.auditing.shapes import SHAPES
from toolgauge.auditing.tally import Tally
from toolgauge.auditing.units import WorkUnit, plan_units
from toolgauge.auditing.verdicts import GOOD, Judged, Row, Verdict

__all__ = [
    "DIALECTS",
    "GOOD",
    "SHAPES",
    "Audit",
    "AuditError",
    "ChangedInput",
    "Contracts",
    "Dialect",
    "EngineUnavailable",
    "ForeignOutput",
    "Input",
    "Job",
    "Judged",
    "MissingColumn",
    "MissingInput",
    "NoWorkers",
    "PartFormat",
    "Progress",
    "Report",
    "Row",
    "RowReader",
    "RowTools",
    "Tally",
    "UnitCrashed",
    "UnitsFailed",
    "UnreadableInput",
    "UnwritableOutput",
    "Verdict",
    "WorkUnit",
    "WorkerLost",
    "audit",
    "audit_batch",
    "find_inputs",
    "plan_units",
    "run_unit",
    "spool",
    "tools_by_id",
]
