"""The exceptions of the gate.

ToolgaugeError
├── NoHandler        the tool is known, but nothing here can run it
├── InvalidResult    a handler gave back what is no result
├── CallTimedOut     a handler took longer than it may
└── TooManyCalls     as many handlers are at work as may be
"""

from __future__ import annotations

from toolgauge.contract import ToolgaugeError


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


class CallTimedOut(ToolgaugeError):
    """A handler took longer than it may."""

    def __init__(self, name: str, timeout_s: float) -> None:
        super().__init__(name, timeout_s)
        self.name: str = name
        self.timeout_s: float = timeout_s

    def __str__(self) -> str:
        return f"tool {self.name!r} gave no answer within {self.timeout_s:g} s"


class TooManyCalls(ToolgaugeError):
    """As many handlers are at work as may be; trying again later may help."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit: int = limit

    def __str__(self) -> str:
        return f"{self.limit} calls are in flight, which is the most at once; try again"
