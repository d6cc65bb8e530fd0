"""Run the calls of one model message through the gate, and answer in its provider's shape."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio

from toolgauge.agent._texts import (
    INTERNAL_ERROR,
    INVALID_OUTPUT,
    refusal,
    too_many,
    unknown_tool,
)
from toolgauge.contract import CallResult, InvalidProvider, ToolInputInvalid, UnknownTool
from toolgauge.gate import Gate, NoHandler, Verdict
from toolgauge.wire import WireResult, detect, format_of, qualified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.contract import Issue, Tool, ToolsProvider
    from toolgauge.gate import Outcome
    from toolgauge.lowering import Restorer
    from toolgauge.wire import WireCall

_LOG = logging.getLogger(__name__)

MAX_CALLS = 128
"""Most calls of one message that are run; models send a handful."""


async def run_tools(  # noqa: PLR0913 - each is a choice of its own
    message: object,
    tools: ToolsProvider | Gate,
    *,
    format: str | None = None,  # noqa: A002 - the word for it everywhere else
    raise_on_invalid: bool = False,
    restore: Restorer | None = None,
    request: object = None,
    max_calls: int = MAX_CALLS,
) -> Any:
    """Run every tool call in a model's message, and give the results as its provider wants them.

    Calls run at the same time; results have the order of the calls, one for each,
    whatever happens to it: arguments that break the contract, an unknown tool, a
    tool that fails or takes too long are results that are errors, worded for the
    model. Nothing of what a tool's code raises is in them; it is logged.

    Args:
        message: The provider's message or whole response, as the SDK's object or
            parsed JSON.
        tools: The tools, or a ``Gate`` in front of them, which brings its own
            ``handle_call`` and bounds.
        format: The format's name, such as ``"anthropic"``; ``None`` to find it.
        raise_on_invalid: Whether invalid input raises. What the published schema
            refuses is found before any tool of the message runs.
        restore: Maps calls of lowered tools back: what ``lower`` gave.
        request: What tools that ask for the caller are given.
        max_calls: Most calls that are run; each further one is answered by an error.

    Returns:
        For Anthropic, Bedrock and Gemini one message, for MCP one result, or
        ``None`` where there were no calls; for the others a list, empty where
        there were none.

    Raises:
        UnknownFormat: If there is no format of this name.
        UnknownMessage: If the message is of no known format, or of several.
        UnreadableMessage: If it is not what its format says it is.
        ToolInputInvalid: With ``raise_on_invalid``: the first call, in their
            order, whose input is invalid.
        NoHandler: If a tool has no handler: an error of the program.
        InvalidProvider: If ``tools`` cannot provide any.

    Example:
        >>> import asyncio
        >>> from toolgauge import Tool
        >>> add = Tool(name="add", handler=lambda args: args["a"] + args["b"])
        >>> call = {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1, "b": 2}}
        >>> results = asyncio.run(run_tools({"role": "assistant", "content": [call]}, [add]))
        >>> results["content"][0]["content"]
        [{'type': 'text', 'text': '3'}]
    """
    chosen = detect(message) if format is None else format_of(format)
    runner = CallRunner(tools, restore=restore, request=request, max_calls=max_calls)
    calls = chosen.read_calls(message)
    return chosen.to_results(await runner.run(calls, raise_on_invalid=raise_on_invalid))


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """How one call ended.

    Attributes:
        result: What the model gets.
        is_invalid: Whether its input was refused.
        misuse: An error of the program, which no model can do anything about.
    """

    result: CallResult
    is_invalid: bool = False
    misuse: NoHandler | InvalidProvider | None = None


class CallRunner:
    """Runs calls that have been read from messages.

    Args:
        tools: The tools, or a ``Gate`` in front of them.
        restore: Maps calls of lowered tools back.
        request: What tools that ask for the caller are given.
        max_calls: Most calls of one message that are run.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.
    """

    __slots__ = ("_gate", "_max_calls", "_request", "_restore")

    def __init__(
        self,
        tools: ToolsProvider | Gate,
        *,
        restore: Restorer | None = None,
        request: object = None,
        max_calls: int = MAX_CALLS,
    ) -> None:
        self._gate = tools if isinstance(tools, Gate) else Gate(tools)
        self._restore = restore
        self._request = request
        self._max_calls = max_calls

    async def run(
        self, calls: Sequence[WireCall], *, raise_on_invalid: bool = False
    ) -> tuple[WireResult, ...]:
        """Run calls at the same time, and give one result for each, in their order.

        Raises:
            ToolInputInvalid: With ``raise_on_invalid``, if any input is invalid.
            NoHandler: If a tool has no handler.
            InvalidProvider: If the provider gave something else than tools.
        """
        named = await self._named(calls)
        if raise_on_invalid:
            await self._hold_valid(named[: self._max_calls])
        ends = await self._ends(named)
        for call, end in zip(calls, ends, strict=True):
            if end.misuse is not None:
                raise end.misuse
            if raise_on_invalid and end.is_invalid:
                raise ToolInputInvalid(call.name, end.result.issues)
        return tuple(
            WireResult(call=call, result=end.result) for call, end in zip(calls, ends, strict=True)
        )

    async def _named(self, calls: Sequence[WireCall]) -> Sequence[WireCall]:
        """Name the tools of namespaces as they are known here, if they are."""
        if not any(each.namespace for each in calls):
            return calls
        known = set(await self._names())
        names = [qualified(each.namespace, each.name) for each in calls]
        return [
            replace(each, name=name) if name in known else each
            for each, name in zip(calls, names, strict=True)
        ]

    async def _hold_valid(self, calls: Sequence[WireCall]) -> None:
        """Find invalid input before anything runs.

        Raises:
            ToolInputInvalid: If the input of a call is invalid.
        """
        for call in calls:
            try:
                ready = self._ready(call)
                tool = await self._gate.catalog.find(ready.name, self._request)
            except UnknownTool:
                continue  # its result says so
            issues = ready.issues or self._gate.check.admit(tool, ready.arguments)
            if issues:
                raise ToolInputInvalid(call.name, issues)

    async def _ends(self, calls: Sequence[WireCall]) -> list[_End]:
        """Run as many calls at once as the gate takes."""
        # What a call ends as that cancels its own task.
        ends = [_End(result=failed(INTERNAL_ERROR))] * len(calls[: self._max_calls])
        limit = anyio.CapacityLimiter(max(1, self._gate.bounds.max_calls_in_flight))

        async def run(place: int, call: WireCall) -> None:
            async with limit:
                ends[place] = await self._end(call)

        async with anyio.create_task_group() as tasks:
            for place, call in enumerate(calls[: self._max_calls]):
                tasks.start_soon(run, place, call)
        left_out = _End(result=failed(too_many(self._max_calls)))
        return ends + [left_out] * (len(calls) - len(ends))

    async def _end(self, call: WireCall) -> _End:
        """Run one call."""
        try:
            ready = self._ready(call)
        except UnknownTool:
            return await self._unknown(call)
        if ready.issues:
            # Input that cannot be validated against a schema at all.
            if self._restore is None and ready.name not in await self._names():
                return await self._unknown(call)
            return _refused(call, ready.issues, None, call.arguments)
        outcome = await self._gate.walk(ready.name, ready.arguments, self._request)
        if outcome.verdict is Verdict.UNKNOWN_TOOL:
            return await self._unknown(call)
        return _worded(call, ready, outcome)

    def _ready(self, call: WireCall) -> WireCall:
        """Map a call back to the tools as they were before they were lowered.

        Raises:
            UnknownTool: If no lowered tool has this name.
        """
        if self._restore is None or call.issues:
            return call
        found = self._restore.restore_report(call.name, call.arguments)
        return replace(call, name=found.name, arguments=found.arguments, issues=found.unmapped)

    async def _unknown(self, call: WireCall) -> _End:
        """Answer a call of a tool that is not there, with the names that are."""
        return _End(result=failed(unknown_tool(call.name, await self._names())))

    async def _names(self) -> list[str]:
        """Give the names that the model may use, as far as the provider tells them."""
        if self._restore is not None:
            return list(self._restore.to_map()["tools"])
        try:
            return [tool.name for tool in await self._gate.catalog.tools(self._request)]
        except Exception:  # noqa: BLE001 - a provider is the user's own code
            _LOG.exception("the provider of tools failed")
            return []


def _worded(call: WireCall, ready: WireCall, outcome: Outcome) -> _End:
    """Word how a call of a known tool ended."""
    if outcome.result is not None:
        return _End(result=outcome.result)
    if outcome.verdict is Verdict.INVALID_INPUT:
        return _refused(call, outcome.issues, outcome.tool, ready.arguments)
    if isinstance(outcome.error, NoHandler | InvalidProvider):
        return _End(result=failed(INTERNAL_ERROR), misuse=outcome.error)
    if outcome.verdict is Verdict.INVALID_OUTPUT:
        return _End(result=failed(INVALID_OUTPUT))
    if outcome.verdict is Verdict.CRASHED:
        return _End(result=failed(INTERNAL_ERROR))
    # Timed out, busy, stopped: the sentences are ours, and hold nothing of the tool's.
    return _End(result=failed(str(outcome.error)))


def _refused(
    call: WireCall, issues: tuple[Issue, ...], tool: Tool | None, arguments: object
) -> _End:
    schema = None if tool is None else tool.input_schema
    result = failed(refusal(call.name, issues, arguments, schema))
    return _End(result=replace(result, issues=issues), is_invalid=True)


def failed(text: str) -> CallResult:
    """Give a result that tells the model what went wrong."""
    return CallResult(content=({"type": "text", "text": text},), is_error=True)
