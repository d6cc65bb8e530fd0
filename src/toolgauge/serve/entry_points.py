"""The three ways into a host application: a mount, an application, routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack

from starlette.routing import BaseRoute, Match, Mount, Route

from toolgauge.serve.explorer_app import ExplorerApp
from toolgauge.serve.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Scope

    from toolgauge.contract import Bounds, HandleCall, ToolsProvider
    from toolgauge.gate import Recorder
    from toolgauge.serve.auth import AuthHook
    from toolgauge.serve.log_feed import LogFeed


class Options(TypedDict, total=False):
    """The keyword arguments of all three, as ``Settings`` describes them."""

    allow_execute: bool
    auth_hook: AuthHook | None
    title: str
    project_name: str | None
    project_url: str | None
    formats: bool
    bounds: Bounds
    allowed_hosts: Iterable[str] | None
    recorder: Recorder | None
    log_feed: LogFeed | None
    mcp_path: str | None


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
