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

from toolgauge.wire._calls import CallMembers, rows
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
from toolgauge.wire._format import Declared, Format, flat, in_one_message

if TYPE_CHECKING:
    from toolgauge.wire._calls import WireCall
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireResult

_CALL = CallMembers(arguments="input", id="toolUseId", wrappers=("toolUse",))
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
    return {"toolSpec": flat("inputSchema", {**tool, "inputSchema": {"json": tool["inputSchema"]}})}


def _wrap(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Write ``toolConfig``; a request without tools has none."""
    return {"tools": entries}


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    spec = entry.get("toolSpec")
    if not isinstance(spec, Mapping):
        return None
    schema = spec.get("inputSchema")
    if isinstance(schema, Mapping) and "json" in schema:
        spec = {**spec, "inputSchema": schema["json"]}
    return (Declared(raw=entry, wire=spec),)


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Recognize marks for the cache and the model's own tools."""
    return len(entry) == 1 and bool({"cachePoint", "systemTool"} & entry.keys())


def _claims(message: Any) -> bool:
    """Recognize a response, a message, or its list of blocks."""
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


def _calls(message: Any) -> Sequence[WireCall] | None:
    for wrapper in ("output", "message"):
        if isinstance(message, Mapping) and isinstance(message.get(wrapper), Mapping):
            message = message[wrapper]
    blocks = message.get("content") if isinstance(message, Mapping) else message
    if not isinstance(blocks, list):
        return None
    uses = [each["toolUse"] for each in rows(blocks) if "toolUse" in each]
    # The service runs server tools itself.
    return [_CALL.read(each) for each in rows(uses) if each.get("type") != "server_tool_use"]


def _block_of_result(each: WireResult) -> dict[str, Any]:
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
    return {"toolResult": made}


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
    name="bedrock",
    title="Amazon Bedrock Converse",
    entries={"bedrock": _to_entry},
    targets={"bedrock-converse": "bedrock"},
    wrap=_wrap,
    wrappers=("toolConfig",),
    members=("toolSpec",),
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    call=_CALL,
    calls=_calls,
    expects="a message with content",
    to_results=in_one_message("content", _block_of_result),
)
