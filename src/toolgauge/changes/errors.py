"""The exceptions of the changes room.

ToolgaugeError
├── InvalidLock       a document was used as a lock but is not one
└── OtherLockVersion  a lock was written by another version of the format
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError, to_pointer

if TYPE_CHECKING:
    from toolgauge.contract import Path

MAX_SHOWN_CHARS = 256
"""What a lock holds is repeated in a message up to this many characters."""


def _shown(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}…"


class InvalidLock(ToolgaugeError):
    """A document was used as a lock but is not one.

    Attributes:
        reason: What is wrong.
        path: Where in the document; empty for the whole of it.
    """

    def __init__(self, reason: str, path: Path = ()) -> None:
        super().__init__(reason, path)
        self.reason: str = reason
        self.path: Path = path

    def __str__(self) -> str:
        where = f" at {_shown(to_pointer(self.path))}" if self.path else ""
        return f"not a toolgauge lock{where}: {self.reason}; write it anew with `toolgauge lock`"


class OtherLockVersion(ToolgaugeError):
    """A lock was written by another version of the format.

    Attributes:
        found: The version that the lock names.
        expected: The version that is read here.
    """

    def __init__(self, found: object, expected: int) -> None:
        super().__init__(found, expected)
        self.found: object = found
        self.expected: int = expected

    def __str__(self) -> str:
        return (
            f"the lock has version {_shown(repr(self.found))}, "
            f"and this program reads {self.expected}; "
            "write it anew with `toolgauge lock`, or use the program that wrote it"
        )
