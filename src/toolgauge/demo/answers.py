"""What all demo tools share: their annotations, and how they say no."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from toolgauge.contract import CallResult

if TYPE_CHECKING:
    from toolgauge.contract import Annotations

PURE: Annotations = MappingProxyType(
    {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
)
"""Annotations of a tool that only computes."""


def cannot(reason: str) -> CallResult:
    """Answer with an error of the tool, for the model to read and correct.

    A handler that raises instead is a fault of the handler; its text goes to
    the log and not to the model.
    """
    return CallResult(content=[{"type": "text", "text": reason}], is_error=True)
