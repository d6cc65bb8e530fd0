"""The exceptions of the rules room.

ToolgaugeError
├── InvalidTarget    the file of a target is not one
├── UnknownTarget    no target or group has this name
└── NotTools         what was given to check holds no list of tools
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence


class InvalidTarget(ToolgaugeError):
    """The file of a target is not one.

    Attributes:
        name: The target, which is the file's name without ``.toml``.
        place: Where in the file: the id of a row, or a key; empty for the whole file.
        problem: What is wrong there.
    """

    def __init__(self, name: str, place: str, problem: str) -> None:
        super().__init__(name, place, problem)
        self.name: str = name
        self.place: str = place
        self.problem: str = problem

    def __str__(self) -> str:
        return ": ".join(each for each in (f"{self.name}.toml", self.place, self.problem) if each)


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
