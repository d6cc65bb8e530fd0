"""The exceptions of the changes room.

ToolgaugeError
├── InvalidLock       a document was used as a lock but is not one
└── OtherLockVersion  a lock was written by another version of the format
"""

from __future__ import annotations

from toolgauge.contract import ToolgaugeError


class InvalidLock(ToolgaugeError):
    """A document was used as a lock but is not one.

    Attributes:
        reason: What is wrong, and where.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: str = reason

    def __str__(self) -> str:
        return f"not a toolgauge lock: {self.reason}; write it anew with `toolgauge lock`"


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
            f"the lock has version {self.found!r} and this program reads {self.expected}; "
            "write it anew with `toolgauge lock`, or use the program that wrote it"
        )
