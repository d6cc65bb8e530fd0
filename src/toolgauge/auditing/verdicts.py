"""What a recorded row holds, and what an audit says of each call in it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from toolgauge.wire import MISSING, Malformed
from toolgauge.wire import RecordedCall as Call

if TYPE_CHECKING:
    from toolgauge.contract import Issue

__all__ = [
    "GOOD",
    "MISSING",
    "NOTHING",
    "RECORD_MEMBERS",
    "Call",
    "Found",
    "Judged",
    "Malformed",
    "ReadRow",
    "Recorded",
    "Row",
    "Verdict",
    "kept_name",
    "reasons",
]


class Verdict(StrEnum):
    """What became of one call. Each call has exactly one; a row without a call has one too."""

    # A member is its text, and is counted by it: enum would hash its name, in Python.
    __hash__ = str.__hash__

    VALID = "valid"
    INVALID = "invalid"
    """The arguments break the tool's contract."""
    UNKNOWN_TOOL = "unknown_tool"
    """No contract has this name."""
    BROKEN_CONTRACT = "broken_contract"
    """The tool's own schema cannot be used, so nothing can be held against it."""
    UNPARSABLE_ARGUMENTS = "unparsable_arguments"
    """The arguments are text that is not JSON."""
    WRONG_SHAPE = "wrong_shape"
    """The arguments are missing, or are no object."""
    UNPARSABLE_ROW = "unparsable_row"
    """The line is not JSON, or is too long."""
    MALFORMED_CALL = "malformed_call"
    """The row is JSON, but what stands where a call should be is none."""
    NO_CALL = "no_call"
    """The row holds no call, and need not."""


GOOD = frozenset({Verdict.VALID, Verdict.NO_CALL})
"""The verdicts that are no failure."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A call whose verdict was recorded with it, without its arguments."""

    tool: str | None
    verdict: Verdict
    issues: tuple[Issue, ...] = ()


Found: TypeAlias = Sequence[Call | Malformed | Recorded]
"""The calls of one row, in its order. Empty for a row without a call."""

ReadRow: TypeAlias = Callable[[Any], Found | None]
"""Parsed JSON of one row to its calls; ``None`` where the row is not of this shape."""

NOTHING: Mapping[str, Any] = MappingProxyType({})

RECORD_MEMBERS = frozenset({"file", "line", "call", "tool", "verdict", "valid", "errors", "notes"})
"""What a record says itself."""


def kept_name(name: str, taken: Container[str] = RECORD_MEMBERS) -> str:
    """Give the name under which a record keeps a member of its row.

    Example:
        >>> kept_name("session"), kept_name("tool")
        ('session', 'row.tool')
    """
    return f"row.{name}" if name in taken else name


class Row(NamedTuple):
    """Where a row stands: the file as it was named, and the line or row, from 1."""

    file: str
    line: int


class Judged(NamedTuple):
    """One call, and what an audit says of it.

    Attributes:
        row: Where the call stands.
        call: Which call of its row, from 0.
        tool: The tool's name, ``None`` where there is none to be read.
        verdict: What became of it.
        issues: Why, with paths into the arguments, or into the row where it is the
            row that is wrong. Empty for the good verdicts.
        notes: What is odd about the row without breaking the contract: arguments
            stored in the other form, an answer that is missing. Paths into the row.
        columns: The members of the row that the user asked to keep, by name.
        arguments: What was held against the contract, for examples.
    """

    row: Row
    call: int
    tool: str | None
    verdict: Verdict
    issues: tuple[Issue, ...] = ()
    notes: tuple[Issue, ...] = ()
    columns: Mapping[str, Any] = NOTHING
    arguments: Any = None

    def to_json(self) -> dict[str, Any]:
        """Give the record as it is written.

        ``{"file", "line", "call", "tool", "verdict", "valid", "errors": [{"path",
        "message", "keyword"}]}``, ``notes`` where there are some, and the kept
        columns by ``kept_name``.
        """
        wire: dict[str, Any] = {
            "file": self.row.file,
            "line": self.row.line,
            "call": self.call,
            **{kept_name(name): value for name, value in self.columns.items()},
            "tool": self.tool,
            "verdict": str(self.verdict),
            "valid": self.verdict is Verdict.VALID,
            "errors": reasons(self.issues),
        }
        if self.notes:
            wire["notes"] = reasons(self.notes)
        return wire


def reasons(issues: Iterable[Issue]) -> list[dict[str, str | None]]:
    """Give issues as records hold them: ``[{"path", "message", "keyword"}]``."""
    return [
        {"path": each.pointer, "message": each.message, "keyword": each.keyword} for each in issues
    ]
