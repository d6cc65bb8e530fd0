"""The tools of a server as it lists them, kept for as long as that may be true."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any

from toolgauge.contract import InvalidTool, read_tool
from toolgauge.upstream.paging import Listed, read_pages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolgauge.contract import Tool

_LOG = logging.getLogger(__name__)

PATIENCE_S = 1.0
"""How long a list is taken as fresh, whatever is said of it or is not in it."""


class ToolBook:
    """The tools of a server by name. Bad entries hide no others.

    Args:
        page: Asks for one page: ``await page(cursor)`` gives the raw result.
    """

    def __init__(self, page: Callable[[str | None], Awaitable[Any]]) -> None:
        self._page = page
        self._tools: dict[str, Tool] | None = None
        self._read_at_s = 0.0
        self._fresh_s = math.inf
        self._edition = 0

    @property
    def is_old(self) -> bool:
        """Whether the list may say something else by now: worth a look before a refusal."""
        return self._tools is None or time.monotonic() - self._read_at_s > PATIENCE_S

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
            RequestRefused: The server does not list its tools.
            ServerFailed: It is gone.
            TimeoutError: It is late.
        """
        tool = self.known(name)
        return await self.find_anew(name) if tool is None and self.is_old else tool

    async def find_anew(self, name: str) -> Tool | None:
        """Give the first tool of a name from a list that is read now. Raises as ``find``."""
        begun_s, edition = time.monotonic(), self._edition
        try:
            listed = await read_pages(self._page)
        except ValueError as error:
            listed = Listed(fault=str(error))
        if listed.fault is not None:
            _LOG.warning("the list of tools is not complete: %s", listed.fault)
        if edition != self._edition:
            # It changed between two pages, so it is of no one time and not kept.
            return _by_name(listed).get(name)
        return self._keep(listed, begun_s).get(name)

    def _keep(self, listed: Listed, read_at_s: float) -> dict[str, Tool]:
        ttl_s = math.inf if listed.ttl_ms is None else listed.ttl_ms / 1_000
        self._tools = _by_name(listed)
        self._read_at_s, self._fresh_s = read_at_s, max(ttl_s, PATIENCE_S)
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
