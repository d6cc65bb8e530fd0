"""The tools of a server as it lists them, kept for as long as that may be true."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, Any

from toolgauge.contract import DEFAULT_BOUNDS, InvalidTool, read_tool
from toolgauge.upstream import RequestRefused
from toolgauge.upstream.paging import LIST_SHARE, Listed, read_pages
from toolgauge.upstream.problems import shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolgauge.contract import Bounds, Tool

_LOG = logging.getLogger(__name__)

PATIENCE_S = 1.0
"""How long a list is taken as fresh, whatever is said of it or is not in it. One that
took longer to read is fresh for as long as that took."""

_INTERNAL_ERROR = -32603


class ToolBook:
    """The tools of a server by name. Bad entries hide no others.

    Args:
        page: Asks for one page: ``await page(cursor)`` gives the raw result.
        bounds: How long the whole list may take.
    """

    def __init__(
        self, page: Callable[[str | None], Awaitable[Any]], bounds: Bounds = DEFAULT_BOUNDS
    ) -> None:
        self._page = page
        self._limit_s = bounds.connect_timeout_s * LIST_SHARE
        self._tools: dict[str, Tool] | None = None
        self._cut: str | None = None
        self._read_at_s = 0.0
        self._patience_s = PATIENCE_S
        self._fresh_s = math.inf
        self._edition = 0
        self._turn = asyncio.Lock()

    @property
    def is_old(self) -> bool:
        """Whether the list may say something else by now: worth a look before a refusal."""
        return self._tools is None or time.monotonic() - self._read_at_s > self._patience_s

    def forget(self) -> None:
        """Read the list again when it is next asked for: the server says it changed."""
        self._tools = None
        self._edition += 1

    def overhear(self, cursor: object, result: object) -> None:
        """Take over what a client has read; a page of many only tells that ours may be old."""
        listed = Listed()
        try:
            is_whole = cursor is None and listed.take(result) is None
        except ValueError:
            return
        self.forget()
        if is_whole:
            self._keep(listed, time.monotonic())

    def known(self, name: str) -> Tool | None:
        """Give a tool that has been read already and is fresh, without asking for it."""
        tool = None if self._tools is None else self._tools.get(name)
        if tool is None or time.monotonic() - self._read_at_s > self._fresh_s:
            return None
        return tool

    async def find(self, name: str) -> Tool | None:
        """Give the first tool of a name. A name that is new is looked for once more.

        Raises:
            RequestRefused: The server does not list its tools, or its list passes a
                bound and the tool is not in what was read of it.
            ServerFailed: It is gone.
            TimeoutError: It is late.
        """
        tool = self.known(name)
        if tool is None and self.is_old:
            return await self._newer(name, self._read_at_s)
        return self._found(name, tool)

    async def find_anew(self, name: str) -> Tool | None:
        """Give the first tool of a name from a list that is read now. Raises as ``find``."""
        return await self._newer(name, time.monotonic())

    async def _newer(self, name: str, than_s: float) -> Tool | None:
        """Give a tool from a list that is newer than a time. Calls share one reading."""
        try:
            async with asyncio.timeout(self._limit_s):
                await self._turn.acquire()
        except TimeoutError:
            raise TimeoutError(self._limit_s) from None
        try:
            if self._tools is not None and self._read_at_s > than_s:
                return self._found(name, self._tools.get(name))
            return await self._read(name)
        finally:
            self._turn.release()

    async def _read(self, name: str) -> Tool | None:
        """Read the whole list, and give the first tool of a name."""
        begun_s, edition = time.monotonic(), self._edition
        try:
            listed = await read_pages(self._page, self._limit_s)
        except ValueError as error:
            listed = Listed(fault=str(error))
        if listed.fault is not None:
            _LOG.warning("the list of tools is not complete: %s", listed.fault)
        if edition != self._edition:
            # It changed between two pages, so it is of no one time and not kept.
            return _by_name(listed).get(name)
        return self._found(name, self._keep(listed, begun_s).get(name))

    def _found(self, name: str, tool: Tool | None) -> Tool | None:
        """Return the tool; without one, a list that was cut does not say that there is none.

        Raises:
            RequestRefused: The list passes a bound.
        """
        if tool is None and self._cut is not None:
            message = (
                f"the tool {shown(name)} is not in the part of the list that was read: {self._cut}"
            )
            raise RequestRefused(_INTERNAL_ERROR, message)
        return tool

    def _keep(self, listed: Listed, read_at_s: float) -> dict[str, Tool]:
        ttl_s = math.inf if listed.ttl_ms is None else listed.ttl_ms / 1_000
        self._tools = _by_name(listed)
        self._cut = listed.fault if listed.is_cut else None
        self._patience_s = max(PATIENCE_S, time.monotonic() - read_at_s)
        self._read_at_s, self._fresh_s = read_at_s, max(ttl_s, self._patience_s)
        return self._tools


def _by_name(listed: Listed) -> dict[str, Tool]:
    """Read the entries that can be read."""
    tools: dict[str, Tool] = {}
    for entry in listed.entries:
        try:
            tool = read_tool(entry)
        except InvalidTool:
            continue
        tools.setdefault(tool.name, tool)
    return tools
