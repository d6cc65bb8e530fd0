"""Opening an MCP server over whichever transport, and reading its whole list."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp.client.stdio import get_default_environment

from toolgauge.upstream.entries import Entry
from toolgauge.upstream.errors import ServerFailed
from toolgauge.upstream.http import check_url, open_sse, open_streamable
from toolgauge.upstream.link import Link, unwrapped
from toolgauge.upstream.memory import open_memory
from toolgauge.upstream.paging import LIST_SHARE as _LIST_SHARE
from toolgauge.upstream.paging import read_pages
from toolgauge.upstream.problems import SourceProblem, screen, shown
from toolgauge.upstream.session import Session
from toolgauge.upstream.stdio import open_stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from mcp.server import Server

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.source import CommandSource, UrlSource

_OLDER_TRANSPORT = frozenset({400, 404, 405})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a server offers, and the connection to call it over."""

    link: Link
    tools: list[Any]
    problems: tuple[SourceProblem, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to connect, and whether it speaks the older era only."""

    connect: Callable[[], AbstractAsyncContextManager[Link]]
    legacy_only: bool = False


def open_command(
    source: CommandSource, bounds: Bounds, env: Mapping[str, str]
) -> AbstractAsyncContextManager[Listing]:
    """Start a server and list its tools.

    Some servers of the older era end at the first message that they do not
    know, which is the probe of the newer one. They get a second start.
    """
    connect = partial(_over_stdio, source, bounds, get_default_environment() | dict(env))
    return _open([_Way(connect), _Way(connect, legacy_only=True)])


def open_url(
    source: UrlSource, bounds: Bounds, headers: Mapping[str, str]
) -> AbstractAsyncContextManager[Listing]:
    """Connect to a server and list its tools: Streamable HTTP, then HTTP+SSE.

    Raises:
        InvalidSource: The URL is none.
    """
    check_url(source)
    streamable = partial(_over_http, source, bounds, headers)
    sse = partial(_over_sse, source, bounds, headers)
    return _open([_Way(streamable), _Way(sse, legacy_only=True)])


def open_object(
    server: Server[Any], label: str, bounds: Bounds
) -> AbstractAsyncContextManager[Listing]:
    """Run a server object in this process and list its tools."""
    return _open([_Way(partial(_in_memory, server, label, bounds))])


@asynccontextmanager
async def _open(ways: Sequence[_Way]) -> AsyncIterator[Listing]:
    """Connect in the first way that works, list, and stay connected.

    Raises:
        ServerFailed: It died, refused, was late, or its list never ends.
    """
    async with AsyncExitStack() as stack:
        link = await _connected(stack, ways)
        entries, notes = await _list_in_time(link)
        tools, problems = screen(entries)
        tools, refused = _without_bad_headers(link, tools)
        yield Listing(
            link=link,
            tools=tools,
            problems=(*problems, *refused, *notes, *_noise(link)),
            entries=tuple(Entry(raw=each, wire=each) for each in entries),
        )


async def _connected(stack: AsyncExitStack, ways: Sequence[_Way]) -> Link:
    """Try the ways in order; the first failure is the one that is reported."""
    first: ServerFailed | None = None
    for way in ways:
        attempt = AsyncExitStack()
        try:
            link = await attempt.enter_async_context(unwrapped(way.connect()))
        except ServerFailed as error:
            raise first or error from None
        try:
            await link.negotiate(legacy_only=way.legacy_only)
        except ServerFailed as error:
            first = first or error
            await attempt.aclose()
            if not _is_worth_another(link):
                break
        except BaseException:
            await attempt.aclose()
            raise
        else:
            stack.push_async_exit(attempt)
            return link
    raise first or ServerFailed("server", "there is no way to connect")


def _is_worth_another(link: Link) -> bool:
    """Tell a server that may speak an older protocol from one that is not there.

    Source: MCP 2025-11-25, basic/transports, "Backwards Compatibility": a POST
    that is answered with 400, 404 or 405 may be an older server's.
    """
    if link.pipe is not None:
        return link.pipe.child.exit_code is not None
    return link.http_status in _OLDER_TRANSPORT


async def _list_in_time(link: Link) -> tuple[list[object], list[SourceProblem]]:
    """List everything within the bounds; a list that is not complete is kept, with a problem."""
    seconds = link.bounds.connect_timeout_s * _LIST_SHARE
    try:
        listed = await read_pages(link.list_page, seconds)
    except TimeoutError:
        raise await link.failure(f"did not finish listing its tools within {seconds:g} s") from None
    except ValueError as error:
        raise ServerFailed(link.label, str(error)) from None
    if listed.fault is None:
        return listed.entries, []
    return listed.entries, [SourceProblem(message=f"the list is not complete: {listed.fault}")]


def _without_bad_headers(link: Link, tools: list[Any]) -> tuple[list[Any], list[SourceProblem]]:
    """Leave out tools whose HTTP header annotations a client must refuse."""
    kept: list[Any] = []
    problems: list[SourceProblem] = []
    for index, tool in enumerate(tools):
        reason = link.session.learn_headers(tool)
        if reason is None:
            kept.append(tool)
        else:
            message = f"x-mcp-header: {reason}; it is left out"
            problems.append(SourceProblem(name=tool["name"], index=index, message=message))
    return kept, problems


def _noise(link: Link) -> list[SourceProblem]:
    """Report lines on stdout that are no messages: other clients may give up there."""
    if link.pipe is None or not link.pipe.output.noise:
        return []
    first = shown(link.pipe.output.first_noise)
    return [SourceProblem(message=f"the server writes other text to stdout, first {first}")]


@asynccontextmanager
async def _over_stdio(
    source: CommandSource, bounds: Bounds, env: Mapping[str, str]
) -> AsyncIterator[Link]:
    async with open_stdio(source, env) as pipe, Session((pipe.read, pipe.write)) as session:
        yield Link(source.label, session, bounds, pipe)


@asynccontextmanager
async def _over_http(
    source: UrlSource, bounds: Bounds, headers: Mapping[str, str]
) -> AsyncIterator[Link]:
    async with open_streamable(source, headers, bounds) as streams, Session(streams) as session:
        yield Link(source.label, session, bounds)


@asynccontextmanager
async def _over_sse(
    source: UrlSource, bounds: Bounds, headers: Mapping[str, str]
) -> AsyncIterator[Link]:
    async with open_sse(source, headers, bounds) as streams, Session(streams) as session:
        yield Link(source.label, session, bounds)


@asynccontextmanager
async def _in_memory(server: Server[Any], label: str, bounds: Bounds) -> AsyncIterator[Link]:
    async with open_memory(server) as running, Session(running.streams) as session:
        yield Link(label, session, bounds, running=running)
