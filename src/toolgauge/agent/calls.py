"""Runs the calls of one model message, and answers in its provider's shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.agent.runner import MAX_CALLS, CallRunner
from toolgauge.wire import detect, format_of

if TYPE_CHECKING:
    from toolgauge.contract import ToolsProvider
    from toolgauge.gate import Gate
    from toolgauge.lowering import Restorer


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
