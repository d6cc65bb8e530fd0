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
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue
from toolgauge.contract.reading import plain
from toolgauge.contract.schema.subschemas import with_subschemas
from toolgauge.wire._calls import MISSING, CallMembers, RecordedCall, rows
from toolgauge.wire._content import FAILED, Media, Text, blocks_of, only
from toolgauge.wire._format import Declared, Format, flat, in_mcp_shape, in_one_message
from toolgauge.wire._recorded import Shape, placed

if TYPE_CHECKING:
    from toolgauge.contract import CallResult, Path
    from toolgauge.wire._calls import Malformed, WireCall
    from toolgauge.wire._format import WireResult
    from toolgauge.wire._recorded import Placed, RecordedCalls

_DECLARATIONS = ("functionDeclarations", "function_declarations")
_OUTPUTS = ("responseJsonSchema", "response")
_CALLS = ("functionCall", "function_call")
_CALL = CallMembers(arguments="args", wrappers=_CALLS)
_FEEDBACK = ("promptFeedback", "prompt_feedback")
_REASONS = ("finishReason", "finish_reason")
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


def _wrap(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write all declarations as one tool of the request."""
    return [{"functionDeclarations": entries}] if entries else []


def _opens(entry: Mapping[str, Any]) -> Sequence[Declared] | None:
    for key in _DECLARATIONS:
        if isinstance(entry.get(key), list):
            return [_declared((key, index), each) for index, each in enumerate(entry[key])]
    return None


def _declared(path: tuple[str, int], declaration: object) -> Declared:
    """Read one declaration. OpenAPI's types become lower case; every path stays the same."""
    if not isinstance(declaration, Mapping):
        return Declared(raw=declaration, path=path, wire=declaration)
    # JSON Schema has lower case already.
    inputs = () if "parametersJsonSchema" in declaration else ("parameters",)
    raw = {
        key: _with_lower_types(each) if key in (*inputs, *_OUTPUTS) else each
        for key, each in declaration.items()
    }
    wire = dict(raw)
    for member in _OUTPUTS:
        if member in wire:
            wire["outputSchema"] = wire.pop(member)
    return Declared(raw=raw, path=path, wire=in_mcp_shape(wire))


def _with_lower_types(schema: object) -> object:
    """Write ``"type": "OBJECT"`` as JSON Schema does, in schemas only."""
    if not isinstance(schema, Mapping):
        return schema
    found = with_subschemas(dict(schema), _with_lower_types)
    if isinstance(found.get("type"), str):
        found["type"] = found["type"].lower()
    return found


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Recognize a tool that Gemini runs: ``{"googleSearch": {}}``."""
    return bool(entry) and all(str(key).replace("_", "").lower() in _FOREIGN for key in entry)


def _claims(message: Any) -> bool:
    """Recognize a response, a content, or its list of parts."""
    if isinstance(message, list):
        return any(key in each for each in rows(message) for key in _CALLS)
    if not isinstance(message, Mapping):
        return False
    if isinstance(message.get("candidates"), list):
        return True
    return message.get("role") in {"model", None} and isinstance(message.get("parts"), list)


def _calls(message: Any) -> Sequence[WireCall] | None:
    if isinstance(message, Mapping) and isinstance(message.get("content"), Mapping):
        message = message["content"]
    parts = message.get("parts") if isinstance(message, Mapping) else message
    if parts is None and isinstance(message, Mapping):
        # A blocked prompt has no answer, an answer that was cut off no parts.
        is_blocked = isinstance(message.get("candidates"), list)
        return () if is_blocked or {"role", "finishReason"} & message.keys() else None
    if not isinstance(parts, list):
        return None
    calls = [each[key] for each in rows(parts) for key in _CALLS if each.get(key) is not None]
    return [_read_call(each) for each in rows(calls)]


def _read_call(call: Mapping[str, Any]) -> WireCall:
    """Read one call; a piece of a streamed call has an issue."""
    found = _CALL.read(call)
    if not any(call.get(key) for key in _PIECES):
        return found
    issue = Issue(message="the call is a piece of a streamed one; join its pieces first")
    return replace(found, issues=(issue, *found.issues))


def _part(each: WireResult) -> dict[str, Any]:
    made: dict[str, Any] = {} if each.call.id is None else {"id": each.call.id}
    parts = only(blocks_of(each.result), lambda media: media.mime_type in _MEDIA)
    text = "\n".join(part.text for part in parts if isinstance(part, Text))
    made["name"] = each.call.name
    made["response"] = _body(each.result, text)
    media = [_inline(part) for part in parts if isinstance(part, Media)]
    return {"functionResponse": {**made, "parts": media} if media else made}


def _body(result: CallResult, text: str) -> dict[str, Any]:
    """Put an error and an output where the API looks for them."""
    if result.is_error:
        return {"error": text or FAILED}
    return {"output": text if result.structured is None else plain(result.structured)}


def _inline(media: Media) -> dict[str, Any]:
    return {"inlineData": {"mimeType": media.mime_type, "data": media.data}}


def _read_row(row: Any) -> RecordedCalls | None:
    """Read every ``functionCall`` of a content, ``contents``, or a response."""
    if not isinstance(row, dict):
        return None
    contents = _contents(row)
    if not contents and not _is_blocked(row):
        return None
    return [
        _recorded(part[key], (*path, "parts", index, key))
        for content, path in contents
        for index, part in enumerate(content["parts"])
        if isinstance(part, dict)
        for key in _CALLS
        if key in part
    ]


def _contents(row: dict[str, Any]) -> Placed:
    """Find the contents of a row."""
    candidates = placed(row.get("candidates"), ("candidates",))
    held = [
        (row, ()),
        *placed(row.get("contents"), ("contents",)),
        *((each.get("content"), (*path, "content")) for each, path in candidates),
    ]
    return [
        (content, path)
        for content, path in held
        if isinstance(content, dict) and isinstance(content.get("parts"), list)
    ]


def _is_blocked(row: dict[str, Any]) -> bool:
    """Recognize a response without contents: blocked by a filter, or out of tokens."""
    if any(isinstance(row.get(key), dict) for key in _FEEDBACK):
        return True
    candidates = row.get("candidates")
    return (
        isinstance(candidates, list)
        and bool(candidates)
        and all(
            isinstance(each, dict) and any(isinstance(each.get(key), str) for key in _REASONS)
            for each in candidates
        )
    )


def _recorded(call: Any, path: Path) -> RecordedCall | Malformed:
    """Read one recorded call; Gemini leaves empty arguments out."""
    read = _CALL.recorded(call, path)
    if isinstance(read, RecordedCall) and (read.arguments is MISSING or read.arguments is None):
        return replace(read, arguments={})
    return read


FORMAT = Format(
    name="gemini",
    title="Gemini generateContent",
    modules=("google.genai",),
    entries={
        "gemini-json-schema": partial(flat, "parametersJsonSchema"),
        "gemini-parameters": partial(flat, "parameters"),
    },
    targets={
        "gemini-json-schema": "gemini-json-schema",
        "gemini-parameters": "gemini-parameters",
    },
    wrap=_wrap,
    members=_DECLARATIONS,
    opens=_opens,
    is_foreign=_is_foreign,
    claims=_claims,
    answers="candidates",
    call=_CALL,
    calls=_calls,
    expects="a content with parts",
    to_results=in_one_message("parts", _part),
    recorded=Shape(
        name="gemini",
        title="Gemini contents with functionCall",
        read=_read_row,
        members=frozenset({"parts", "contents", "candidates", *_FEEDBACK}),
    ),
)
