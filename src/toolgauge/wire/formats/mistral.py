"""Mistral's chat API: OpenAI's shape, but arguments may come as objects.

As JSON its messages cannot be told from OpenAI's, whose results it takes too, so
this format claims none; objects of its SDK, and the name, lead here.

Source: https://docs.mistral.ai/capabilities/function_calling and the types of
PyPI ``mistralai`` 3.7 (``AssistantMessage``, ``ToolMessage``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.wire._chat import CALL, calls_of, open_function, to_entry
from toolgauge.wire._content import Text, text_or_blocks
from toolgauge.wire._format import Format

if TYPE_CHECKING:
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireResult


def _to_results(results: Sequence[WireResult]) -> list[dict[str, Any]]:
    return [
        {
            "role": "tool",
            "tool_call_id": each.call.id or "",
            "name": each.call.name,
            "content": text_or_blocks(each.result, _chunk, lambda media: media.is_image),
        }
        for each in results
    ]


def _chunk(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": part.url}


FORMAT = Format(
    name="mistral",
    title="Mistral chat",
    modules=("mistralai",),
    entries={"mistral": to_entry, "mistral-strict": partial(to_entry, strict=True)},
    members=("function",),
    opens=open_function,
    answers="choices",
    call=CALL,
    calls=calls_of,
    to_results=_to_results,
)
