"""Mistral's chat API: OpenAI's shape, but arguments may come as objects.

As JSON its messages cannot be told from OpenAI's, whose results it takes too, so
this format claims none; objects of its SDK, and the name, lead here.

Source: https://docs.mistral.ai/capabilities/function_calling and the types of
PyPI ``mistralai`` 3.7 (``AssistantMessage``, ``ToolMessage``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.wire._chat import chat_format, to_entry, tool_message
from toolgauge.wire._content import Text, text_or_blocks
from toolgauge.wire._format import one_by_one

if TYPE_CHECKING:
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireResult


def _message(each: WireResult) -> dict[str, Any]:
    content = text_or_blocks(each.result, _chunk, lambda media: media.is_image)
    return tool_message(each, content, name=each.call.name)


def _chunk(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": part.url}


FORMAT = chat_format(
    name="mistral",
    title="Mistral chat",
    modules=("mistralai",),
    entries={"mistral": to_entry, "mistral-strict": partial(to_entry, strict=True)},
    answers="choices",
    to_results=one_by_one(_message),
)
