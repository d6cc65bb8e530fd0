"""Model Context Protocol: one request is one call.

```json
{"method": "tools/call", "params": {"name": "add", "arguments": {"a": 1}}}
```

Source: https://modelcontextprotocol.io/specification/2025-11-25/server/tools, the
schema of 2026-07-28, and the types of PyPI ``mcp-types`` 2.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Tool, dump_json
from toolgauge.contract.reading import plain
from toolgauge.wire._calls import MISSING, CallMembers, RecordedCall, malformed
from toolgauge.wire._format import Format
from toolgauge.wire._recorded import Shape
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.wire._calls import WireCall
    from toolgauge.wire._format import WireResult
    from toolgauge.wire._recorded import RecordedCalls

_CALL = CallMembers(wrappers=("params",), others=("_meta",))
_CANONICAL_PREFIX = "mcp.tool:"
_METHOD = "tools/call"
_BLOCKS = frozenset({"text", "image", "audio", "resource", "resource_link"})


def _wrap(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Write a ``tools/list`` result."""
    return {"tools": entries}


def _claims(message: Any) -> bool:
    """Recognize a ``tools/call`` request, or its parameters."""
    if not isinstance(message, Mapping):
        return False
    if message.get("method") == _METHOD:
        return True
    return (
        isinstance(message.get("name"), str)
        and isinstance(message.get("arguments"), Mapping)
        and not {"role", "type"} & message.keys()
    )


def _calls(message: Any) -> Sequence[WireCall] | None:
    params, call_id = message, None
    if isinstance(message, Mapping) and "method" in message:
        if message["method"] != _METHOD:
            return None
        params, call_id = message.get("params"), message.get("id")
    if not isinstance(params, Mapping) or "name" not in params:
        return None
    known = str(call_id) if isinstance(call_id, str | int) else None
    return (_CALL.read({**params, "id": known}),)


def _to_results(results: Sequence[WireResult]) -> dict[str, Any] | None:
    """Write a ``CallToolResult``.

    Raises:
        UnreadableMessage: If there are several results: a request has one.
    """
    if not results:
        return None
    if len(results) > 1:
        raise UnreadableMessage("mcp", f"{len(results)} results; one request has one")
    result = results[0].result
    made: dict[str, Any] = {
        # Required from 2026-07-28 on; older peers pass over it.
        "resultType": "complete",
        "content": [_block(plain(each)) for each in result.content],
        "isError": result.is_error,
    }
    structured = plain(result.structured)
    # Any JSON value is allowed from 2026-07-28 on, an object at all times.
    if isinstance(structured, Mapping):
        made["structuredContent"] = dict(structured)
    if not made["content"] and structured is not None:
        made["content"] = [_block(structured)]
    return made


def _block(block: Any) -> Any:
    """Return a content block as it is, and any other value as JSON text."""
    if isinstance(block, Mapping) and block.get("type") in _BLOCKS:
        return block
    text = block if isinstance(block, str) else dump_json(block).decode()
    return {"type": "text", "text": text}


def _read_row(row: Any) -> RecordedCalls | None:
    """Read a JSON-RPC message; one that is no request for a call holds none.

    Source: MCP 2025-11-25, server/tools, Calling Tools: ``arguments`` may be left out.
    """
    if not isinstance(row, dict) or "jsonrpc" not in row:
        return None
    params = row.get("params")
    if isinstance(params, dict) and str(params.get("tool", "")).startswith(_CANONICAL_PREFIX):
        # The canonical envelope names the tool and its input itself.
        name = params["tool"].removeprefix(_CANONICAL_PREFIX)
        return (RecordedCall(name, params.get("input", MISSING), ("params", "input")),)
    if row.get("method") != _METHOD:
        return ()
    if not isinstance(params, dict):
        return (malformed(("params",), "is no object", params),)
    return (_CALL.recorded({"arguments": {}, **params}, ("params",)),)


FORMAT = Format(
    name="mcp",
    title="Model Context Protocol",
    modules=("mcp", "mcp_types"),
    # All that a tool says of itself.
    entries={"mcp": dict},
    targets={"mcp-spec": "mcp"},
    definition=Tool.to_detail,
    wrap=_wrap,
    claims=_claims,
    call=_CALL,
    calls=_calls,
    expects=f"a {_METHOD} request",
    to_results=_to_results,
    recorded=Shape(
        name="mcp",
        title="JSON-RPC lines of MCP clients",
        read=_read_row,
        members=frozenset({"jsonrpc"}),
        rank=0,
    ),
)
