"""Streams of the SDK to a server object in this very process."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server import Server
from mcp.shared.memory import create_client_server_memory_streams

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.client._transport import TransportStreams

_log = logging.getLogger(__name__)

_END_GRACE_S = 2.0


def lowlevel_server(server: object) -> Server[Any] | None:
    """Find the SDK's ``Server`` in an object: itself, or the one inside a shell around it.

    ``MCPServer`` is such a shell, and FastMCP's ``FastMCP``. Nothing public leads from
    them to it; the clients of both read the same attributes.
    """
    inner = getattr(server, "_lowlevel_server", getattr(server, "_mcp_server", server))
    return inner if isinstance(inner, Server) else None


@dataclass(slots=True)
class InProcess:
    """A server that runs in a task of ours.

    Attributes:
        streams: To it and from it.
        raised: What the user's own code ended it with: class and text.
    """

    streams: TransportStreams
    raised: str | None = None


@asynccontextmanager
async def open_memory(server: Server[Any]) -> AsyncIterator[InProcess]:
    """Run the server in a task, as a transport would, and give the streams to it."""
    async with (
        create_client_server_memory_streams() as (ours, theirs),
        anyio.create_task_group() as tasks,
    ):
        ended = anyio.Event()
        running = InProcess(ours)
        tasks.start_soon(_run, server, theirs, running, ended)
        yield running
        await ours[1].aclose()
        with anyio.move_on_after(_END_GRACE_S):
            await ended.wait()
        tasks.cancel_scope.cancel()


async def _run(server: Server[Any], streams: Any, running: InProcess, ended: anyio.Event) -> None:
    """Serve until our side closes. What the user's lifespan raises ends it early."""
    read, write = streams
    try:
        await server.run(read, write, server.create_initialization_options())
    except Exception as error:  # noqa: BLE001 - the user's own code
        _log.debug("the server object failed", exc_info=True)
        running.raised = f"{type(error).__name__}: {str(error)[:200]}"
        await write.aclose()
    finally:
        ended.set()
