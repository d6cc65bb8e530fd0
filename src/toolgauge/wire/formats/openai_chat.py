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
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from toolgauge.contract import Issue
from toolgauge.wire._calls import Malformed, RecordedCall, malformed, rows
from toolgauge.wire._chat import CALL, chat_format, holds_calls, to_entry, tool_message
from toolgauge.wire._content import Media, Part, Text, parts_of, text_of, told
from toolgauge.wire._recorded import ROLES, Shape, blocks, ids, is_message, placed, with_notes

if TYPE_CHECKING:
    from toolgauge.contract import Path
    from toolgauge.wire._format import WireResult
    from toolgauge.wire._recorded import Placed, RecordedCalls


def _claims(message: Any) -> bool:
    """Recognize a completion, one of its choices, or a message with calls or plain text."""
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
        messages.append(tool_message(each, text_of(told(each.result, kept))))
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


def _read_row(row: Any) -> RecordedCalls | None:
    """Read every tool call of a message, a list of messages, their holder, or a response.

    Older messages have one ``function_call``, also an object with ``name`` and
    ``arguments``. Calls of custom tools hold free text, which no contract describes.
    """
    messages = _messages(row)
    if messages is None:
        return None
    found = _pieces(row)
    for index, (message, path) in enumerate(messages):
        if message.get("function_call") is not None:
            found.append(_function(message["function_call"], (*path, "function_call")))
        calls = message.get("tool_calls")
        if calls is None:
            continue
        path = (*path, "tool_calls")  # noqa: PLW2901 - one level down
        if isinstance(calls, list):
            read = [
                _recorded(call, (*path, number))
                for number, call in enumerate(calls)
                if not _is_free(call)
            ]
            answers = _answers(messages[index + 1 :])
            found += with_notes(read, ids(placed(calls, path), "id"), answers)
        else:
            found.append(malformed(path, "is no array", calls))
    return found


def _messages(row: Any) -> Placed | None:
    """Find the messages of a row; ``None`` where they may be another provider's."""
    if not isinstance(row, dict):
        return _listed(row, ())
    if "tool_calls" in row or isinstance(row.get("function_call"), dict):
        return [(row, ())]
    if isinstance(row.get("choices"), list):
        return _chosen(row, "message")
    if is_message(row):
        return None if _is_theirs(row) else [(row, ())]
    return _listed(row.get("messages"), ("messages",))


def _chosen(row: dict[str, Any], key: str) -> Placed:
    """Return the objects that the choices of a response hold under a key."""
    return [
        (each[key], ("choices", index, key))
        for index, each in enumerate(row["choices"])
        if isinstance(each, dict) and isinstance(each.get(key), dict)
    ]


def _listed(listed: Any, path: Path) -> Placed | None:
    """Return the messages in a list that holds nothing else."""
    found = placed(listed, path)
    if (
        not found
        or len(found) != len(listed)
        or not all("role" in each and "parts" not in each for each, _ in found)
        or not any("tool_calls" in each or each["role"] in ROLES for each, _ in found)
        or any(_is_theirs(each) for each, _ in found)
    ):
        return None
    return found


def _is_theirs(message: dict[str, Any]) -> bool:
    """Recognize a message of Anthropic's: it looks the same but for its blocks."""
    return bool(blocks(message, (), "tool_use", "tool_result"))


def _pieces(row: Any) -> list[RecordedCall | Malformed]:
    """Report the pieces of calls in a streamed piece of a message."""
    if not isinstance(row, dict) or not isinstance(row.get("choices"), list):
        return []
    message = "is a piece of a streamed call: its message is to be put together first"
    return [
        Malformed(Issue(path=(*path, key), message=message))
        for piece, path in _chosen(row, "delta")
        for key in ("tool_calls", "function_call")
        if piece.get(key) is not None
    ]


def _is_free(call: Any) -> bool:
    """Return whether the input of a call is free text."""
    return isinstance(call, dict) and "function" not in call and call.get("type") == "custom"


def _recorded(call: Any, path: Path) -> RecordedCall | Malformed:
    if not isinstance(call, dict):
        return malformed(path, "is no object", call)
    if "function" not in call:
        message = "has no member 'function'"
        return Malformed(Issue(path=path, message=message, keyword="required"))
    return _function(call["function"], (*path, "function"))


def _function(function: Any, path: Path) -> RecordedCall | Malformed:
    read = CALL.recorded(function, path)
    if isinstance(read, RecordedCall) and isinstance(read.arguments, dict):
        message = "arguments are an object; this format holds them as JSON text"
        return replace(read, notes=(Issue(path=read.path, message=message, keyword="type"),))
    return read


def _answers(rest: Placed) -> list[tuple[str, Path]]:
    """Return the ids that the tool messages right after a message answer."""
    tool_messages = takewhile(lambda each: each[0].get("role") == "tool", rest)
    return ids(list(tool_messages), "tool_call_id")


FORMAT = chat_format(
    name="openai-chat",
    title="OpenAI Chat Completions",
    modules=("openai.types.chat",),
    entries={"openai-chat": to_entry, "openai-chat-strict": partial(to_entry, strict=True)},
    targets={"openai-strict": "openai-chat-strict"},
    wrappers=("functions",),
    claims=_claims,
    answers="choices",
    to_results=_to_results,
    recorded=Shape(
        name="openai",
        title="OpenAI chat messages with tool_calls",
        read=_read_row,
        members=frozenset({"tool_calls", "function_call", "choices", "messages", "content"}),
        rank=0,
    ),
)
