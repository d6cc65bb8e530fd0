r"""OpenAI Chat Completions, and the many servers that speak it.

```json
{"role": "assistant", "tool_calls": [
  {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1}"}}]}
```

Source: https://developers.openai.com/api/docs/guides/function-calling and the
types of PyPI ``openai`` 3.57 (``ChatCompletionMessage``,
``ChatCompletionToolMessageParam``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.wire._chat import calls_of, holds_calls, open_function, to_entries, to_entry
from toolgauge.wire._content import Media, Part, Text, parts_of, text_of, told
from toolgauge.wire._format import Format
from toolgauge.wire._messages import as_json, described, rows, the_only
from toolgauge.wire.errors import UnreadableMessage

if TYPE_CHECKING:
    from toolgauge.wire._format import WireCall, WireResult

_NAME = "openai-chat"


def _claims(message: Any) -> bool:
    """Tell a completion, one of its choices, or a message with calls or plain text."""
    if not isinstance(message, Mapping):
        return False
    if isinstance(message.get("choices"), list):
        return True
    if isinstance(message.get("message"), Mapping):
        return "index" in message  # one of the choices
    if message.get("role") != "assistant" or {"type", "tool_plan"} & message.keys():
        return False
    return holds_calls(message) or _is_text(message.get("content"))


def _is_text(content: object) -> bool:
    if isinstance(content, list):
        return all(each.get("type") in {"text", "refusal"} for each in rows(content))
    return content is None or isinstance(content, str)


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
    """Write one ``tool`` message for each call.

    These hold text alone, so pictures follow in one ``user`` message, after all of
    them: one in between is refused (aaif-goose/goose#11893).
    """
    messages: list[dict[str, Any]] = []
    pictures: list[dict[str, Any]] = []
    for each in results:
        parts = parts_of(each.result)
        kept = [_picture_sentence(part) for part in parts]
        messages.append(
            {
                "role": "tool",
                "tool_call_id": each.call.id or "",
                "content": text_of(told(each.result, kept)),
            }
        )
        pictures += _pictures(each, parts)
    return [*messages, {"role": "user", "content": pictures}] if pictures else messages


def _picture_sentence(part: Part) -> Part:
    if isinstance(part, Media) and part.is_image:
        return Text(f"[{part.mime_type}: see the next user message]")
    return part


def _pictures(each: WireResult, parts: Sequence[Part]) -> list[dict[str, Any]]:
    found = [part for part in parts if isinstance(part, Media) and part.is_image]
    if not found:
        return []
    label = f"Images from the result of {each.call.name} (call {each.call.id}):"
    return [
        {"type": "text", "text": label},
        *({"type": "image_url", "image_url": {"url": part.url}} for part in found),
    ]


FORMAT = Format(
    name=_NAME,
    title="OpenAI Chat Completions",
    modules=("openai.types.chat",),
    entries={"openai-chat": to_entry, "openai-chat-strict": partial(to_entry, strict=True)},
    to_tools=to_entries,
    opens=open_function,
    claims=_claims,
    read_calls=_read_calls,
    to_results=_to_results,
)
