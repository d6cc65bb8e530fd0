"""The exceptions of the wire room.

ToolgaugeError
├── UnknownFormat      there is no format of this name
├── UnknownMessage     a message is of no format, or could be of several
└── UnreadableMessage  a message is not what its format says it is
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence


class UnknownFormat(ToolgaugeError):
    """There is no format of this name.

    Attributes:
        name: The name that was asked for.
        known: The names that there are.
    """

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(name, tuple(known))
        self.name: str = name
        self.known: tuple[str, ...] = tuple(known)

    def __str__(self) -> str:
        return f"there is no format {self.name!r}; there are {', '.join(self.known)}"


class UnknownMessage(ToolgaugeError):
    """A message is of no format, or could be of several.

    Attributes:
        found: What it is: its type, and its members where it has some.
        candidates: The formats that it could be of; empty for none.
    """

    def __init__(self, found: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(found, tuple(candidates))
        self.found: str = found
        self.candidates: tuple[str, ...] = tuple(candidates)

    def __str__(self) -> str:
        if not self.candidates:
            return (
                f"{self.found} is no model message of a known format; "
                "pass the provider's message or response, or name its format"
            )
        return f"{self.found} could be a message of {' or '.join(self.candidates)}; name the format"


class UnreadableMessage(ToolgaugeError):
    """A message is not what its format says it is.

    Attributes:
        format: The name of the format.
        reason: What was found, and what was expected.
    """

    def __init__(self, format: str, reason: str) -> None:  # noqa: A002 - named as the attribute
        super().__init__(format, reason)
        self.format: str = format
        self.reason: str = reason

    def __str__(self) -> str:
        return f"no {self.format} message: {self.reason}"
