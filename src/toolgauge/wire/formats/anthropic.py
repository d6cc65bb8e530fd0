"""Anthropic Messages: calls and results are content blocks.

```json
{"role": "assistant", "content": [
  {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1}}]}
```

Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview and
the types of PyPI ``anthropic`` 2.14 (``Message``, ``ToolResultBlockParam``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.wire._arguments import read_call
from toolgauge.wire._content import FAILED, Media, Text, only, parts_of
from toolgauge.wire._definitions import as_definition, flat, in_mcp_shape
from toolgauge.wire._format import Declared, Format
from toolgauge.wire._messages import as_json, described, rows
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.contract import Tool
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "anthropic"
_IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_DATED = re.compile(r"_\d{8}$")
_PDF = "application/pdf"


def _to_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return flat("input_schema", tool)


def _to_strict_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {**_to_entry(tool), "strict": True}


def _to_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [_to_entry(as_definition(each)) for each in tools]


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    return (Declared((), entry, in_mcp_shape(entry)),) if "input_schema" in entry else None


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Tell what Anthropic defines, or runs: ``{"type": "bash_20250124", "name": "bash"}``."""
    kind = entry.get("type")
    return isinstance(kind, str) and _DATED.search(kind) is not None and "input_schema" not in entry


def _claims(message: Any) -> bool:
    """Tell a message, or its list of blocks.

    A sampling result of MCP has the same blocks, but says ``stopReason``, and
    wants its results back in another way.
    """
    if isinstance(message, list):
        return any(each.get("type") == "tool_use" for each in rows(message))
    if not isinstance(message, Mapping) or message.get("role") != "assistant":
        return False
    if {"tool_calls", "tool_plan", "stopReason"} & message.keys():
        return False
    blocks = message.get("content")
    return isinstance(blocks, str) or (
        isinstance(blocks, list)
        and all(each.get("type") not in {None, "output_text", "refusal"} for each in rows(blocks))
    )


def _read_calls(message: object) -> tuple[WireCall, ...]:
    found = as_json(message)
    blocks = found.get("content") if isinstance(found, Mapping) else found
    if isinstance(found, Mapping) and isinstance(blocks, str):
        return ()
    if not isinstance(blocks, list):
        raise UnreadableMessage(_NAME, f"{described(found)}; expected a message with content")
    return tuple(
        read_call(
            each.get("name"),
            each.get("input"),
            each.get("id"),
            toolset_name=each.get("toolset_name"),
        )
        for each in rows(blocks)
        if each.get("type") == "tool_use"
    )


def _to_results(results: Sequence[WireResult]) -> dict[str, Any] | None:
    """Write one ``user`` message: the API wants all results of a message together."""
    if not results:
        return None
    return {"role": "user", "content": [_block(each) for each in results]}


def _block(each: WireResult) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": each.call.id or ""}
    content = [_content(part) for part in only(parts_of(each.result), _takes)]
    if each.result.is_error:
        block["is_error"] = True
        # "content cannot be empty if `is_error` is true" (bytedance/trae-agent#230)
        content = content or [{"type": "text", "text": FAILED}]
    if content:
        block["content"] = content
    return {**block, **each.call.echo}


def _takes(media: Media) -> bool:
    return media.mime_type in _IMAGES or media.mime_type == _PDF


def _content(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    kind = "document" if part.mime_type == _PDF else "image"
    source = {"type": "base64", "media_type": part.mime_type, "data": part.data}
    return {"type": kind, "source": source}


FORMAT = Format(
    name=_NAME,
    title="Anthropic Messages",
    modules=("anthropic",),
    entries={"anthropic": _to_entry, "anthropic-strict": _to_strict_entry},
    to_tools=_to_tools,
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
