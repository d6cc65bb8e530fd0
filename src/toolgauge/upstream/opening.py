"""Open a SOURCE: its tools, and the way to call them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio

from toolgauge.contract.bounds import DEFAULT_BOUNDS
from toolgauge.upstream.client import open_server
from toolgauge.upstream.errors import MissingExtra, ServerFailed
from toolgauge.upstream.files import read_file
from toolgauge.upstream.modules import is_server, load_attribute, provide
from toolgauge.upstream.pipes import dial_command
from toolgauge.upstream.source import CommandSource, FileSource, ModuleSource, UrlSource

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from mcp.server import Server

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.entries import Upstream
    from toolgauge.upstream.peer import Dial, Wire
    from toolgauge.upstream.source import Source


_STREAMS = "toolgauge.upstream.streams"

_ENDING_SHARE = 0.5
"""How much of the time for connecting a new process may wait for others to end."""


@asynccontextmanager
async def open_source(
    source: Source,
    *,
    bounds: Bounds = DEFAULT_BOUNDS,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
) -> AsyncIterator[Upstream]:
    """Open a source, and close it and end its process on the way out.

    Enter and leave it in the same task. Calls may come from any task.

    Args:
        source: From ``parse_source``.
        bounds: ``connect_timeout_s`` holds for the start and for each page of
            the list, ``handler_timeout_s`` for each call.
        headers: Sent with every request to a URL; no other source uses them.
        env: Added to the few variables that a server process gets (``PATH``,
            ``HOME`` and the like); no other source uses it.

    Raises:
        SourceError: One of its subclasses; see ``errors``.
    """
    match source:
        case FileSource():
            yield read_file(source)
        case ModuleSource():
            async with _open_module(source, bounds) as upstream:
                yield upstream
        case UrlSource() | CommandSource():
            dial = _dial(source, bounds, headers or {}, env or {})
            is_command = isinstance(source, CommandSource)
            async with open_server(dial, bounds, is_program=is_command) as upstream:
                yield replace(
                    upstream,
                    dial=_limited(dial, source.label, bounds) if is_command else dial,
                    starts_processes=is_command,
                )


def dial_of(
    source: Source, bounds: Bounds, headers: Mapping[str, str], env: Mapping[str, str]
) -> Dial | None:
    """Give the way to connect to a server, once more each time and without a handshake.

    ``None`` where the source is no server. A module is imported here.

    Raises:
        SourceError: The module or its attribute is not there, or the SDK is not.
    """
    match source:
        case FileSource():
            return None
        case ModuleSource():
            found = load_attribute(source)
            return _dial_object(source, found) if is_server(found) else None
        case CommandSource():
            return _limited(_dial(source, bounds, headers, env), source.label, bounds)
        case UrlSource():
            return _dial(source, bounds, headers, env)


def _dial(
    source: UrlSource | CommandSource,
    bounds: Bounds,
    headers: Mapping[str, str],
    env: Mapping[str, str],
) -> Dial:
    """Return the way to connect to a server. Only a URL needs the SDK."""
    if isinstance(source, CommandSource):
        return dial_command(source, env)
    need_sdk(source.label, _STREAMS)
    from toolgauge.upstream.streams import dial_url  # noqa: PLC0415 - it loads the SDK

    return dial_url(source, bounds, headers)


def _limited(dial: Dial, label: str, bounds: Bounds) -> Dial:
    """Bound how many processes run at once; wait for one that is ending.

    There may be one more than there are sessions: clients of the newer era share it.
    """
    room = anyio.Semaphore(bounds.max_upstream_processes + 1)

    @asynccontextmanager
    async def connect(*, older: bool = False) -> AsyncIterator[Wire]:
        with anyio.move_on_after(bounds.connect_timeout_s * _ENDING_SHARE) as waiting:
            await room.acquire()
        if waiting.cancelled_caught:
            number = bounds.max_upstream_processes
            reason = (
                f"could not be started: {number} processes are running (max_upstream_processes)"
            )
            raise ServerFailed(label, reason)
        try:
            async with dial(older=older) as wire:
                yield wire
        finally:
            room.release()

    return connect


def _dial_object(source: ModuleSource, found: object) -> Dial:
    """Give the way to run a server object once more."""
    server = server_of(source, found)
    from toolgauge.upstream.streams import dial_object  # noqa: PLC0415 - it loads the SDK

    return dial_object(server, source.label)


def server_of(source: ModuleSource, found: object) -> Server[Any]:
    """Give the SDK's server in an object.

    Raises:
        MissingExtra: It is one of another version of the SDK.
    """
    need_sdk(source.label, _STREAMS)
    from toolgauge.upstream.streams import lowlevel_server  # noqa: PLC0415 - it loads the SDK

    server = lowlevel_server(found)
    if server is None:
        raise MissingExtra(
            source.label, "is a server of another SDK version; install 'mcp>=2.3,<3'"
        )
    return server


@asynccontextmanager
async def _open_module(source: ModuleSource, bounds: Bounds) -> AsyncIterator[Upstream]:
    """Take the tools of a module, or speak to the server object that it holds."""
    found = load_attribute(source)
    if not is_server(found):
        yield provide(source, found)
        return
    async with open_server(_dial_object(source, found), bounds) as upstream:
        yield replace(upstream, server=server_of(source, found))


def need_sdk(label: str, module: str) -> None:
    """Say what to install, where a module of ours cannot be used for want of the SDK.

    Raises:
        MissingExtra: The SDK or a part of it is not there, or of another version.
    """
    missing = missing_for(module)
    if missing is not None:
        reason = f"MCP needs the MCP SDK ({missing} is not there): pip install 'toolgauge[mcp]'"
        raise MissingExtra(label, reason)


def missing_for(*modules: str) -> str | None:
    """Say which library keeps modules of ours from being used, ``None`` for none.

    They are imported: a library that can be found may still be of another version, have
    lost a part, or be a folder that happens to have its name.

    Args:
        modules: Full names, ``toolgauge.serve.mcp``.

    Raises:
        ImportError: What is missing is our own.
    """
    try:
        for module in modules:
            import_module(module)
    except ImportError as error:
        if (error.name or "").split(".")[0] == __name__.split(".")[0]:
            raise
        return error.name or str(error)
    return None
