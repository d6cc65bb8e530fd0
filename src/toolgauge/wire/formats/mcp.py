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

from toolgauge.contract import dump_json
from toolgauge.contract.reading import plain
from toolgauge.wire._arguments import read_call
from toolgauge.wire._definitions import flat
from toolgauge.wire._format import Declared, Format
from toolgauge.wire._messages import as_json, described
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.contract import Tool
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "mcp"
_METHOD = "tools/call"
_BLOCKS = frozenset({"text", "image", "audio", "resource", "resource_link"})


def _to_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return flat("inputSchema", tool)


def _to_tools(tools: Sequence[Tool]) -> dict[str, Any]:
    """Write a ``tools/list`` result, with everything that a tool says of itself."""
    return {"tools": [each.to_detail() for each in tools]}


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    return (Declared((), entry, entry),) if "inputSchema" in entry else None


def _claims(message: Any) -> bool:
    """Tell a ``tools/call`` request, or its parameters."""
    if not isinstance(message, Mapping):
        return False
    if message.get("method") == _METHOD:
        return True
    return (
        isinstance(message.get("name"), str)
        and isinstance(message.get("arguments"), Mapping)
        and not {"role", "type"} & message.keys()
    )


def _read_calls(message: object) -> tuple[WireCall, ...]:
    found = as_json(message)
    params, call_id = found, None
    if isinstance(found, Mapping) and "method" in found:
        if found["method"] != _METHOD:
            raise UnreadableMessage(_NAME, f"the method is not {_METHOD}")
        params, call_id = found.get("params"), found.get("id")
    if not isinstance(params, Mapping) or "name" not in params:
        raise UnreadableMessage(_NAME, f"{described(found)}; expected a {_METHOD} request")
    known = str(call_id) if isinstance(call_id, str | int) else None
    return (read_call(params["name"], params.get("arguments"), known),)


def _to_results(results: Sequence[WireResult]) -> dict[str, Any] | None:
    """Write a ``CallToolResult``.

    Raises:
        UnreadableMessage: If there are several results: a request has one.
    """
    if not results:
        return None
    if len(results) > 1:
        raise UnreadableMessage(_NAME, f"{len(results)} results; one request has one")
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
    """Give a content block as it is, and anything else as JSON text."""
    if isinstance(block, Mapping) and block.get("type") in _BLOCKS:
        return block
    text = block if isinstance(block, str) else dump_json(block).decode()
    return {"type": "text", "text": text}


FORMAT = Format(
    name=_NAME,
    title="Model Context Protocol",
    modules=("mcp", "mcp_types"),
    entries={"mcp": _to_entry},
    to_tools=_to_tools,
    opens=_opens,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
