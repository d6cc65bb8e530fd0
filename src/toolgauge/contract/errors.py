"""The exceptions of the contract room, and the root of all of ours.

ToolgaugeError
├── InvalidTool        a document was used as a tool definition but is not one
├── InvalidProvider    something was passed as ``tools`` that cannot provide any
├── InvalidJson        bytes are not one strict JSON document
├── ToolInputInvalid   the arguments of a call break the tool's contract
├── CodeAborted        the user's own code ended in what would have ended more than the call
└── UnknownTool        no tool has this name
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract.issues import Issue


class ToolgaugeError(Exception):
    """Root of every exception that this package raises on purpose."""


class InvalidTool(ToolgaugeError):
    """A document was used as a tool definition but is not one.

    Attributes:
        name: The tool's name, ``""`` where it has none.
        issues: What is wrong, at least one.
    """

    def __init__(self, name: str, issues: Sequence[Issue]) -> None:
        # Positional, and all of them: this is what pickle replays.
        super().__init__(name, tuple(issues))
        self.name: str = name
        self.issues: tuple[Issue, ...] = tuple(issues)

    def __str__(self) -> str:
        first = self.issues[0]
        more = len(self.issues) - 1
        tail = f" (and {more} more)" if more else ""
        return f"tool {self.name!r} at {first.pointer or '/'}: {first.message}{tail}"


class InvalidProvider(ToolgaugeError):
    """Something was passed as ``tools`` that cannot provide any.

    Attributes:
        found: The type of what was passed or returned.
        where: ``"tools"`` for the argument, ``"tools()"`` for what the
            callable returned.
    """

    def __init__(self, found: str, where: str = "tools") -> None:
        super().__init__(found, where)
        self.found: str = found
        self.where: str = where

    def __str__(self) -> str:
        return (
            f"{self.where} is {self.found}; "
            "pass a list of tools, or a function (sync or async) that returns one"
        )


class InvalidJson(ToolgaugeError):
    """Bytes are not one strict JSON document.

    Attributes:
        reason: What is wrong, with line and column where they are known.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: str = reason

    def __str__(self) -> str:
        return f"invalid JSON: {self.reason}"


class ToolInputInvalid(ToolgaugeError):
    """The arguments of a call break the tool's contract.

    Attributes:
        tool: The name that was called.
        issues: Why. Empty where the validator names no reason.
    """

    def __init__(self, tool: str, issues: Sequence[Issue]) -> None:
        super().__init__(tool, tuple(issues))
        self.tool: str = tool
        self.issues: tuple[Issue, ...] = tuple(issues)

    def __str__(self) -> str:
        return f'Tool "{self.tool}" received invalid input: {len(self.issues)} issue(s).'


class UnknownTool(ToolgaugeError):
    """No tool has this name.

    Attributes:
        name: The name that was asked for, as given.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name: str = name

    def __str__(self) -> str:
        return f"Tool not found: {self.name[:MAX_SHOWN_NAME_CHARS]}"


MAX_SHOWN_NAME_CHARS = 256
"""An unknown name is echoed up to this many characters (decision D15)."""


class CodeAborted(ToolgaugeError):
    """The user's own code ended in what would have ended more than the call.

    Attributes:
        kind: The class of what it raised, which is the cause: ``"SystemExit"``,
            or ``"CancelledError"`` where nobody cancelled the call.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind: str = kind

    def __str__(self) -> str:
        return f"the code that was called ended in {self.kind}; raise an ordinary exception instead"
