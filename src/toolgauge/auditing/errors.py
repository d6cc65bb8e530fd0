"""The exceptions of the audit room.

ToolgaugeError
└── AuditError            the run cannot start, or cannot go on
    ├── MissingInput      a file or folder of calls is not there, or holds none
    ├── MissingColumn     a named field or column is not in the input
    ├── UnreadableInput   a file of calls is damaged at some place
    ├── ChangedInput      a file of calls changed while it was read
    ├── ForeignOutput     the output folder belongs to another run
    ├── UnwritableOutput  the output cannot be written
    ├── EngineUnavailable a cluster cannot be reached or started
    ├── UnitCrashed       a fault of ours while one unit ran
    ├── WorkerLost        the process that ran a unit died each time
    ├── NoWorkers         no worker process starts
    └── UnitsFailed       some units failed each time they were tried
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_NAMED = 3


class AuditError(ToolgaugeError):
    """Root of what stops a run."""


class MissingInput(AuditError):
    """A file or folder of calls is not there, or holds none."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name: str = name
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


class MissingColumn(AuditError):
    """A named field or column is not in the input."""

    def __init__(self, name: str, file: str, present: Sequence[str]) -> None:
        super().__init__(name, file, tuple(present))
        self.name: str = name
        self.file: str = file
        self.present: tuple[str, ...] = tuple(present)

    def __str__(self) -> str:
        there = ", ".join(self.present) or "none"
        return f"{self.file}: no row has {self.name!r}; there are: {there}"


class UnreadableInput(AuditError):
    """A file of calls is damaged: nothing after this place can be read.

    Attributes:
        file: The file.
        line: The last line that was read whole; 0 where none was.
        reason: What is wrong.
    """

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file: str = file
        self.line: int = line
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.file} after line {self.line}: {self.reason}; repair the file or leave it out"


class ChangedInput(AuditError):
    """A file of calls was cut short, replaced or written to while it was read."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.file: str = file

    def __str__(self) -> str:
        return f"{self.file} changed while it was read; audit it when nothing writes to it"


class ForeignOutput(AuditError):
    """The output folder belongs to another run."""

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(folder, reason)
        self.folder: str = folder
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.folder} {self.reason}"


class UnwritableOutput(AuditError):
    """The output cannot be written. What is finished stays."""

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(folder, reason)
        self.folder: str = folder
        self.reason: str = reason

    def __str__(self) -> str:
        return (
            f"{self.folder} cannot be written: {self.reason}; "
            "repair that and run the same command again to go on"
        )


class UnitCrashed(AuditError):
    """A fault of ours while one unit ran; the log has its traceback."""

    def __init__(self, unit: str, kind: str) -> None:
        super().__init__(unit, kind)
        self.unit: str = unit
        self.kind: str = kind

    def __str__(self) -> str:
        return f"it crashed with {self.kind}: this is a fault of toolgauge; the log has more"


class WorkerLost(AuditError):
    """The worker process died each time that it ran a unit."""

    def __init__(self, unit: str, tries: int) -> None:
        super().__init__(unit, tries)
        self.unit: str = unit
        self.tries: int = tries

    def __str__(self) -> str:
        return f"its worker process died {self.tries} times"


class NoWorkers(AuditError):
    """Worker processes end before they have begun to work."""

    def __init__(self, tries: int) -> None:
        super().__init__(tries)
        self.tries: int = tries

    def __str__(self) -> str:
        return (
            f"worker processes ended {self.tries} times before they began to work; a script "
            'that audits needs `if __name__ == "__main__":` around its work, or one worker'
        )


class EngineUnavailable(AuditError):
    """A cluster cannot be reached or started."""

    def __init__(self, engine: str, address: str, reason: str) -> None:
        super().__init__(engine, address, reason)
        self.engine: str = engine
        self.address: str = address
        self.reason: str = reason

    def __str__(self) -> str:
        return f"no {self.engine} cluster at {self.address}: {self.reason}"


class UnitsFailed(AuditError):
    """Some units failed each time they were tried; with an output folder the others are kept.

    Attributes:
        units: What failed: a file, its range, and why.
        output: The folder that holds the others, ``None`` for none.
    """

    def __init__(self, units: Sequence[str], output: str | None) -> None:
        super().__init__(tuple(units), output)
        self.units: tuple[str, ...] = tuple(units)
        self.output: str | None = output

    def __str__(self) -> str:
        shown = "; ".join(self.units[:_MAX_NAMED])
        more = len(self.units) - _MAX_NAMED
        tail = f"; and {more} more" if more > 0 else ""
        others = "Without an output folder nothing is kept of the others"
        if self.output is not None:
            others = (
                f"The others are finished in {self.output}; run the same command again to go on"
            )
        return f"{len(self.units)} of the work units failed: {shown}{tail}. {others}"


def first_line(error: BaseException) -> str:
    """Return what an error of a file system says, in one line."""
    message = str(getattr(error, "strerror", None) or error)
    return (message.splitlines() or [type(error).__name__])[0][:200]
