"""The exceptions of the command line.

ToolgaugeError
├── WrongUsage       the words of the command line do not fit together
│   └── NoSuchTool   a tool was named that the source does not have
└── HandlerFailed    a tool's own code, or a module's provider, raised
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence


class WrongUsage(ToolgaugeError):
    """The words of the command line do not fit together; the argument is the message."""


class NoSuchTool(WrongUsage):
    """A tool was named that the source does not have.

    Attributes:
        label: The source.
        name: The name that was asked for.
        nearest: Names that may have been meant, the nearest first.
    """

    def __init__(self, label: str, name: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(label, name, tuple(nearest))
        self.label: str = label
        self.name: str = name
        self.nearest: tuple[str, ...] = tuple(nearest)

    def __str__(self) -> str:
        listed = ", ".join(map(repr, self.nearest))
        hint = f"did you mean {listed}?" if listed else "see: toolgauge list SOURCE"
        return f"{self.label} has no tool {self.name!r}; {hint}"


class HandlerFailed(ToolgaugeError):
    """The user's own code raised: a tool's handler or a provider of tools.

    Attributes:
        what: Whose code it was.
        raised: What it raised: class and text.
    """

    def __init__(self, what: str, raised: str) -> None:
        super().__init__(what, raised)
        self.what: str = what
        self.raised: str = raised

    def __str__(self) -> str:
        return f"{self.what} raised {self.raised}"
