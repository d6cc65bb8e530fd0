"""The MCP dialect: ``/mcp`` over HTTP, and the same over stdio, in front of any source.

The only room beside ``upstream`` that may import the MCP SDK.
"""

from __future__ import annotations

from toolgauge.serve.mcp.app import McpApp, create_mcp_app, endpoint_of
from toolgauge.serve.mcp.stdio import serve_mcp_stdio

__all__ = ["McpApp", "create_mcp_app", "endpoint_of", "serve_mcp_stdio"]
