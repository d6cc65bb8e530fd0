"""Cohere's chat API, version 2: OpenAI's calls, documents as results.

Source: https://docs.cohere.com/v2/docs/tool-use-overview and the types of PyPI
``cohere`` 7.3 (``V2ChatResponse``, ``ToolChatMessageV2``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolgauge.wire._chat import chat_format, holds_calls, to_entry, tool_message
from toolgauge.wire._content import parts_of, structured_object, text_of, told
from toolgauge.wire._format import one_by_one

if TYPE_CHECKING:
    from toolgauge.wire._format import WireResult


def _claims(message: Any) -> bool:
    """Recognize a response, or a message with the plan that only Cohere's have."""
    if not isinstance(message, Mapping):
        return False
    inner = message.get("message")
    if isinstance(inner, Mapping) and "finish_reason" in message and "index" not in message:
        return "tool_plan" in inner or holds_calls(inner) or isinstance(inner.get("content"), list)
    return message.get("role") == "assistant" and "tool_plan" in message


def _content(each: WireResult) -> dict[str, Any]:
    """Write an object as a document, which answers can cite; anything else as text."""
    data = structured_object(each.result)
    if data:
        return {"type": "document", "document": {"data": data}}
    return {"type": "text", "text": text_of(told(each.result, parts_of(each.result)))}


FORMAT = chat_format(
    name="cohere",
    title="Cohere chat v2",
    modules=("cohere",),
    entries={"cohere": to_entry},
    claims=_claims,
    to_results=one_by_one(lambda each: tool_message(each, [_content(each)])),
)
