"""Where tools come from: a list, a function, an async function."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.contract.contained import CONTAINED
from toolgauge.contract.errors import InvalidProvider
from toolgauge.contract.reading import why_no_tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

ToolsProvider: TypeAlias = (
    "Iterable[object] | Callable[..., Iterable[object] | Awaitable[Iterable[object]]]"
)
"""Tools, or a function that gives them, sync or async.

A function is called for every request and nothing it gives is kept; if it asks
for one argument, it gets the request (``None`` where there is no request).
"""


class Provider:
    """A tools provider whose shape is known.

    Args:
        tools: Any ``ToolsProvider``. A list stays the caller's: tools that are
            appended to it later are seen. Other iterables are read once.

    Raises:
        InvalidProvider: If it is neither callable nor an iterable of tools, or if
            one of these is a function that nobody made a tool of, or a server, agent or
            toolset that holds tools.
    """

    __slots__ = ("_call", "_takes_request", "_tools")

    def __init__(self, tools: ToolsProvider) -> None:
        self._call: Callable[..., Any] | None = None
        self._takes_request = False
        self._tools: Sequence[object] = ()
        if callable(tools):
            self._call = tools
            self._takes_request = _takes_one(tools)
        else:
            self._tools = _sequence(tools, "tools")
            for place, each in enumerate(self._tools):
                found = why_no_tool(each)
                if found is not None:
                    raise InvalidProvider(found, f"tools[{place}]")

    @property
    def takes_request(self) -> bool:
        """Whether the function wants to know who is asking."""
        return self._takes_request

    @property
    def is_static(self) -> bool:
        """Whether the tools are at hand without calling anything."""
        return self._call is None

    async def resolve(self, request: object = None) -> Sequence[object]:
        """Give the tools.

        Raises:
            InvalidProvider: If the function gave something else than tools.
            CodeAborted: If it ended in what would have ended more than this.
        """
        if self._call is None:
            return self._tools
        with CONTAINED:
            found = self._call(request) if self._takes_request else self._call()
            if inspect.isawaitable(found):
                found = await found
            return _sequence(found, "tools()")

    def resolve_now(self) -> Sequence[object]:
        """Give the tools without waiting.

        Raises:
            InvalidProvider: If the function gave something else than tools, or
                can only be awaited.
            CodeAborted: As ``resolve``.
        """
        if self._call is None:
            return self._tools
        with CONTAINED:
            found = self._call(None) if self._takes_request else self._call()
            if inspect.isawaitable(found):
                if inspect.iscoroutine(found):
                    found.close()
                raise InvalidProvider("async, which only `await` can use", "tools()")
            return _sequence(found, "tools()")


def _sequence(found: object, where: str) -> Sequence[object]:
    """Take an iterable of tools; text and mappings iterate over something else."""
    if isinstance(found, list | tuple):
        return found
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise InvalidProvider(why_no_tool(found) or f"a {type(found).__name__}", where)
    return tuple(found)


def _takes_one(function: Callable[..., object]) -> bool:
    """Tell whether a function cannot be called without an argument."""
    try:
        inspect.signature(function).bind()
    except ValueError:
        return False  # a builtin without a signature
    except TypeError:
        return True
    return False
