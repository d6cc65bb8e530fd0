"""Runs the user's own code for a call, within limits."""

from __future__ import annotations

import inspect
from functools import lru_cache
from types import CoroutineType
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.to_thread

from toolgauge.contract import CONTAINED, CallContext, Failure, Success, enter_call, leave_call
from toolgauge.gate.deadlines import Cut, Deadlines
from toolgauge.gate.errors import CallStopped, CallTimedOut, NoHandler, TooManyCalls
from toolgauge.gate.results import from_error, from_handle_call, from_handler, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Bounds, CallResult, HandleCall, Handler, Tool

_WITH_REQUEST = 3


class Runner:
    """Runs one tool at a time per call, and a bounded number of calls at once.

    Args:
        handle_call: ``(name, args)`` or ``(name, args, request)``; ``None`` to
            run each tool's own handler.
        bounds: ``handler_timeout_s`` and ``max_calls_in_flight``.
    """

    def __init__(self, handle_call: HandleCall | None, bounds: Bounds) -> None:
        self._handle_call = handle_call
        self._takes_request = handle_call is not None and _positional(handle_call) >= _WITH_REQUEST
        self._bounds = bounds
        self._deadlines = Deadlines(bounds.handler_timeout_s)
        # As many threads as calls: with anyio's usual forty, forty slow calls would
        # hold up all others.
        self._threads = anyio.CapacityLimiter(bounds.max_calls_in_flight)
        self._is_stopped = False

    async def run(self, tool: Tool, arguments: dict[str, Any], request: object) -> CallResult:
        """Run a tool; a refusal of its own validator is a result that is an error.

        Raises:
            NoHandler: As ``attempt``, and so are the others.
            TooManyCalls: See there.
            CallTimedOut: See there.
            CallStopped: See there.
            CodeAborted: See there.
            Exception: Whatever the user's code raises.
        """
        found = await self.attempt(tool, arguments, request)
        return refused(found.issues) if isinstance(found, Failure) else found

    async def attempt(
        self, tool: Tool, arguments: dict[str, Any], request: object
    ) -> CallResult | Failure:
        """Run a tool on arguments that keep its schema, if its own validator agrees.

        The tool's handler gets the validator's value; a ``handle_call`` gets the
        arguments as they came.

        Returns:
            What the tool answers, or what its validator has against the arguments.

        Raises:
            NoHandler: If there is nothing to run.
            TooManyCalls: If the limit on calls in flight is reached.
            CallTimedOut: If the code takes longer than it may. A synchronous
                function goes on in its thread; only its answer is dropped.
            CallStopped: If ``stop`` was called.
            CodeAborted: If the code exits, or gives a cancellation on that nobody
                asked of this call.
            Exception: Whatever the user's code raises.
        """
        if self._is_stopped:
            raise CallStopped(tool.name)
        if self._deadlines.count >= self._bounds.max_calls_in_flight:
            raise TooManyCalls(self._bounds.max_calls_in_flight)
        token = enter_call(CallContext(tool=tool.name, request=request))
        try:
            with self._deadlines.watch() as watch, CONTAINED:
                return await self._answer(tool, arguments, request)
        finally:
            leave_call(token)
        if watch.cut is Cut.STOPPED:
            raise CallStopped(tool.name)
        raise CallTimedOut(tool.name, self._bounds.handler_timeout_s)

    def stop(self) -> None:
        """Cut every call short that is still running, and start no other.

        For a process that is ending: each caller still gets an answer.
        """
        self._is_stopped = True
        self.cut_short()

    def cut_short(self) -> None:
        """Cut every call short that is still running; others may follow."""
        self._deadlines.stop()

    async def _answer(
        self, tool: Tool, arguments: dict[str, Any], request: object
    ) -> CallResult | Failure:
        if self._handle_call is None and tool.handler is None:
            raise NoHandler(tool.name)
        value: Any = arguments
        if tool.validate is not None:
            checked = tool.validate(arguments)
            if not isinstance(checked, Success | Failure):
                checked = await checked
            if isinstance(checked, Failure):
                return checked
            value = checked.value
        try:
            return await self._run(tool, arguments, value, request)
        except Exception as error:
            told = from_error(error)
            if told is None:
                raise
            return told

    async def _run(
        self, tool: Tool, arguments: dict[str, Any], value: object, request: object
    ) -> CallResult:
        """Run the code itself, and read what it answers."""
        if self._handle_call is None:
            found = await self._awaited(cast("Handler", tool.handler), value)
            return from_handler(found, is_promised=tool.output_schema is not None)
        extra = (request,) if self._takes_request else ()
        found = await self._awaited(self._handle_call, tool.name, arguments, *extra)
        return from_handle_call(tool.name, found)

    async def _awaited(self, function: Callable[..., object], *arguments: object) -> object:
        """Call a function, sync ones in a thread, so that none blocks the others."""
        if _is_async(function):
            found = function(*arguments)
        else:
            found = await anyio.to_thread.run_sync(
                function, *arguments, abandon_on_cancel=True, limiter=self._threads
            )
        if type(found) is CoroutineType or inspect.isawaitable(found):
            return await found
        return found


def _is_async(function: Callable[..., object]) -> bool:
    """Tell whether calling a function gives something to wait for."""
    try:
        return _known_async(function)
    except TypeError:  # an object that cannot be hashed
        return _looks_async(function)


@lru_cache(maxsize=1024)
def _known_async(function: Callable[..., object]) -> bool:
    return _looks_async(function)


def _looks_async(function: Callable[..., object]) -> bool:
    call = getattr(type(function), "__call__", None)  # noqa: B004 - an instance's async __call__
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _positional(function: Callable[..., object]) -> int:
    """Count the arguments that a function takes by position."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return 2  # a builtin without a signature
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return _WITH_REQUEST
    return sum(each.kind in kinds for each in parameters)
