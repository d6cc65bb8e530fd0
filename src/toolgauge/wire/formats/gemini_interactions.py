"""Gemini's Interactions API: calls and their results are steps of one flat list.

```json
{"steps": [{"type": "function_call", "id": "c1", "name": "add", "arguments": {"a": 1}}]}
```

Steps look like items of OpenAI's Responses API, but arguments are an object, and a
call has no ``call_id``.

Source: the types of PyPI ``google-genai`` 3.6.1, ``google.genai.interactions``
(``Function``, ``FunctionCallStep``, ``FunctionResultStep``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgauge.wire._calls import CallMembers, rows
from toolgauge.wire._content import Text, text_or_blocks
from toolgauge.wire._format import Format, flat, one_by_one
from toolgauge.wire._recorded import Shape, ids, placed, with_notes

if TYPE_CHECKING:
    from toolgauge.wire._calls import WireCall
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireResult
    from toolgauge.wire._recorded import RecordedCalls

_CALL = CallMembers()
_CALL_STEP, _RESULT_STEP = "function_call", "function_result"
_OTHER_STEPS = ("model_output", "thought", "user_input", _RESULT_STEP)
_FOREIGN = (
    "code_execution",
    "computer_use",
    "file_search",
    "google_maps",
    "google_search",
    "mcp_server",
    "retrieval",
    "tool_search",
    "url_context",
)
_IMAGES = frozenset(
    f"image/{each}" for each in ("png", "jpeg", "webp", "heic", "heif", "gif", "bmp", "tiff")
)


def _to_entry(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", **flat("parameters", tool)}


def _is_call(step: Any) -> bool:
    """Return whether an object is a step that calls a function."""
    return (
        isinstance(step, Mapping)
        and step.get("type") == _CALL_STEP
        and "call_id" not in step
        and not isinstance(step.get("arguments"), str)
    )


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Recognize a tool that Gemini runs: ``{"type": "google_search"}``."""
    return entry.get("type") in _FOREIGN and "parameters" not in entry


def _claims(message: Any) -> bool:
    """Recognize an interaction, its list of steps, or one call."""
    if isinstance(message, Mapping):
        return isinstance(message.get("steps"), list) or _is_call(message)
    return isinstance(message, list) and any(
        _is_call(each) or each.get("type") in _OTHER_STEPS for each in rows(message)
    )


def _calls(message: Any) -> Sequence[WireCall] | None:
    if isinstance(message, Mapping):
        message = message["steps"] if isinstance(message.get("steps"), list) else [message]
    if not isinstance(message, list) or not all("type" in each for each in rows(message)):
        return None
    return [_CALL.read(each) for each in rows(message) if each["type"] == _CALL_STEP]


def _step(each: WireResult) -> dict[str, Any]:
    made: dict[str, Any] = {"type": _RESULT_STEP, "call_id": each.call.id or ""}
    if each.call.name:
        made["name"] = each.call.name
    if each.result.is_error:
        made["is_error"] = True
    content = text_or_blocks(each.result, _content, lambda media: media.mime_type in _IMAGES)
    return {**made, "result": content}


def _content(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    return {"type": "image", "mime_type": part.mime_type, "data": part.data}


def _read_row(row: Any) -> RecordedCalls | None:
    """Read every call of an interaction, of a list of steps, or one step."""
    if _is_call(row):
        return (_CALL.recorded(row, ()),)
    is_interaction = isinstance(row, dict)
    listed = row.get("steps") if is_interaction else row
    if not isinstance(listed, list) or not (is_interaction or _claims(listed)):
        return None
    steps = placed(listed, ("steps",) if is_interaction else ())
    calls = [each for each in steps if each[0].get("type") == _CALL_STEP]
    results = [each for each in steps if each[0].get("type") == _RESULT_STEP]
    read = [_CALL.recorded(*each) for each in calls]
    return tuple(with_notes(read, ids(calls, "id"), ids(results, "call_id")))


FORMAT = Format(
    name="gemini-interactions",
    title="Gemini Interactions",
    modules=("google.genai.interactions", "google.genai._gaos"),
    entries={"gemini-interactions": _to_entry},
    targets={"gemini-interactions": "gemini-interactions"},
    is_foreign=_is_foreign,
    claims=_claims,
    call=_CALL,
    calls=_calls,
    expects="an interaction or its steps",
    to_results=one_by_one(_step),
    recorded=Shape(
        name="gemini-interactions",
        title="steps of Gemini's Interactions API",
        read=_read_row,
        members=frozenset({"steps"}),
    ),
)
