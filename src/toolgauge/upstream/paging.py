"""The whole of a list that a server gives page by page, or as much of it as there is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from toolgauge.contract.jsontext import dump_json
from toolgauge.upstream.entries import kind_of, shown
from toolgauge.upstream.errors import RequestRefused, ServerFailed
from toolgauge.upstream.messages import (
    MAX_MESSAGE_BYTES,
    TOO_MANY_VALUES,
    ValueCount,
    too_large,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MAX_PAGES = 1_000
"""Most pages of one tool list."""

MAX_TOOLS = 100_000
"""Most tools of one tool list."""

MAX_LIST_BYTES = MAX_MESSAGE_BYTES
"""Largest tool list, all pages together, in bytes."""

LIST_SHARE = 6
"""How many times the wait for the first answer the whole list may take."""


@dataclass(slots=True)
class Listed:
    """What a server lists.

    Attributes:
        entries: Everything that it gave, broken entries too.
        ttl_ms: How long all of it is fresh, in milliseconds; ``None`` where it does
            not say.
        fault: Why it is not complete, as the end of a sentence; ``None`` where it is.
        is_cut: Whether that is a bound of ours.
    """

    entries: list[object] = field(default_factory=list)
    ttl_ms: float | None = None
    fault: str | None = None
    is_cut: bool = False

    def cut(self, fault: str) -> None:
        """Note that the list passes a bound."""
        self.fault, self.is_cut = fault, True

    def take(self, page: object) -> str | None:
        """Add a page, and give the cursor of the next one.

        Raises:
            ValueError: It is none. The words are the end of a sentence.
        """
        tools = page.get("tools") if isinstance(page, Mapping) else None
        if not isinstance(page, Mapping) or not isinstance(tools, list):
            msg = f"answered tools/list with tools as {kind_of(tools)}"
            raise ValueError(msg)  # noqa: TRY004 - JSON of another shape, as below
        self.entries += tools
        ttl_ms = page.get("ttlMs")
        if isinstance(ttl_ms, int | float):
            self.ttl_ms = ttl_ms if self.ttl_ms is None else min(self.ttl_ms, ttl_ms)
        # Source: MCP 2025-11-25, server/utilities/pagination: cursors are opaque strings
        # and a missing one is the end. An empty one is how some servers write that.
        cursor = page.get("nextCursor") or None
        if cursor is not None and not isinstance(cursor, str):
            msg = f"gave the nextCursor {shown(cursor)}, which is no string"
            raise ValueError(msg)
        return cursor


async def read_pages(
    page: Callable[[str | None], Awaitable[Any]], limit_s: float = math.inf
) -> Listed:
    """Follow ``nextCursor`` to the end. What was listed before a page goes wrong is kept.

    Args:
        page: Asks for one page: ``await page(cursor)`` gives the result as it came.
        limit_s: Longest time for the whole list, in seconds.

    Raises:
        ValueError: The first page is no list.
        RequestRefused: The server refuses the first page, as ``page`` says it.
        ServerFailed: The same, where it is gone or late.
        TimeoutError: The same, where ``page`` says that it is late, or with ``limit_s``
            where that is over.
    """
    listed = Listed()
    with anyio.move_on_after(limit_s) as scope:
        await _follow(page, listed)
    if scope.cancelled_caught:
        if not listed.entries:
            raise TimeoutError(limit_s)
        listed.cut(f"it did not end within {limit_s:g} s")
    return listed


async def _follow(page: Callable[[str | None], Awaitable[Any]], listed: Listed) -> None:
    """Read page after page, up to the end or a bound."""
    first = await page(None)
    cursor = listed.take(first)
    seen: set[str] = set()
    size = _Size()
    passed = size.passed_by(first, listed) if cursor is not None else _excess(listed)
    while cursor is not None and passed is None:
        if cursor in seen:
            listed.fault = f"it gave the nextCursor {shown(cursor)} again"
            return
        seen.add(cursor)
        if len(seen) >= MAX_PAGES:
            listed.cut(f"it has more than {MAX_PAGES} pages")
            return
        try:
            found = await page(cursor)
            cursor = listed.take(found)
        except (RequestRefused, ServerFailed, TimeoutError, ValueError) as error:
            listed.fault = _words_of(error)
            return
        passed = size.passed_by(found, listed)
    if passed is not None:
        listed.cut(f"it has {passed}")


class _Size:
    """The size of several pages together."""

    def __init__(self) -> None:
        self._bytes = 0
        self._values = ValueCount()

    def passed_by(self, page: Any, listed: Listed) -> str | None:
        """Add a page, and return which bound is passed by it."""
        try:
            raw = dump_json(page)
        except TypeError:  # of a server object in this process
            return "values that JSON has no form for"
        self._bytes += len(raw)
        if self._bytes > MAX_LIST_BYTES:
            return too_large(MAX_LIST_BYTES)
        return TOO_MANY_VALUES if self._values.add(raw) else _excess(listed)


def _excess(listed: Listed) -> str | None:
    """Return the bound on tools where it is passed."""
    return None if len(listed.entries) <= MAX_TOOLS else f"more than {MAX_TOOLS:,} tools"


def _words_of(error: Exception) -> str:
    """Say what went wrong with a later page."""
    if isinstance(error, TimeoutError):
        return "a later page did not come in time"
    return error.reason if isinstance(error, ServerFailed) else str(error)
