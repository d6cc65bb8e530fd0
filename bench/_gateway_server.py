"""One MCP server of the gateway benchmark: over HTTP or over stdio, ours or a peer's.

    python -m bench._gateway_server http ours|sdk|fastmcp
    python -m bench._gateway_server stdio

The HTTP ones read a line of JSON that says how to serve, and print their port.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

if TYPE_CHECKING:
    from starlette.types import ASGIApp


async def add(a: int, b: int) -> str:
    """Add two whole numbers."""
    return str(a + b)


def ours() -> ASGIApp:
    from toolgauge.serve.mcp import create_mcp_app

    async def handler(args: dict[str, Any]) -> str:
        return await add(args["a"], args["b"])

    number = {"type": "integer"}
    schema = {
        "type": "object",
        "properties": {"a": number, "b": number},
        "required": ["a", "b"],
    }
    from toolgauge.contract import Tool

    tool = Tool(
        name="add", description="Add two whole numbers.", input_schema=schema, handler=handler
    )
    return create_mcp_app([tool])


def sdk() -> ASGIApp:
    """The official SDK at its best: no sessions, JSON and no streams, no output schema."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.transport_security import TransportSecuritySettings

    server = MCPServer("sdk", log_level="CRITICAL")
    server.tool(structured_output=False)(add)
    off = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return server.streamable_http_app(
        stateless_http=True, json_response=True, transport_security=off
    )


def fastmcp() -> ASGIApp:
    """FastMCP at its best: the same."""
    from fastmcp import FastMCP

    server = FastMCP("fastmcp")
    server.tool(add, output_schema=None)
    return server.http_app(stateless_http=True, json_response=True)


APPS = {"ours": ours, "sdk": sdk, "fastmcp": fastmcp}


def serve_http(name: str) -> None:
    spec = json.loads(sys.stdin.readline())
    logging.disable(logging.CRITICAL)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = uvicorn.Config(
        APPS[name](),
        access_log=False,
        log_level="critical",
        http=spec["http"],
        loop=spec["loop"],
    )
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listener])


def serve_stdio() -> None:
    """A small server of the SDK: what most servers in Python are."""
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("sum", log_level="CRITICAL")
    server.tool(structured_output=False)(add)
    server.run()


if __name__ == "__main__":
    if sys.argv[1] == "http":
        serve_http(sys.argv[2])
    else:
        serve_stdio()
