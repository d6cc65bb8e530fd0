"""The tools of a provider, looked up and listed: the first of a name wins.

A provider is a list, a function or an async function.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from toolgauge.contract.contained import CONTAINED
from toolgauge.contract.errors import InvalidProvider, InvalidTool, ToolgaugeError, UnknownTool
from toolgauge.contract.reading import (
    describes_tool,
    is_json,
    of_json,
    read_name,
    read_tool,
    why_no_tool,
)
from toolgauge.contract.tools import Tool

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
        InvalidProvider: If it is neither callable nor an iterable of tools, if it is one
            tool, or if nothing in it is a tool but functions that nobody made a tool of,
            and servers, agents or toolsets that hold tools.

    Attributes:
        takes_request: Whether the function wants to know who is asking.
        is_static: Whether the tools are at hand without calling anything.
    """

    __slots__ = ("_call", "_tools", "is_static", "takes_request")

    def __init__(self, tools: ToolsProvider) -> None:
        if describes_tool(tools):
            raise InvalidProvider(f"one tool, {read_name(tools)!r}", "tools")
        self._call: Callable[..., Any] | None = tools if callable(tools) else None
        self._tools: Sequence[object] = ()
        self.is_static: bool = self._call is None
        self.takes_request: bool = self._call is not None and _takes_one(self._call)
        if not callable(tools):
            self._tools = _sequence(tools, "tools")
            reasons = [_reason(each) for each in self._tools]
            if reasons and None not in reasons:
                raise InvalidProvider(str(reasons[0]), "tools[0]")

    async def resolve(self, request: object = None) -> Sequence[object]:
        """Return the tools.

        Raises:
            InvalidProvider: If the function gave something else than tools.
            CodeAborted: If it ended in what would have ended more than this.
        """
        if self._call is None:
            return self._tools
        with CONTAINED:
            found = self._call(request) if self.takes_request else self._call()
            if inspect.isawaitable(found):
                found = await found
            return _sequence(found, "tools()")

    def resolve_now(self) -> Sequence[object]:
        """Return the tools without waiting.

        Raises:
            InvalidProvider: If the function gave something else than tools, or
                can only be awaited.
            CodeAborted: As ``resolve``.
        """
        if self._call is None:
            return self._tools
        with CONTAINED:
            found = self._call(None) if self.takes_request else self._call()
            if inspect.isawaitable(found):
                if inspect.iscoroutine(found):
                    found.close()
                raise InvalidProvider("async, which only `await` can use", "tools()")
            return _sequence(found, "tools()")


def _reason(source: object) -> str | None:
    """Say why something in a list is no tool; an odd object is told when it is read."""
    try:
        return why_no_tool(source)
    except InvalidTool:
        return None


def _is_json(source: object) -> bool:
    return type(source) in {dict, Tool} and is_json(source)


def _sequence(found: object, where: str) -> Sequence[object]:
    """Take an iterable of tools; text and mappings iterate over something else."""
    if isinstance(found, list | tuple):
        return found
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise InvalidProvider(why_no_tool(found) or f"a {type(found).__name__}", where)
    return tuple(found)


def _takes_one(function: Callable[..., object]) -> bool:
    """Check whether a function cannot be called without an argument."""
    try:
        inspect.signature(function).bind()
    except ValueError:
        return False  # a builtin without a signature
    except TypeError:
        return True
    return False


_LOG = logging.getLogger(__name__)
_MAX_WARNINGS = 1_000
_MAX_ADOPTED = 10_000
_UNREACHABLE = frozenset({"", ".", ".."})


