"""The explorer's ASGI application, and the three ways into a host application."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Unpack

from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Mount, Route

from toolgauge.contract import UnknownTool
from toolgauge.gate import CanonicalDialect, Gate
from toolgauge.serve.access import Guard, Unauthorized, enter
from toolgauge.serve.calling import Calling, Rpc
from toolgauge.serve.contract_log import number_after
from toolgauge.serve.discovery import Validation, list_tools, show_tool
from toolgauge.serve.messages import (
    INTERNAL_ERROR,
    NOT_FOUND,
    TOO_LARGE,
    UNAUTHORIZED,
    Answer,
    BodyReceive,
    ClientGone,
    error_answer,
    is_declared_too_large,
    json_answer,
    not_allowed,
)
from toolgauge.serve.page import render_page
from toolgauge.serve.paths import Target, target_of
from toolgauge.serve.settings import Settings
from toolgauge.serve.targets import TargetViews

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from toolgauge.contract import HandleCall, ToolsProvider
    from toolgauge.serve.contract_log import LogFeed
    from toolgauge.serve.settings import Options

_LOG = logging.getLogger(__name__)

_READ = ("GET", "HEAD", "OPTIONS")
_POST = ("POST", "OPTIONS")
_ALLOW = {
    **dict.fromkeys(("page", "list", "detail", "log"), _READ),
    **dict.fromkeys(("targets", "target", "formats", "matrix"), _READ),
    **dict.fromkeys(("validate", "call", "rpc"), _POST),
}
_FORBIDDEN = error_answer(403, "Foreign origin or host")


class ExplorerApp:
    """Serves one set of tools. Stateless but for caches; safe for concurrent requests.

    Args:
        tools: Any ``ToolsProvider``.
        handle_call: Runs calls; ``None`` to run each tool's own handler.
        settings: Everything else.

    Attributes:
        gate: Where calls go; for what else serves the same tools.
    """

    def __init__(
        self, tools: ToolsProvider, handle_call: HandleCall | None, settings: Settings
    ) -> None:
        bounds = settings.bounds
        self.gate: Gate = Gate(tools, handle_call, formats=settings.formats, bounds=bounds)
        self._catalog = self.gate.catalog
        self._guard = Guard(settings.allowed_hosts)
        self._bounds = bounds
        self._validation = Validation(self.gate.check, bounds)
        self._calling = Calling(self.gate, settings)
        self._targets = TargetViews(self._catalog)
        self._log_feed = settings.log_feed
        self._auth_hook = settings.auth_hook
        self._rpc = Rpc(CanonicalDialect(self.gate, settings.recorder), settings)
        self._page = render_page(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever goes wrong."""
        if scope["type"] != "http":
            await _refuse(scope, receive, send)
            return
        method: str = scope["method"]
        timed = BodyReceive(receive, self._bounds)
        try:
            target = target_of(scope)
            answer = self._refusal(target, method, scope)
            if answer is None:
                request = Request(scope) if self._catalog.takes_request else None
                if target.action == "validate" and method == "POST":
                    # Asked for at every keystroke, so nothing stands around it.
                    answer = await self._validation.answer(target.name, timed, request)
                else:
                    answer = await self._answer(target, method, scope, timed, request)
        except UnknownTool as error:
            answer = error_answer(404, str(error))
        except ClientGone:
            if timed.late is None:
                return
            answer = timed.late
        except Exception:  # noqa: BLE001 - the outermost edge
            _LOG.exception("a request failed")
            answer = INTERNAL_ERROR
        start, body = answer.messages(has_body=method != "HEAD")
        await send(start)
        await send(body)

    async def _answer(
        self, target: Target, method: str, scope: Scope, receive: Receive, request: Request | None
    ) -> Answer:
        """Answer a request that is not refused unseen, with every check in its order."""
        if target.action == "call" and method == "POST":
            return await self._calling.answer(target.name, scope, receive)
        if target.action == "rpc" and method == "POST":
            return await self._rpc.answer(scope, receive)
        allow = _ALLOW[target.action]
        if method == "OPTIONS":
            return Answer(204, b"", ((b"allow", ", ".join(allow).encode()),))
        if method not in allow:
            if target.name:
                await self._catalog.find(target.name, request)
            return not_allowed(allow)
        if target.action == "log" and self._log_feed is not None:
            return await self._log(self._log_feed, scope, receive)
        return await self._read(target, request)

    def _refusal(self, target: Target, method: str, scope: Scope) -> Answer | None:
        """Refuse what needs no look at the tools."""
        is_guarded = target.action == "log" or (
            method == "POST" and target.action in {"call", "rpc"}
        )
        is_checked = self._guard.knows_hosts or is_guarded
        if is_checked and self._guard.is_foreign(scope):
            return _FORBIDDEN
        if target.action not in _ALLOW:
            return NOT_FOUND
        if target.action == "log" and self._log_feed is None:
            return NOT_FOUND
        if target.action == "rpc":
            return None  # it says the same in its own words
        return TOO_LARGE if is_declared_too_large(scope, self._bounds.max_body_bytes) else None

    async def _read(self, target: Target, request: Request | None) -> Answer:
        """Answer ``GET`` and ``HEAD``."""
        if target.action == "list":
            return await list_tools(self._catalog, request)
        if target.action == "detail":
            return await show_tool(self._catalog, target.name, request)
        if target.action == "page":
            return self._page
        return await self._targets.answer(target, request)

    async def _log(self, feed: LogFeed, scope: Scope, receive: Receive) -> Answer:
        """Answer with the newest records, to whoever may call tools."""
        async with AsyncExitStack() as stack:
            if self._auth_hook is not None:
                try:
                    await enter(self._auth_hook, Request(scope, receive), stack)
                except Unauthorized:
                    return UNAUTHORIZED
            return json_answer(200, feed.since(number_after(scope)))


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


