"""MCP request lines: ``{"jsonrpc": "2.0", "method": "tools/call", "params": {…}}``.

Source: MCP 2025-11-25, server/tools, Calling Tools: ``arguments`` may be left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import MISSING, Call, Shape
from toolgauge.audit.shapes.members import malformed, named_call

if TYPE_CHECKING:
    from toolgauge.audit.calls import Found

_CANONICAL_PREFIX = "mcp.tool:"


def read_mcp(row: Any) -> Found | None:
    """Read a JSON-RPC message; what is no request for a call holds none."""
    if not isinstance(row, dict) or "jsonrpc" not in row:
        return None
    params = row.get("params")
    if isinstance(params, dict) and str(params.get("tool", "")).startswith(_CANONICAL_PREFIX):
        # The canonical envelope names the tool and its input itself.
        name = params["tool"].removeprefix(_CANONICAL_PREFIX)
        return (Call(name, params.get("input", MISSING), ("params", "input")),)
    if row.get("method") != "tools/call":
        return ()
    if not isinstance(params, dict):
        return (malformed(("params",), "is no object", params),)
    read = named_call(params, ("params",), tool="name", arguments="arguments")
    if isinstance(read, Call) and read.arguments is MISSING:
        return (Call(read.tool, {}, read.path),)
    return (read,)


SHAPE = Shape(
    name="mcp",
    title="JSON-RPC lines of MCP clients",
    read=read_mcp,
)
