"""OpenAI Responses: calls and their outputs are items of one flat list.

```json
{"output": [{"type": "function_call", "call_id": "c1", "name": "add", "arguments": "{}"}]}
```

Functions may stand in tools of type ``namespace``, and are called with its name.

Source: https://developers.openai.com/api/docs/guides/function-calling and the
types of PyPI ``openai`` 3.57 (``NamespaceTool``, ``ResponseFunctionToolCall``,
``FunctionCallOutput``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.wire._calls import CallMembers, qualified, rows
from toolgauge.wire._content import Text, text_or_blocks
from toolgauge.wire._format import Declared, Format, flat, in_mcp_shape, one_by_one
from toolgauge.wire._recorded import Shape, placed

if TYPE_CHECKING:
    from toolgauge.wire._calls import WireCall
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireResult
    from toolgauge.wire._recorded import Placed, RecordedCalls

_CALL = CallMembers(
    id="call_id", namespace="namespace", echo=("namespace", "caller"), others=("status",)
)
_NAMESPACE = "namespace"
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
_OTHER_ITEMS = ("custom_tool_call", "message", "reasoning")
_RECORDED_ITEMS = (
    *("function_call", *_OTHER_ITEMS),
    *("function_call_output", "custom_tool_call_output"),
)
"""Tuples: a row may have a value of any type there, and lists have no hash."""


def _to_entry(tool: Mapping[str, Any], *, strict: bool = False) -> dict[str, Any]:
    # Strict is what this API takes when nothing is said.
    return {"type": "function", **flat("parameters", tool), "strict": strict}


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    """Open a namespace; its custom tools take free text, and are left out."""
    held = entry.get("tools")
    if entry.get("type") != _NAMESPACE or not isinstance(held, list):
        return None
    name = entry.get("name")
    namespace = name if isinstance(name, str) else ""
    return [
        _declared(("tools", index), each, namespace)
        for index, each in enumerate(held)
        if not (isinstance(each, Mapping) and each.get("type") == "custom")
    ]


def _declared(path: tuple[str, int], function: object, namespace: str) -> Declared:
    if not isinstance(function, Mapping):
        return Declared(raw=function, path=path, wire=function)
    wire = dict(in_mcp_shape(function))
    if not isinstance(wire.get("name"), str):
        return Declared(raw=function, path=path, wire=wire)
    wire["name"] = qualified(namespace, wire["name"])
    return Declared(raw=function, path=path, namespace=namespace, wire=wire)


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Recognize tools that OpenAI runs, and custom tools, which take free text."""
    kind = entry.get("type")
    if kind == "custom":  # Anthropic calls its plain tools so
        return "input_schema" not in entry
    return isinstance(kind, str) and kind.startswith(_FOREIGN) and "parameters" not in entry


def _claims(message: Any) -> bool:
    """Recognize a response, its list of items, or one call."""
    if isinstance(message, Mapping):
        is_response = message.get("object") == "response" and isinstance(
            message.get("output"), list
        )
        return is_response or _is_call(message)
    return isinstance(message, list) and any(
        each.get("type") in _OTHER_ITEMS or _is_call(each) for each in rows(message)
    )


def _is_call(item: Mapping[str, Any]) -> bool:
    """Recognize a call; one of Gemini's has no ``call_id``, and an object as arguments."""
    return item.get("type") == "function_call" and (
        "call_id" in item or not isinstance(item.get("arguments"), Mapping)
    )


def _calls(message: Any) -> Sequence[WireCall] | None:
    if isinstance(message, Mapping):
        message = message["output"] if isinstance(message.get("output"), list) else [message]
    if not isinstance(message, list) or not all("type" in each for each in rows(message)):
        return None
    return [_CALL.read(each) for each in rows(message) if each["type"] == "function_call"]


def _output(each: WireResult) -> dict[str, Any]:
    return {
        "type": "function_call_output",
        "call_id": each.call.id or "",
        "output": text_or_blocks(
            each.result, _item, lambda media: media.is_image or media.mime_type == _PDF
        ),
        **each.call.echo,
    }


def _item(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "input_text", "text": part.text}
    if part.is_image:
        return {"type": "input_image", "image_url": part.url, "detail": "auto"}
    return {"type": "input_file", "filename": part.name or "result.pdf", "file_data": part.url}


def _read_row(row: Any) -> RecordedCalls | None:
    """Read every ``function_call`` of a response, a list of items, or one item.

    Items of custom tools hold free text, which no contract describes.
    """
    if isinstance(row, dict) and row.get("type") in _RECORDED_ITEMS:
        found: Placed = [(row, ())]
    else:
        is_response = isinstance(row, dict) and row.get("object") == "response"
        listed = row.get("output") if is_response else row
        if not isinstance(listed, list):
            return None
        found = placed(listed, ("output",) if is_response else ())
        if not is_response and all(each.get("type") not in _RECORDED_ITEMS for each, _ in found):
            return None
    calls = [each for each in found if each[0].get("type") == "function_call"]
    return tuple(_CALL.recorded(*each) for each in calls)


FORMAT = Format(
    name="openai-responses",
    title="OpenAI Responses",
    modules=("openai.types.responses",),
    entries={
        "openai-responses": _to_entry,
        "openai-responses-strict": partial(_to_entry, strict=True),
    },
    targets={"openai-responses": "openai-responses"},
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    call=_CALL,
    calls=_calls,
    expects="a response or its output",
    to_results=one_by_one(_output),
    recorded=Shape(
        name="openai-responses",
        title="items of OpenAI's Responses API",
        read=_read_row,
        # A call is read as a direct row, which is quicker.
        rank=3,
    ),
)
