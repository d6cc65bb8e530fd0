"""Did a contract change, and whom does it break?

Schemas are compared by the values that they admit, never by their text.
"""

from __future__ import annotations

from toolgauge.changes.change import Change, Changes, Kind, Severity, Verdict
from toolgauge.changes.compare import compare
from toolgauge.changes.errors import InvalidLock, OtherLockVersion
from toolgauge.changes.lock import LOCK_VERSION, Lock, dump_lock, lock_of, read_lock
from toolgauge.changes.schemas import Direction, compare_schemas

__all__ = [
    "LOCK_VERSION",
    "Change",
    "Changes",
    "Direction",
    "InvalidLock",
    "Kind",
    "Lock",
    "OtherLockVersion",
    "Severity",
    "Verdict",
    "compare",
    "compare_schemas",
    "dump_lock",
    "lock_of",
    "read_lock",
]
