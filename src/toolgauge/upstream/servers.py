"""Opening an MCP server over any transport, and reading its whole list."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolgauge.upstream.client import connected
from toolgauge.upstream.errors import ServerFailed
from toolgauge.upstream.paging import LIST_SHARE, read_pages
from toolgauge.upstream.problems import SourceProblem, screen, shown
from toolgauge.wire import Declared

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from toolgauge.contract.bounds import Bounds
    from toolgauge.upstream.client import Client
    from toolgauge.upstream.wires import Dial


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a server offers, and the client to call it with."""

    client: Client
    tools: list[Any]
    problems: tuple[SourceProblem, ...]
    entries: tuple[Declared, ...]


@asynccontextmanager
async def open_server(dial: Dial, bounds: Bounds) -> AsyncIterator[Listing]:
    """Connect to a server, list its tools, and stay connected.

    Raises:
        ServerFailed: It exited, refused, timed out, or its list never ends.
        SourceNotTools: It offers no tools.
    """
    async with AsyncExitStack() as stack:
        client = await _connected(stack, dial, bounds)
        entries, notes = await _list_in_time(client, bounds)
        tools, problems = screen(entries)
        tools, refused = _without_bad_headers(client, tools)
        yield Listing(
            client=client,
            tools=tools,
            problems=(*problems, *refused, *notes, *_noise(client)),
            entries=tuple(Declared(raw=each, wire=each) for each in entries),
        )


async def _connected(stack: AsyncExitStack, dial: Dial, bounds: Bounds) -> Client:
    """Connect and negotiate; a server that may be older gets a second, older attempt.

    Some servers of the older era exit at the first message that they do not know, which
    is the probe of the newer one; and a URL may be one of the transport of 2024. The
    first failure is the one that is reported.
    """
    first: ServerFailed | None = None
    for is_older in (False, True):
        attempt = AsyncExitStack()
        try:
            client = await attempt.enter_async_context(
                connected(dial, bounds, older_transport=is_older)
            )
        except ServerFailed as error:
            raise first or error from None
        try:
            await client.negotiate(older_only=is_older)
        except ServerFailed as error:
            first = first or error
            is_over = not client.wire.may_be_older
            await attempt.aclose()
            if is_over:
                break
        except BaseException:
            await attempt.aclose()
            raise
        else:
            stack.push_async_exit(attempt)
            return client
    raise first or ServerFailed("server", "there is no way to connect")


async def _list_in_time(client: Client, bounds: Bounds) -> tuple[list[object], list[SourceProblem]]:
    """List everything within the bounds; a list that is not complete is kept, with a problem."""
    seconds = bounds.connect_timeout_s * LIST_SHARE
    try:
        listed = await read_pages(client.list_page, seconds)
    except TimeoutError:
        raise await client.wire.failure(
            f"did not finish listing its tools within {seconds:g} s"
        ) from None
    except ValueError as error:
        raise ServerFailed(client.wire.label, str(error)) from None
    if listed.fault is None:
        return listed.entries, []
    return listed.entries, [SourceProblem(message=f"the list is not complete: {listed.fault}")]


def _without_bad_headers(client: Client, tools: list[Any]) -> tuple[list[Any], list[SourceProblem]]:
    """Leave out tools whose HTTP header annotations a client must refuse."""
    kept: list[Any] = []
    problems: list[SourceProblem] = []
    for index, tool in enumerate(tools):
        reason = client.learn_headers(tool)
        if reason is None:
            kept.append(tool)
        else:
            message = f"x-mcp-header: {reason}; it is left out"
            problems.append(SourceProblem(name=tool["name"], index=index, message=message))
    return kept, problems


def _noise(client: Client) -> list[SourceProblem]:
    """Report lines on stdout that are no messages: other clients may give up there."""
    first = client.wire.noise
    if first is None:
        return []
    return [SourceProblem(message=f"the server writes other text to stdout, first {shown(first)}")]
