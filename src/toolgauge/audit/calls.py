"""What a recorded row holds: the calls of a provider's shape, or calls with their verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.wire import MISSING, Malformed
from toolgauge.wire import RecordedCall as Call

if TYPE_CHECKING:
    from toolgauge.audit.verdicts import Verdict
    from toolgauge.contract import Issue

__all__ = ["MISSING", "Call", "Found", "Malformed", "ReadRow", "Recorded"]


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
