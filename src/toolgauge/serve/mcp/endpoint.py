"""The MCP endpoint in front of a gate, a server object, or a server elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from toolgauge.gate import Gate, Slots
from toolgauge.serve.mcp.app import McpApp
from toolgauge.serve.mcp.backends import LocalBackend, ObjectBackend
from toolgauge.serve.mcp.contracts import Contracts
from toolgauge.serve.mcp.conversations import Conversations
from toolgauge.serve.mcp.journal import Journal
from toolgauge.serve.mcp.local import LocalServer
from toolgauge.serve.mcp.sessions import session_limit
from toolgauge.serve.mcp.upstreams import Greeter, RelayBackend
from toolgauge.serve.settings import Settings

if TYPE_CHECKING:
    from toolgauge.contract import HandleCall, ToolsProvider
    from toolgauge.serve.entry_points import Options
    from toolgauge.serve.mcp.app import Backend
    from toolgauge.upstream import Upstream

ROUTE = "/mcp"
"""Where the endpoint lies, and what logs call it wherever it lies."""


def create_mcp_app(
    tools: ToolsProvider, handle_call: HandleCall | None = None, **options: Unpack[Options]
) -> McpApp:
    """Make an ASGI application that serves tools over MCP, at whatever path it is mounted.

    Both eras of the protocol are spoken: Streamable HTTP with sessions up to
    2025-11-25, stateless requests from 2026-07-28 on.

    Args:
        tools: As for ``create_app``.
        handle_call: As for ``create_app``.
        **options: See ``Settings``. Tools are run unless ``allow_execute`` is false:
            there is little else that an MCP server is for.

    Raises:
        InvalidProvider: If ``tools`` cannot provide any.

    Example:
        >>> from toolgauge.contract import Tool
        >>> app = create_mcp_app([Tool(name="now", handler=lambda _: "noon")])
    """
    options.setdefault("allow_execute", True)
    settings = Settings(**options)
    gate = Gate(tools, handle_call, formats=settings.formats, bounds=settings.bounds)
    return endpoint_of(gate, settings)


def endpoint_of(gate: Gate, settings: Settings, upstream: Upstream | None = None) -> McpApp:
    """Make the endpoint for a source that is open already.

    Args:
        gate: The tools, where they are in this process.
        settings: How they are served.
        upstream: The source; ``None`` where there is nothing but the gate.
    """
    journal = Journal(settings.recorder, transport="http", route=ROUTE)
    starts_processes = upstream is not None and upstream.starts_processes
    limit = session_limit(settings.bounds, starts_processes=starts_processes)
    return McpApp(_backend(gate, settings, upstream, journal), settings, journal, limit)


def _backend(
    gate: Gate, settings: Settings, upstream: Upstream | None, journal: Journal
) -> Backend:
    """Choose what stands behind the endpoint."""
    contracts = Contracts(
        formats=settings.formats, bounds=settings.bounds, allow_execute=settings.allow_execute
    )
    if upstream is not None and upstream.server is not None:
        return ObjectBackend(upstream.server, contracts, journal)
    if upstream is not None and upstream.dial is not None:
        slots = Slots(settings.bounds.max_calls_in_flight)
        conversations = Conversations(upstream.dial, contracts, settings.bounds, slots)
        return RelayBackend(Greeter(conversations), journal)
    return LocalBackend(LocalServer(gate, allow_execute=settings.allow_execute), journal)
