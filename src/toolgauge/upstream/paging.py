"""The whole of a list that a server gives page by page, or as much of it as there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolgauge.upstream.errors import RequestRefused, ServerFailed
from toolgauge.upstream.problems import kind_of, shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MAX_PAGES = 1_000
"""Most pages of one tool list."""


@dataclass(slots=True)
class Listed:
    """What a server lists.

    Attributes:
        entries: Everything that it gave, broken entries too.
        ttl_ms: How long all of it is fresh, in milliseconds; ``None`` where it does
            not say.
        fault: Why it is not complete, as the end of a sentence; ``None`` where it is.
    """

    entries: list[object] = field(default_factory=list)
    ttl_ms: float | None = None
    fault: str | None = None

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


async def read_pages(page: Callable[[str | None], Awaitable[Any]]) -> Listed:
    """Follow ``nextCursor`` to the end. What was listed before a page goes wrong is kept.

    Args:
        page: Asks for one page: ``await page(cursor)`` gives the result as it came.

    Raises:
        ValueError: The first page is no list.
        RequestRefused: The server refuses the first page, as ``page`` says it.
        ServerFailed: The same, where it is gone or late.
        TimeoutError: The same, where ``page`` says that it is late.
    """
    listed = Listed()
    cursor = listed.take(await page(None))
    seen: set[str] = set()
    while cursor is not None:
        if cursor in seen:
            listed.fault = f"it gave the nextCursor {shown(cursor)} again"
            break
        seen.add(cursor)
        if len(seen) >= MAX_PAGES:
            listed.fault = f"it has more than {MAX_PAGES} pages"
            break
        try:
            cursor = listed.take(await page(cursor))
        except (RequestRefused, ServerFailed, TimeoutError, ValueError) as error:
            listed.fault = _words_of(error)
            break
    return listed


def _words_of(error: Exception) -> str:
    """Say what went wrong with a later page."""
    if isinstance(error, TimeoutError):
        return "a later page did not come in time"
    return error.reason if isinstance(error, ServerFailed) else str(error)
