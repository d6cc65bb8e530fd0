"""The explorer's ASGI application: page, API, and nothing between them and the server."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from starlette.requests import Request

from toolgauge.contract import Catalog, UnknownTool
from toolgauge.gate import ArgumentCheck, Runner
from toolgauge.serve.answers import (
    INTERNAL_ERROR,
    NOT_FOUND,
    TOO_LARGE,
    Answer,
    error_answer,
    not_allowed,
)
from toolgauge.serve.bodies import ClientGone, is_declared_too_large
from toolgauge.serve.calling import Calling
from toolgauge.serve.discovery import list_tools, show_tool
from toolgauge.serve.guard import Guard
from toolgauge.serve.page import render_page
from toolgauge.serve.paths import Target, target_of
from toolgauge.serve.validation import Validation

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from toolgauge.contract import HandleCall, ToolsProvider
    from toolgauge.serve.settings import Settings

_LOG = logging.getLogger(__name__)

_READ = ("GET", "HEAD", "OPTIONS")
_POST = ("POST", "OPTIONS")
_ALLOW = {"page": _READ, "list": _READ, "detail": _READ, "validate": _POST, "call": _POST}
_FORBIDDEN = error_answer(403, "Foreign origin or host")


class ExplorerApp:
    """Serves one set of tools. Stateless but for caches; safe for concurrent requests.

    Args:
        tools: Any ``ToolsProvider``.
        handle_call: Runs calls; ``None`` to run each tool's own handler.
        settings: Everything else.
    """

    def __init__(
        self, tools: ToolsProvider, handle_call: HandleCall | None, settings: Settings
    ) -> None:
        bounds = settings.bounds
        self._catalog = Catalog(tools)
        self._guard = Guard(settings.allowed_hosts)
        self._max_body_bytes = bounds.max_body_bytes
        check = ArgumentCheck(self._catalog, formats=settings.formats, bounds=bounds)
        self._validation = Validation(check, bounds)
        self._calling = Calling(
            self._catalog,
            check,
            Runner(handle_call, bounds),
            allow_execute=settings.allow_execute,
            auth_hook=settings.auth_hook,
            bounds=bounds,
        )
        self._page = render_page(
            title=settings.title,
            allow_execute=settings.allow_execute,
            project_name=settings.project_name,
            project_url=settings.project_url,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever goes wrong."""
        if scope["type"] != "http":
            await _refuse(scope, receive, send)
            return
        method: str = scope["method"]
        try:
            target = target_of(scope)
            answer = self._refusal(target, method, scope) or await self._answer(
                target, method, scope, receive
            )
        except UnknownTool as error:
            answer = error_answer(404, str(error))
        except ClientGone:
            return
        except Exception:  # noqa: BLE001 - the outermost edge
            _LOG.exception("a request failed")
            answer = INTERNAL_ERROR
        await answer.send(send, has_body=method != "HEAD")

    async def _answer(self, target: Target, method: str, scope: Scope, receive: Receive) -> Answer:
        """Answer a request that is not refused unseen, with every check in its order."""
        request = Request(scope) if self._catalog.takes_request else None
        if target.action == "validate" and method == "POST":
            return await self._validation.answer(target.name, receive, request)
        if target.action == "call" and method == "POST":
            return await self._calling.answer(target.name, scope, receive)
        allow = _ALLOW[target.action]
        if method == "OPTIONS":
            return Answer(204, b"", ((b"allow", ", ".join(allow).encode()),))
        if method not in allow:
            if target.name:
                await self._catalog.find(target.name, request)
            return not_allowed(allow)
        return await self._read(target, request)

    def _refusal(self, target: Target, method: str, scope: Scope) -> Answer | None:
        """Refuse what needs no look at the tools."""
        is_checked = self._guard.knows_hosts or (target.action == "call" and method == "POST")
        if is_checked and self._guard.is_foreign(scope):
            return _FORBIDDEN
        if target.action not in _ALLOW:
            return NOT_FOUND
        return TOO_LARGE if is_declared_too_large(scope, self._max_body_bytes) else None

    async def _read(self, target: Target, request: Request | None) -> Answer:
        """Answer ``GET`` and ``HEAD``."""
        if target.action == "list":
            return await list_tools(self._catalog, request)
        if target.action == "detail":
            return await show_tool(self._catalog, target.name, request)
        return self._page


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Close a WebSocket; take part in an application's life, which asks nothing of us."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1000})
        return
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await send({"type": "lifespan.shutdown.complete"})
            return
