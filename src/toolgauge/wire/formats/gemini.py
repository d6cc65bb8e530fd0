"""Gemini: declarations in groups, calls and responses as parts.

```json
{"role": "model", "parts": [{"functionCall": {"name": "add", "args": {"a": 1}}}]}
```

Not every call has an ``id``; responses are then matched by name and order, so
none is made up.

Source: https://ai.google.dev/gemini-api/docs/function-calling and the types of
PyPI ``google-genai`` 3.6 (``FunctionCall``, ``FunctionResponse``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue
from toolgauge.contract.reading import plain
from toolgauge.wire._arguments import read_call
from toolgauge.wire._content import FAILED, Media, Text, blocks_of, only
from toolgauge.wire._definitions import as_definition, flat, in_mcp_shape
from toolgauge.wire._format import Declared, Format
from toolgauge.wire._messages import as_json, described, rows, the_only
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Tool
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "gemini"
_DECLARATIONS = ("functionDeclarations", "function_declarations")
_CALLS = ("functionCall", "function_call")
_PIECES = ("partialArgs", "partial_args", "willContinue", "will_continue")
_FOREIGN = frozenset(
    {
        "codeexecution",
        "computeruse",
        "enterprisewebsearch",
        "filesearch",
        "googlemaps",
        "googlesearch",
        "googlesearchretrieval",
        "retrieval",
        "urlcontext",
    }
)
_MEDIA = frozenset({"image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"})
"""What a function response may hold beside its JSON."""


def _to_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return flat("parametersJsonSchema", tool)


def _to_openapi_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return flat("parameters", tool)


def _to_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    if not tools:
        return []
    return [{"functionDeclarations": [_to_entry(as_definition(each)) for each in tools]}]


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    for key in _DECLARATIONS:
        if isinstance(entry.get(key), list):
            return [_declared((key, index), each) for index, each in enumerate(entry[key])]
    if "parametersJsonSchema" in entry:
        return (Declared((), entry, in_mcp_shape(entry)),)
    return None


def _declared(path: tuple[str, int], declaration: object) -> Declared:
    raw = _with_lower_parameters(declaration)
    return Declared(path, raw, _from_declaration(raw))


def _with_lower_parameters(declaration: object) -> object:
    """Read the OpenAPI schemas of a function declaration; every place stays where it is."""
    if not isinstance(declaration, Mapping):
        return declaration
    raw = dict(declaration)
    members: tuple[str, ...] = ("responseJsonSchema", "response")
    if "parametersJsonSchema" not in raw:
        members = ("parameters", *members)
    for member in members:
        if member in raw:
            raw[member] = _with_lower_types(raw[member])
    return raw


def _from_declaration(declaration: object) -> object:
    """Read one function declaration, whose types are in lower case already."""
    if not isinstance(declaration, Mapping):
        return declaration
    wire = dict(declaration)
    for member in ("responseJsonSchema", "response"):
        if member in wire:
            wire["outputSchema"] = wire.pop(member)
    return in_mcp_shape(wire)


def _with_lower_types(schema: object) -> object:
    """Write ``"type": "OBJECT"`` as JSON Schema does, in schema positions only."""
    if not isinstance(schema, Mapping):
        return schema
    wire: dict[str, Any] = dict(schema)
    if isinstance(wire.get("type"), str):
        wire["type"] = wire["type"].lower()
    if isinstance(wire.get("properties"), Mapping):
        wire["properties"] = {k: _with_lower_types(v) for k, v in wire["properties"].items()}
    if isinstance(wire.get("anyOf"), list):
        wire["anyOf"] = [_with_lower_types(each) for each in wire["anyOf"]]
    if "items" in wire:
        wire["items"] = _with_lower_types(wire["items"])
    return wire


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Tell what Gemini runs: ``{"googleSearch": {}}``."""
    return bool(entry) and all(str(key).replace("_", "").lower() in _FOREIGN for key in entry)


def _claims(message: Any) -> bool:
    """Tell a response, a content, or its list of parts."""
    if isinstance(message, list):
        return any(key in each for each in rows(message) for key in _CALLS)
    if not isinstance(message, Mapping):
        return False
    if isinstance(message.get("candidates"), list):
        return True
    return message.get("role") in {"model", None} and isinstance(message.get("parts"), list)


def _read_calls(message: object) -> tuple[WireCall, ...]:
    found = as_json(message)
    if isinstance(found, Mapping) and isinstance(found.get("candidates"), list):
        found = the_only(found["candidates"], format=_NAME, member="candidates")
        if found is None:
            return ()  # a blocked prompt has no answer
    if isinstance(found, Mapping) and isinstance(found.get("content"), Mapping):
        found = found["content"]
    parts = found.get("parts") if isinstance(found, Mapping) else found
    if parts is None and isinstance(found, Mapping) and {"role", "finishReason"} & found.keys():
        return ()
    if not isinstance(parts, list):
        raise UnreadableMessage(_NAME, f"{described(found)}; expected a content with parts")
    calls = [each[key] for each in rows(parts) for key in _CALLS if each.get(key) is not None]
    return tuple(map(_read_call, rows(calls)))


def _read_call(call: Mapping[str, Any]) -> WireCall:
    """Read one call; a piece of one that is streamed is told from a whole one."""
    found = read_call(call.get("name"), call.get("args"), call.get("id"))
    if not any(call.get(key) for key in _PIECES):
        return found
    issue = Issue(message="the call is a piece of a streamed one; join its pieces first")
    return replace(found, issues=(issue, *found.issues))


def _to_results(results: Sequence[WireResult]) -> dict[str, Any] | None:
    """Write one ``user`` content: the API wants as many responses as there were calls."""
    if not results:
        return None
    return {"role": "user", "parts": [{"functionResponse": _response(each)} for each in results]}


def _response(each: WireResult) -> dict[str, Any]:
    made: dict[str, Any] = {} if each.call.id is None else {"id": each.call.id}
    parts = only(blocks_of(each.result), lambda media: media.mime_type in _MEDIA)
    text = "\n".join(part.text for part in parts if isinstance(part, Text))
    made["name"] = each.call.name
    made["response"] = _body(each.result, text)
    media = [_inline(part) for part in parts if isinstance(part, Media)]
    return {**made, "parts": media} if media else made


def _body(result: CallResult, text: str) -> dict[str, Any]:
    """Put an error and an output where the API looks for them."""
    if result.is_error:
        return {"error": text or FAILED}
    return {"output": text if result.structured is None else plain(result.structured)}


def _inline(media: Media) -> dict[str, Any]:
    return {"inlineData": {"mimeType": media.mime_type, "data": media.data}}


FORMAT = Format(
    name=_NAME,
    title="Gemini generateContent",
    modules=("google.genai",),
    entries={"gemini-json-schema": _to_entry, "gemini-parameters": _to_openapi_entry},
    to_tools=_to_tools,
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
