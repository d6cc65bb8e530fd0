"""The exceptions of the agent room.

ToolgaugeError
├── StreamCut      a stream ended before the model's message did
└── ToolsRefused   some tools cannot be made acceptable to the target

``ToolInputInvalid`` is that of the contract room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.contract import ToolgaugeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.lowering import Refusal


class StreamCut(ToolgaugeError):
    """A stream ended before the model's message did, without an error of the client.

    Attributes:
        rounds: Which request it was, from 1.
    """

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.rounds: int = rounds

    def __str__(self) -> str:
        return (
            f"the stream of request {self.rounds} ended before the model's message did; "
            "something between the API and here closed it"
        )


class ToolsRefused(ToolgaugeError):
    """Some tools cannot be made acceptable to the target.

    Attributes:
        target: The target's name.
        refusals: Which, why, and what to change; at least one.
    """

    def __init__(self, target: str, refusals: Sequence[Refusal]) -> None:
        super().__init__(target, tuple(refusals))
        self.target: str = target
        self.refusals: tuple[Refusal, ...] = tuple(refusals)

    def __str__(self) -> str:
        first = self.refusals[0]
        more = len(self.refusals) - 1
        tail = f" (and {more} more)" if more else ""
        return (
            f"{self.target!r} will not take tool {first.tool!r}: {first.reason}; {first.fix}{tail}"
        )
