"""Amazon Bedrock Converse: content blocks that are named by their member.

```json
{"role": "assistant", "content": [
  {"toolUse": {"toolUseId": "t1", "name": "add", "input": {"a": 1}}}]}
```

Pictures and documents are bytes, as the AWS SDKs take them; everything else is
JSON.

Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
and the service model in PyPI ``botocore`` 1.44.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.wire._arguments import read_call
from toolgauge.wire._content import (
    FAILED,
    NO_OUTPUT,
    Media,
    Text,
    blocks_of,
    only,
    parts_of,
    structured_object,
)
from toolgauge.wire._definitions import as_definition, flat
from toolgauge.wire._format import Declared, Format
from toolgauge.wire._messages import as_json, described, rows
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.contract import Tool
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "bedrock"
_IMAGES = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"}
_DOCUMENTS = {
    "application/pdf": "pdf",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "text/plain": "txt",
}
_BLOCKS = frozenset(
    {"text", "toolUse", "toolResult", "reasoningContent", "citationsContent", "image", "document"}
)


def _to_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    made = flat("inputSchema", tool)
    return {"toolSpec": {**made, "inputSchema": {"json": tool["inputSchema"]}}}


def _to_tools(tools: Sequence[Tool]) -> dict[str, Any]:
    """Write ``toolConfig``; leave it out of a request that has no tools."""
    return {"tools": [_to_entry(as_definition(each)) for each in tools]}


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    spec = entry.get("toolSpec")
    if not isinstance(spec, Mapping):
        return None
    schema = spec.get("inputSchema")
    if isinstance(schema, Mapping) and "json" in schema:
        spec = {**spec, "inputSchema": schema["json"]}
    return (Declared((), entry, spec),)


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Tell marks for the cache and the model's own tools."""
    return len(entry) == 1 and bool({"cachePoint", "systemTool"} & entry.keys())


def _claims(message: Any) -> bool:
    """Tell a response, a message, or its list of blocks."""
    if isinstance(message, list):
        return any("toolUse" in each for each in rows(message))
    if not isinstance(message, Mapping):
        return False
    output = message.get("output")
    if isinstance(output, Mapping):
        return isinstance(output.get("message"), Mapping)
    blocks = message.get("content")
    return (
        message.get("role") == "assistant"
        and not {"type", "tool_calls", "tool_plan"} & message.keys()
        and isinstance(blocks, list)
        and all("type" not in each and _BLOCKS & each.keys() for each in rows(blocks))
    )


def _read_calls(message: object) -> tuple[WireCall, ...]:
    found = as_json(message)
    if isinstance(found, Mapping) and isinstance(found.get("output"), Mapping):
        found = found["output"]
    if isinstance(found, Mapping) and isinstance(found.get("message"), Mapping):
        found = found["message"]
    blocks = found.get("content") if isinstance(found, Mapping) else found
    if not isinstance(blocks, list):
        raise UnreadableMessage(_NAME, f"{described(found)}; expected a message with content")
    calls = [each["toolUse"] for each in rows(blocks) if "toolUse" in each]
    return tuple(
        read_call(each.get("name"), each.get("input"), each.get("toolUseId"))
        for each in rows(calls)
        # The service runs these itself.
        if each.get("type") != "server_tool_use"
    )


def _to_results(results: Sequence[WireResult]) -> dict[str, Any] | None:
    """Write one ``user`` message: the API wants all results of a message together."""
    if not results:
        return None
    return {"role": "user", "content": [{"toolResult": _result(each)} for each in results]}


def _result(each: WireResult) -> dict[str, Any]:
    data = structured_object(each.result)
    # "Provide a json object for the field" (sigoden/aichat#1542): the rest goes as text.
    parts = parts_of(each.result) if data is None else _without_text(blocks_of(each.result))
    content = [_block(part, place) for place, part in enumerate(only(parts, _takes), start=1)]
    if data is not None:
        content.insert(0, {"json": data})
    made: dict[str, Any] = {"toolUseId": each.call.id or "", "content": content}
    if not content:
        # An empty text is refused (NousResearch/hermes-agent#55092).
        made["content"] = [{"text": FAILED if each.result.is_error else NO_OUTPUT}]
    made["status"] = "error" if each.result.is_error else "success"
    return made


def _without_text(parts: list[Part]) -> list[Part]:
    """Drop the text that stands for the JSON beside it."""
    return [each for each in parts if not isinstance(each, Text)]


def _takes(media: Media) -> bool:
    return media.mime_type in _IMAGES or media.mime_type in _DOCUMENTS


def _block(part: Part, place: int) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"text": part.text}
    source = {"bytes": part.to_bytes()}
    if part.mime_type in _IMAGES:
        return {"image": {"format": _IMAGES[part.mime_type], "source": source}}
    # The service refuses most characters in names, and warns of injection by them.
    document = {"format": _DOCUMENTS[part.mime_type], "name": f"result {place}", "source": source}
    return {"document": document}


FORMAT = Format(
    name=_NAME,
    title="Amazon Bedrock Converse",
    # Its SDK gives plain dictionaries.
    modules=(),
    entries={"bedrock": _to_entry},
    to_tools=_to_tools,
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