class Catalog:
    """Finds and lists the tools of one provider.

    Whatever is odd about a tool (no name, a name for the second time, a name
    that no URL can hold) is logged once and hides no other tool.

    Args:
        tools: Any ``ToolsProvider``.
        adopt: Gives an object of somebody else's as a ``Tool``, or as it is where
            it knows no better. Asked once for each object.

    Raises:
        InvalidProvider: If it is none.

    Attributes:
        takes_request: Whether the provider wants to know who is asking.
        is_static: Whether the tools are at hand without waiting for anything.
    """

    __slots__ = (
        "_adopt",
        "_adopted",
        "_by_name",
        "_indexed",
        "_json",
        "_provider",
        "_warned",
        "is_static",
        "takes_request",
    )

    def __init__(
        self, tools: ToolsProvider, *, adopt: Callable[[object], object] | None = None
    ) -> None:
        self._adopt = adopt
        # By identity, with the object itself, which keeps its identity from being reused.
        self._adopted: dict[int, tuple[object, object]] = {}
        self._provider = Provider(tools)
        self.takes_request: bool = self._provider.takes_request
        self.is_static: bool = self._provider.is_static
        self._warned: set[str] = set()
        self._indexed: Sequence[object] = ()
        self._by_name: dict[str | None, object] = {}
        # Of the list that is indexed, what need not be checked again.
        self._json: frozenset[int] = frozenset()

    async def tools(self, request: object = None) -> list[Tool]:
        """Return the tools in the provider's order."""
        return self._listed(await self._provider.resolve(request))

    def tools_now(self) -> list[Tool]:
        """Return the tools in the provider's order, without waiting."""
        return self._listed(self._provider.resolve_now())

    async def find(self, name: str, request: object = None) -> Tool:
        """Return the first tool of a name.

        Raises:
            UnknownTool: If there is none.
        """
        return self._read(await self.find_source(name, request))

    def find_now(self, name: str) -> Tool:
        """Return the first tool of a name, without waiting.

        Raises:
            UnknownTool: If there is none.
        """
        return self._read(self.find_source_now(name))

    async def find_source(self, name: str, request: object = None) -> object:
        """Return the first tool of a name as the provider has it, or as it was adopted.

        Raises:
            UnknownTool: If there is none.
        """
        if self.is_static:
            return self.find_source_now(name)
        return self._first(await self._provider.resolve(request), name)

    def find_source_now(self, name: str) -> object:
        """Return the first tool of a name as the provider has it, without waiting.

        Raises:
            UnknownTool: If there is none.
        """
        sources = self._provider.resolve_now()
        if not self.is_static:
            return self._first(sources, name)
        if self._indexed != sources:
            self._index(sources)
        source = self._by_name.get(name)
        # A tool may have been renamed where it stands.
        return self._taken(source) if read_name(source) == name else self._first(sources, name)

    def _index(self, sources: Sequence[object]) -> None:
        """Remember the tools of a list by name, for as long as it holds the same ones.

        Comparing 200 identical objects takes a microsecond, reading their names
        as long as the rest of a request.
        """
        self._by_name = {}
        self._json = frozenset(id(each) for each in sources if _is_json(each))
        for source in sources:
            name = read_name(source)
            if name not in self._by_name and self._why_unusable(source) is None:
                self._by_name[name] = source
        self._indexed = sources[:]

    def _first(self, sources: Sequence[object], name: str) -> object:
        """Return the first tool of a name that the list does not leave out.

        Raises:
            UnknownTool: If there is none.
        """
        error: ToolgaugeError | None = None
        for source in sources:
            if read_name(source) == name:
                error = self._why_unusable(source)
                if error is None:
                    return self._taken(source)
        raise UnknownTool(name) from error

    def _why_unusable(self, source: object) -> ToolgaugeError | None:
        try:
            self._read(self._taken(source))
        except ToolgaugeError as error:
            return error
        return None

    def _read(self, source: object) -> Tool:
        if id(source) in self._json and read_name(source) is not None:
            return source if isinstance(source, Tool) else of_json(source)
        return read_tool(source, is_bounded=True)

    def _listed(self, sources: Sequence[object]) -> list[Tool]:
        if self.is_static and self._indexed != sources:
            self._index(sources)
        tools: list[Tool] = []
        seen: set[str] = set()
        for place, source in enumerate(sources):
            try:
                tool = self._read(self._taken(source))
            except InvalidTool as error:
                named = read_name(source)
                label = place if named is None else f"{place} ({named!r})"
                self._warn(f"tool {label} is left out: {error.issues[0].message}")
                continue
            except ToolgaugeError as error:
                self._warn(f"tool {place} is left out: {error}")
                continue
            if tool.name in seen:
                self._warn(f"tool {tool.name!r} is listed twice; the first one is used")
                continue
            if tool.name in _UNREACHABLE:
                self._warn(f"tool {tool.name!r} cannot be reached by URL: no path holds its name")
            seen.add(tool.name)
            tools.append(tool)
        return tools

    def _taken(self, source: object) -> object:
        """Return an object of somebody else's as a tool of ours, where anybody knows how."""
        if self._adopt is None or type(source) is dict:
            return source
        known = self._adopted.get(id(source))
        if known is not None:
            return known[1]
        # Whether a class is an abstract one is asked last: that is slow.
        if isinstance(source, Tool | Mapping):
            return source
        if len(self._adopted) >= _MAX_ADOPTED:
            self._adopted.clear()  # a provider that makes new objects each time
        found = self._adopt(source)
        self._adopted[id(source)] = (source, found)
        return found

    def _warn(self, message: str) -> None:
        if message not in self._warned and len(self._warned) < _MAX_WARNINGS:
            self._warned.add(message)
            _LOG.warning(message)
