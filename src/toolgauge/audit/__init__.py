"""Did many recorded calls keep their contracts?

Needs ``pyarrow``: ``pip install 'toolgauge[audit]'``.
"""

from __future__ import annotations

from toolgauge.audit.audits import Audit, Progress, audit
from toolgauge.audit.contracts import Contracts
from toolgauge.audit.dialects import DIALECTS, Dialect
from toolgauge.audit.errors import (
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
from toolgauge.audit.inputs import Input, find_inputs, spool
from toolgauge.audit.job import Job, Report, run_unit
from toolgauge.audit.records import PartFormat, audit_batch
from toolgauge.audit.row_tools import RowTools, tools_by_id
from toolgauge.audit.rows import RowReader
from toolgauge.audit.shapes import SHAPES
from toolgauge.audit.tally import Tally
from toolgauge.audit.units import WorkUnit, plan_units
from toolgauge.audit.verdicts import GOOD, Judged, Row, Verdict

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
