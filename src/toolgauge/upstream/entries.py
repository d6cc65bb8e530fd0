"""What a source holds, as it stands there and as MCP would write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolgauge.contract.pointers import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One definition of a source, broken ones too.

    Attributes:
        raw: The definition in the source's own shape: every place in it is a
            place in the source. Gemini's ``"OBJECT"`` reads ``"object"``.
        path: Where it lies in the source's document; empty where there is none.
        wire: The definition as MCP writes it.
    """

    raw: Any
    path: Path = ()
    wire: Any
