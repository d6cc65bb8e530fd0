"""The exceptions of the lowering room.

ToolgaugeError
├── UnknownPass     a target names a pass, or an option of one, that does not exist
├── NoPasses        the target names no passes, so nothing can be lowered for it
├── InvalidMap      a document was used as a restore map but is not one
├── CannotRefit     one value has no counterpart on the other side (never leaves the room)
└── CannotLower     one tool cannot be lowered (never leaves the room)
    └── Contradiction   as two subschemas for one place have no value in common

``UnknownTool`` is that of the contract room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError, to_pointer

if TYPE_CHECKING:
    from toolgauge.contract import Path

MAX_SHOWN_CHARS = 256
"""A location in a map is shown up to this many characters."""


class UnknownPass(ToolgaugeError):
    """A target names a pass, or an option of one, that does not exist."""

    def __init__(self, target: str, name: str, option: str = "") -> None:
        super().__init__(target, name, option)
        self.target: str = target
        self.name: str = name
        self.option: str = option

    def __str__(self) -> str:
        if self.option:
            return f"target {self.target!r}: pass {self.name!r} has no option {self.option!r}"
        return f"target {self.target!r}: there is no pass {self.name!r}"


class NoPasses(ToolgaugeError):
    """The target names no passes, so nothing can be lowered for it."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.target: str = target

    def __str__(self) -> str:
        return f"target {self.target!r} has no passes; lower for the provider behind it"


class InvalidMap(ToolgaugeError):
    """A document was used as a restore map but is not one.

    Attributes:
        reason: What is wrong.
        path: Where in the document; empty for the whole of it.
    """

    def __init__(self, reason: str, path: Path = ()) -> None:
        super().__init__(reason, path)
        self.reason: str = reason
        self.path: Path = path

    def __str__(self) -> str:
        where = f" at {to_pointer(self.path)[:MAX_SHOWN_CHARS]}" if self.path else ""
        return f"not a restore map{where}: {self.reason}"


class CannotRefit(ToolgaugeError):
    """One value has no counterpart on the other side of a pass."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: str = reason

    def __str__(self) -> str:
        return self.reason


class CannotLower(ToolgaugeError):
    """One tool cannot be lowered, and what a person could change."""

    def __init__(self, reason: str, fix: str) -> None:
        super().__init__(reason, fix)
        self.reason: str = reason
        self.fix: str = fix

    def __str__(self) -> str:
        return f"{self.reason}; {self.fix}"


class Contradiction(CannotLower):
    """No value satisfies two subschemas that hold for one place."""