def create_app(
    tools: ToolsProvider, handle_call: HandleCall | None = None, **options: Unpack[Options]
) -> ExplorerApp:
    """Make a standalone ASGI application: explorer page, discovery, validation, calls.

    Args:
        tools: A list of tools of any shape, or a function (sync or async) that
            returns one. A function is called for every request.
        handle_call: ``(name, args)`` or ``(name, args, request)`` to
            ``(content, is_error, trace_id)``; ``None`` to run each tool's own
            ``handler``.
        **options: See ``Settings``.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.
    """
    return ExplorerApp(tools, handle_call, Settings(**options))


def create_mount(
    prefix: str = "/explorer",
    *,
    tools: ToolsProvider,
    handle_call: HandleCall | None = None,
    **options: Unpack[Options],
) -> Mount:
    """Make a mount for a Starlette or FastAPI application.

    The page answers at the prefix with and without a trailing slash: a redirect
    between them would lose the part of the path that a proxy strips.

    Args:
        prefix: Where to mount.
        tools: As for ``create_app``.
        handle_call: As for ``create_app``.
        **options: See ``Settings``.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.
    """
    return _ExactMount(prefix, app=create_app(tools, handle_call, **options))


def build_routes(
    tools: ToolsProvider, handle_call: HandleCall | None = None, **options: Unpack[Options]
) -> list[BaseRoute]:
    """Make the routes themselves, for an application that serves them at its root.

    Args:
        tools: As for ``create_app``.
        handle_call: As for ``create_app``.
        **options: See ``Settings``.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.
    """
    app = ExplorerApp(tools, handle_call, Settings(**options))
    paths = ["/", "/rpc", "/tools", "/tools/{rest:path}", "/targets"]
    if options.get("log_feed") is not None:
        paths.append("/log")
    return [Route(path, endpoint=app) for path in paths]


class _ExactMount(Mount):
    """A mount that also answers at its prefix without a slash."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        if match is Match.NONE and scope["type"] == "http":
            return super().matches({**scope, "path": f"{scope['path']}/"})
        return match, child
