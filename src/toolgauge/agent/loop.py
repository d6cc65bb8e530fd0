"""A small loop over the official Anthropic SDK: ask, run the calls, ask again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from toolgauge.agent._texts import NOT_RUN
from toolgauge.agent.errors import StreamCut, ToolsRefused
from toolgauge.agent.runner import CallRunner, failed
from toolgauge.gate import Gate
from toolgauge.wire import WireResult, format_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Sequence

    from anthropic.resources.messages import AsyncMessages
    from anthropic.types import Message, MessageParam

    from toolgauge.contract import CallResult, Tool, ToolsProvider
    from toolgauge.lowering import Restorer
    from toolgauge.wire import WireCall

MAX_ROUNDS = 10
MAX_TOKENS = 4096

_PAUSED = "pause_turn"
_CALLS = "tool_use"


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


class MessagesClient(Protocol):
    """An async client of the SDK: ``AsyncAnthropic``, or that of Bedrock or Vertex."""

    @property
    def messages(self) -> AsyncMessages:
        """The Messages API."""


async def run_agent(  # noqa: PLR0913 - each is a choice of its own
    client: MessagesClient,
    tools: ToolsProvider | Gate,
    *,
    model: str,
    messages: Iterable[MessageParam],
    max_rounds: int = MAX_ROUNDS,
    max_tokens: int = MAX_TOKENS,
    target: str | None = None,
    server_tools: Sequence[Any] = (),
    request: object = None,
    **options: Any,
) -> AsyncGenerator[AgentEvent, None]:
    """Let a model work with tools until it is done, and tell what happens.

    Each round is one streamed request. The calls of its message run at the same
    time through the gate; whatever goes wrong with one is told to the model. The
    tools are read once, at the start. Leaving the loop early closes the stream
    when the iterator is closed: wrap it in ``contextlib.aclosing``.

    Args:
        client: The SDK's async client. Time-outs and retries are its own.
        tools: The tools, or a ``Gate`` in front of them.
        model: The model's name.
        messages: The conversation so far.
        max_rounds: Most requests; at least one is sent.
        max_tokens: Most tokens of one message.
        target: Lowers the tools for this target first, such as
            ``"anthropic-strict"``; calls are mapped back before they run.
        server_tools: Tools that the API runs itself, as its request has them.
        request: What tools that ask for the caller are given.
        options: Further members of the request: ``system``, ``tool_choice``,
            ``thinking`` and others.

    Yields:
        Pieces of text as they come, calls and their results, and ``Finished``.

    Raises:
        ToolsRefused: If a tool cannot be lowered for the target.
        StreamCut: If a stream ends before the message does.
        NoHandler: If a tool has no handler.
        InvalidProvider: If ``tools`` cannot provide any.
        anthropic.APIError: Whatever the client raises for a request or a stream.
    """
    gate = tools if isinstance(tools, Gate) else Gate(tools)
    offered, restore = _offered(await gate.catalog.tools(request), target)
    offered = [*server_tools, *offered]
    if offered:
        options["tools"] = offered
    runner = CallRunner(gate, restore=restore, request=request)
    wire = format_of("anthropic")
    history: list[Any] = list(messages)
    rounds = 0
    while True:
        rounds += 1
        async with client.messages.stream(
            model=model, messages=history, max_tokens=max_tokens, **options
        ) as stream:
            is_complete = False
            async for event in stream:
                if event.type == "text":
                    yield TextDelta(text=event.text)
                is_complete = is_complete or event.type == "message_stop"
            if not is_complete:
                raise StreamCut(rounds)
            message = await stream.get_final_message()
        history = [*history, *_kept(message)]
        calls = wire.read_calls(message) if message.stop_reason == _CALLS else ()
        if (not calls and message.stop_reason != _PAUSED) or rounds >= max_rounds:
            break
        for call in calls:
            yield ToolCalled(call=call)
        results = await runner.run(calls)
        for each in results:
            yield ToolAnswered(call=each.call, result=each.result)
        if results:
            history = [*history, wire.to_results(results)]
    yield Finished(
        message=message,
        messages=(*history, *_not_run(wire.read_calls(message))),
        reason=_reason(message.stop_reason, has_calls=bool(calls)),
        rounds=rounds,
    )


def _kept(message: Message) -> list[dict[str, Any]]:
    """Give the message as it goes into the conversation, or nothing of an empty one.

    The SDK's own objects, so that thinking and its signatures go back as they
    came. Blank texts are left out: the API may send them, and refuses to take them
    back (vercel/ai#5576).
    """
    blocks = [each for each in message.content if each.type != "text" or each.text.strip()]
    return [{"role": "assistant", "content": blocks}] if blocks else []


def _not_run(calls: Sequence[WireCall]) -> list[object]:
    """Say that calls were not run: the API takes no conversation with one that has no result."""
    left = [WireResult(call=each, result=failed(NOT_RUN)) for each in calls]
    return [format_of("anthropic").to_results(left)] if left else []


def _reason(stop_reason: str | None, *, has_calls: bool) -> str:
    """Tell why the loop ended after a message."""
    return "max_rounds" if has_calls or stop_reason == _PAUSED else stop_reason or "end_turn"


def _offered(
    tools: Sequence[Tool], target: str | None
) -> tuple[list[dict[str, Any]], Restorer | None]:
    """Write the tools for the request, lowered where that is asked for.

    Raises:
        ToolsRefused: If a tool cannot be lowered.
    """
    wire = format_of("anthropic")
    if target is None:
        return wire.to_tools(tools), None
    from toolgauge.lowering import lower  # noqa: PLC0415 - not for everybody

    lowered = lower(tools, target)
    if lowered.refused:
        raise ToolsRefused(target, lowered.refused)
    return lowered.wire(wire.targets.get(lowered.target, wire.name)), lowered
