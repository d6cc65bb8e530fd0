"""A call as it was recorded, and the shape of the rows that hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from toolgauge.audit.verdicts import Verdict
    from toolgauge.contract import Issue, Path

MISSING: Any = object()
"""Stands for a member that a row does not have."""


@dataclass(frozen=True, slots=True)
class Call:
    """One recorded call.

    Attributes:
        tool: The name that was called; anything, since rows are anything.
        arguments: An object, JSON text of one, or whatever the row holds;
            ``MISSING`` where there is nothing.
        path: Where the arguments stand in the row.
        notes: What is odd about how the row holds the call.
    """

    tool: object
    arguments: object
    path: Path = ()
    notes: tuple[Issue, ...] = ()


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that stands where a call should be, and is none."""

    issue: Issue


@dataclass(frozen=True, slots=True)
class Recorded:
    """A call whose verdict was recorded with it, without its arguments."""

    tool: str | None
    verdict: Verdict
    issues: tuple[Issue, ...] = ()


Found: TypeAlias = Sequence[Call | Malformed | Recorded]
"""What one row holds, in its order. Empty for a row without a call."""

ReadRow: TypeAlias = Callable[[Any], Found | None]
"""Parsed JSON of one row to its calls; ``None`` where the row is not of this shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How rows of one origin hold their calls.

    Attributes:
        name: What ``--shape`` calls it.
        title: What it is, for people.
        read: Reads one row.
    """

    name: str
    title: str
    read: ReadRow
