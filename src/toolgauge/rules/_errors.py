"""The exceptions of the rules room.

ToolgaugeError
├── UnknownTarget    no target or group has this name
└── NotTools         what was given to check holds no list of tools
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence


class UnknownTarget(ToolgaugeError):
    """No target or group has this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(name, tuple(known))
        self.name: str = name
        self.known: tuple[str, ...] = tuple(known)

    def __str__(self) -> str:
        close = get_close_matches(self.name, self.known, n=3) or self.known
        return f"there is no target {self.name!r}; try {', '.join(close)}"


class NotTools(ToolgaugeError):
    """What was given to check holds no list of tools."""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found: str = found

    def __str__(self) -> str:
        return f"expected a list of tools, not {self.found}"
