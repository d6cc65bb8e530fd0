"""Requests for tools in this process, answered without the SDK.

A call ends when its client hangs up or takes it back.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
from mcp.server.streamable_http import REQUEST_CANCELLED
from starlette.requests import Request as HttpRequest

from toolgauge.envelope import CanonicalCode, is_id
from toolgauge.serve.bodies import header
from toolgauge.serve.mcp.headers import SESSION, by_name
from toolgauge.serve.mcp.replies import Reply, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Receive, Scope

    from toolgauge.envelope import Notification, Request
    from toolgauge.serve.mcp.local import LocalServer

_WATCH_AFTER_S = 0.2
"""A call that takes longer than this is watched for a client that hangs up."""


class ClientLeft(Exception):
    """The client hung up while its call was running."""


class Direct:
    """Answers requests from a local server, and cancels what is taken back.

    Args:
        local: The tools.
    """

    def __init__(self, local: LocalServer) -> None:
        self._local = local
        self._running: dict[tuple[bytes, object], anyio.CancelScope] = {}

    async def reply(
        self, request: Request, version: str, scope: Scope, receive: Receive, *, is_newer: bool
    ) -> Reply:
        """Answer one request.

        Raises:
            ClientLeft: The client hung up.
        """
        caller = HttpRequest(scope)
        headers = by_name(scope) if is_newer else None
        if request.method != "tools/call":
            return await self._local.reply(request, version, caller, headers)
        key = (header(scope, SESSION) or b"", request.id)
        with anyio.CancelScope() as cancelled, _watched(receive, cancelled) as left:
            self._running[key] = cancelled
            try:
                return await self._local.reply(request, version, caller, headers)
            finally:
                if self._running.get(key) is cancelled:
                    del self._running[key]
        if left:
            raise ClientLeft
        return refusal(
            CanonicalCode.INTERNAL_ERROR,
            jsonrpc_code=REQUEST_CANCELLED,
            message="Request cancelled",
        )

    def has(self, key: tuple[bytes, object]) -> bool:
        """Whether a call of this key, a session and an id, is running."""
        return key in self._running

    def take_back(self, notification: Notification, scope: Scope) -> None:
        """Cancel the call that a notification names, if it is of the same session."""
        session = header(scope, SESSION)
        if notification.method != "notifications/cancelled" or session is None:
            return
        ident = (notification.params or {}).get("requestId")
        running = self._running.get((session, ident)) if is_id(ident) else None
        if running is not None:
            running.cancel()


@contextmanager
def _watched(receive: Receive, scope: anyio.CancelScope) -> Iterator[list[bool]]:
    """Cancel what takes long when its client hangs up; the list then is not empty."""
    left: list[bool] = []
    watchers: list[asyncio.Task[None]] = []

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        left.append(True)
        scope.cancel()

    loop = asyncio.get_running_loop()
    timer = loop.call_later(_WATCH_AFTER_S, lambda: watchers.append(loop.create_task(watch())))
    try:
        yield left
    finally:
        timer.cancel()
        for watcher in watchers:
            watcher.cancel()
