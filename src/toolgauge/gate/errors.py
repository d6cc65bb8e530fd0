"""The exceptions of the gate.

ToolgaugeError
├── NoHandler        the tool is known, but nothing here can run it
├── InvalidResult    a handler gave back what is no result
├── InvalidOutput    a tool's answer breaks its output schema
├── InvalidBundle    a file of schemas cannot be read
├── CallTimedOut     a handler took longer than it may
├── CallStopped      the process is ending, and the call was cut short
└── TooManyCalls     as many handlers are at work as may be
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract import Issue


class NoHandler(ToolgaugeError):
    """The tool is known, but nothing here can run it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name: str = name

    def __str__(self) -> str:
        return f"tool {self.name!r} has no handler: give it one, or pass handle_call"


class InvalidResult(ToolgaugeError):
    """A handler gave back what is no result."""

    def __init__(self, name: str, found: str) -> None:
        super().__init__(name, found)
        self.name: str = name
        self.found: str = found

    def __str__(self) -> str:
        return (
            f"handle_call gave {self.found} for tool {self.name!r}; "
            "expected (content, is_error, trace_id) or a CallResult"
        )


class InvalidOutput(ToolgaugeError):
    """A tool's answer breaks its output schema.

    Attributes:
        name: The tool.
        issues: What is wrong with its structured content, at least one.
    """

    def __init__(self, name: str, issues: Sequence[Issue]) -> None:
        super().__init__(name, tuple(issues))
        self.name: str = name
        self.issues: tuple[Issue, ...] = tuple(issues)

    def __str__(self) -> str:
        first = self.issues[0]
        more = len(self.issues) - 1
        tail = f" (and {more} more)" if more else ""
        return (
            f"tool {self.name!r} broke its output schema at {first.pointer or '/'}: "
            f"{first.message}{tail}"
        )


class InvalidBundle(ToolgaugeError):
    """A file of schemas cannot be read, or is no JSON.

    Attributes:
        place: The file.
        reason: What is wrong.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place: str = place
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


class CallTimedOut(ToolgaugeError):
    """A handler took longer than it may."""

    def __init__(self, name: str, timeout_s: float) -> None:
        super().__init__(name, timeout_s)
        self.name: str = name
        self.timeout_s: float = timeout_s

    def __str__(self) -> str:
        return f"tool {self.name!r} gave no answer within {self.timeout_s:g} s"


class CallStopped(ToolgaugeError):
    """The process is ending, and the call was cut short."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name: str = name

    def __str__(self) -> str:
        return f"the call of {self.name!r} was cut short: the process is ending"


class TooManyCalls(ToolgaugeError):
    """As many handlers are at work as may be; trying again later may help."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit: int = limit

    def __str__(self) -> str:
        return f"{self.limit} calls are in flight, which is the most at once; try again"
