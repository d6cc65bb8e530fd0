"""OpenAI Responses: calls and their outputs are items of one flat list.

```json
{"output": [{"type": "function_call", "call_id": "c1", "name": "add", "arguments": "{}"}]}
```

Source: https://developers.openai.com/api/docs/guides/function-calling and the
types of PyPI ``openai`` 3.57 (``ResponseFunctionToolCall``,
``FunctionCallOutput``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.wire._arguments import read_call
from toolgauge.wire._content import Media, Text, only, parts_of, text_of, told
from toolgauge.wire._definitions import as_definition, flat, in_mcp_shape
from toolgauge.wire._format import Declared, Format
from toolgauge.wire._messages import as_json, described, rows
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.contract import Tool
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "openai-responses"
_PDF = "application/pdf"
_FOREIGN = (
    "web_search",
    "file_search",
    "computer",
    "code_interpreter",
    "image_generation",
    "local_shell",
    "shell",
    "apply_patch",
    "tool_search",
    "mcp",
)
"""Beginnings: some types end in a date."""
_ITEMS = frozenset({"function_call", "message", "reasoning", "custom_tool_call"})


def _to_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    # Strict is what this API takes when nothing is said.
    return {**flat("parameters", tool, type="function"), "strict": False}


def _to_strict_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {**_to_entry(tool), "strict": True}


def _to_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [_to_entry(as_definition(each)) for each in tools]


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    return (Declared((), entry, in_mcp_shape(entry)),) if "parameters" in entry else None


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Tell what OpenAI runs, and custom tools, which take free text."""
    kind = entry.get("type")
    if kind == "custom":  # Anthropic calls its plain tools so
        return "input_schema" not in entry
    return isinstance(kind, str) and kind.startswith(_FOREIGN) and "parameters" not in entry


def _claims(message: Any) -> bool:
    """Tell a response, its list of items, or one call."""
    if isinstance(message, Mapping):
        is_response = message.get("object") == "response" and isinstance(
            message.get("output"), list
        )
        return is_response or message.get("type") == "function_call"
    return isinstance(message, list) and any(each.get("type") in _ITEMS for each in rows(message))


def _read_calls(message: object) -> tuple[WireCall, ...]:
    found = as_json(message)
    if isinstance(found, Mapping):
        found = found["output"] if isinstance(found.get("output"), list) else [found]
    if not isinstance(found, list) or not all("type" in each for each in rows(found)):
        raise UnreadableMessage(_NAME, f"{described(found)}; expected a response or its output")
    return tuple(
        read_call(
            each.get("name"), each.get("arguments"), each.get("call_id"), caller=each.get("caller")
        )
        for each in rows(found)
        if each["type"] == "function_call"
    )


def _to_results(results: Sequence[WireResult]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function_call_output",
            "call_id": each.call.id or "",
            "output": _output(each),
            **each.call.echo,
        }
        for each in results
    ]


def _output(each: WireResult) -> str | list[dict[str, Any]]:
    """Write text, or a list where there are pictures or documents among it."""
    parts = told(each.result, only(parts_of(each.result), _takes))
    if all(isinstance(part, Text) for part in parts):
        return text_of(parts)
    return [_item(part) for part in parts]


def _takes(media: Media) -> bool:
    return media.is_image or media.mime_type == _PDF


def _item(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "input_text", "text": part.text}
    if part.is_image:
        return {"type": "input_image", "image_url": part.url, "detail": "auto"}
    return {"type": "input_file", "filename": part.name or "result.pdf", "file_data": part.url}


FORMAT = Format(
    name=_NAME,
    title="OpenAI Responses",
    modules=("openai.types.responses",),
    entries={"openai-responses": _to_entry, "openai-responses-strict": _to_strict_entry},
    to_tools=_to_tools,
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
