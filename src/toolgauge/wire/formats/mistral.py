"""Mistral's chat API: OpenAI's shape, but arguments may come as objects.

As JSON its messages cannot be told from OpenAI's, whose results it takes too, so
this format claims none; objects of its SDK, and the name, lead here.

Source: https://docs.mistral.ai/capabilities/function_calling and the types of
PyPI ``mistralai`` 3.7 (``AssistantMessage``, ``ToolMessage``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.wire._chat import calls_of, open_function, to_entries, to_entry
from toolgauge.wire._content import Text, only, parts_of, text_of, told
from toolgauge.wire._format import Format
from toolgauge.wire._messages import as_json, described, the_only
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "mistral"


def _claims(_message: Any) -> bool:
    return False


def _read_calls(message: object) -> tuple[WireCall, ...]:
    found = as_json(message)
    if isinstance(found, Mapping) and isinstance(found.get("choices"), list):
        found = the_only(found["choices"], format=_NAME, member="choices")
    if isinstance(found, Mapping) and isinstance(found.get("message"), Mapping):
        found = found["message"]
    if not isinstance(found, Mapping) or not {"role", "tool_calls", "content"} & found.keys():
        raise UnreadableMessage(_NAME, f"{described(found)}; expected an assistant message")
    return calls_of(found)


def _to_results(results: Sequence[WireResult]) -> list[dict[str, Any]]:
    return [
        {
            "role": "tool",
            "tool_call_id": each.call.id or "",
            "name": each.call.name,
            "content": _content(each),
        }
        for each in results
    ]


def _content(each: WireResult) -> str | list[dict[str, Any]]:
    """Write text, or chunks where there are pictures among it."""
    parts = told(each.result, only(parts_of(each.result), lambda media: media.is_image))
    if all(isinstance(part, Text) for part in parts):
        return text_of(parts)
    return [_chunk(part) for part in parts]


def _chunk(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": part.url}


FORMAT = Format(
    name=_NAME,
    title="Mistral chat",
    modules=("mistralai",),
    entries={"mistral": to_entry, "mistral-strict": partial(to_entry, strict=True)},
    to_tools=to_entries,
    opens=open_function,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
