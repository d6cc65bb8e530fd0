"""A server object whose call never ends. Serve ``tests.serve.mcp.hanging:server``."""

from __future__ import annotations

import asyncio

import anyio
from mcp.server.mcpserver import MCPServer

server = MCPServer("hanging", version="1.0.0")


@server.tool()
async def hang(begun: str) -> str:
    """Say in a file that it is at work, and wait for ever."""
    await anyio.Path(begun).touch()
    await asyncio.Event().wait()
    return "never"
