"""Turns whatever a handler gives back into one kind of result."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import lru_cache
from types import CoroutineType
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.to_thread

from toolgauge.contract import (
    CONTAINED,
    CallContext,
    CallResult,
    Failure,
    Success,
    dump_json,
    enter_call,
    leave_call,
)
from toolgauge.contract.jsontext import is_of_mcp
from toolgauge.contract.reading import plain_result
from toolgauge.gate.deadlines import Cut, Deadlines
from toolgauge.gate.errors import CallStopped, CallTimedOut, InvalidResult, NoHandler, TooManyCalls

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract import Bounds, HandleCall, Handler, Issue, Tool


_TRIPLE = 3


def from_handle_call(name: str, found: object) -> CallResult:
    """Read the answer of a ``handle_call``.

    Raises:
        InvalidResult: If it is neither ``(content, is_error, trace_id)`` nor a
            ``CallResult``.
    """
    if isinstance(found, CallResult):
        return found
    if not isinstance(found, tuple | list) or len(found) != _TRIPLE:
        raise InvalidResult(name, f"a {type(found).__name__}")
    content, is_error, trace_id = found
    blocks = (
        [plain_result(each) for each in content] if isinstance(content, list | tuple) else content
    )
    return CallResult(
        content=_content(blocks),
        is_error=bool(is_error),
        trace_id=None if trace_id is None else str(trace_id),
    )


def from_handler(found: object, *, is_promised: bool = False) -> CallResult:
    """Read the answer of a tool's own handler.

    A text is one text block; a list of MCP blocks, or a single one, is the
    content; a result of the MCP SDK or of FastMCP is one as it is; any other mapping
    is structured content, with its JSON as text for clients that read no other;
    anything else is its JSON as text, and nothing at all is no content.

    Args:
        found: The answer.
        is_promised: Whether the tool has an output schema: what is no mapping is
            structured content too then.
    """
    if isinstance(found, CallResult):
        return found
    if is_of_mcp(found) and hasattr(found, "content"):
        return _from_mcp(found)
    value: Any = plain_result(found)
    if isinstance(value, list | tuple):
        value = [plain_result(each) for each in value]
    if value is None:
        return CallResult()
    blocks = value if isinstance(value, list) else [value]
    if blocks and all(map(_is_block, blocks)):
        return CallResult(content=tuple(blocks))
    has_structure = is_promised or isinstance(value, Mapping)
    return CallResult(content=(_text(value),), structured=value if has_structure else None)


def from_error(error: Exception) -> CallResult | None:
    """Read what a handler raised for the model to see; ``None`` for any other exception.

    That is the ``ToolError`` of the MCP SDK and of FastMCP.
    """
    if not is_of_mcp(error):
        return None
    from toolgauge.standard.frameworks import said_on_purpose  # noqa: PLC0415 - rarely needed

    return said_on_purpose(error)


def _from_mcp(found: Any) -> CallResult:
    """Read a whole result of the MCP SDK, 1 or 2, or of FastMCP."""
    # FastMCP gives the newer class the older names back, with a warning to who reads them.
    is_newer = hasattr(found, "is_error")
    return CallResult(
        content=tuple(map(plain_result, found.content)),
        structured=getattr(found, "structured_content" if is_newer else "structuredContent", None),
        is_error=bool(getattr(found, "is_error" if is_newer else "isError", False)),
    )


def refused(issues: tuple[Issue, ...]) -> CallResult:
    """Give the result of a call that was refused before the tool ran."""
    lines = [f"{issue.pointer or '/'}: {issue.message}" for issue in issues]
    text = "Invalid arguments\n" + "\n".join(lines)
    return CallResult(content=({"type": "text", "text": text},), is_error=True, issues=issues)


def _content(value: Any) -> tuple[Any, ...]:
    """Give content blocks as they are, and anything else as one block of text."""
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
        return tuple(value)
    return (_text(value),)


def _is_block(value: object) -> bool:
    """Tell a block of MCP from data that has a member ``type`` as well."""
    if not isinstance(value, Mapping):
        return False
    kind = value.get("type")
    if kind == "resource":
        inner = value.get("resource")
        return _has_texts(inner, "uri", "text") or _has_texts(inner, "uri", "blob")
    return isinstance(kind, str) and kind in _MEMBERS and _has_texts(value, *_MEMBERS[kind])


_MEMBERS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
"""The members that each kind of block must have.

Source: MCP 2026-07-28, schema, ``ContentBlock``.
"""


def _has_texts(value: object, *names: str) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(each), str) for each in names)


def _text(value: object) -> dict[str, str]:
    """Write a value as a block of text; what is no text as JSON."""
    return {"type": "text", "text": value if isinstance(value, str) else dump_json(value).decode()}


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

    async def run(
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
