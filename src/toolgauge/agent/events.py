"""What happens while an agent works, one value for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from anthropic.types import Message

    from toolgauge.contract import CallResult
    from toolgauge.wire import WireCall


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """The model wrote a piece of text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """The model's message is complete, and this call is about to run."""

    call: WireCall


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswered:
    """A call has ended, well or not, and the model will be told."""

    call: WireCall
    result: CallResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The last event.

    Attributes:
        message: The model's last message.
        messages: The whole conversation, ready for a next request: what was
            given, and every message since.
        reason: The message's ``stop_reason``: ``"end_turn"``, ``"max_tokens"``,
            ``"refusal"`` and others; or ``"max_rounds"``, when the model would go
            on. Calls in the last message have not run in either case; the
            conversation says so to the model.
        rounds: Requests that were sent.
    """

    message: Message
    messages: tuple[Any, ...]
    reason: str
    rounds: int


AgentEvent: TypeAlias = TextDelta | ToolCalled | ToolAnswered | Finished
