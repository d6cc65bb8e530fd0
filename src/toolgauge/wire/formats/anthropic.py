"""Anthropic Messages: calls and results are content blocks.

```json
{"role": "assistant", "content": [
  {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1}}]}
```

Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview and
the types of PyPI ``anthropic`` 2.14 (``Message``, ``ToolResultBlockParam``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from toolgauge.wire._calls import CallMembers, rows
from toolgauge.wire._content import FAILED, Media, Text, only, parts_of
from toolgauge.wire._format import Format, flat, in_one_message
from toolgauge.wire._recorded import Shape, blocks, ids, is_message, placed, with_notes

if TYPE_CHECKING:
    from toolgauge.contract import Path
    from toolgauge.wire._calls import Malformed, RecordedCall, WireCall
    from toolgauge.wire._content import Part
    from toolgauge.wire._format import WireResult
    from toolgauge.wire._recorded import Placed, RecordedCalls

_CALL = CallMembers(arguments="input", echo=("toolset_name",))
_IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_DATED = re.compile(r"_\d{8}$")
_PDF = "application/pdf"


_to_entry = partial(flat, "input_schema")


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    """Recognize a tool that Anthropic defines, or runs: ``{"type": "bash_20250124"}``."""
    kind = entry.get("type")
    return isinstance(kind, str) and _DATED.search(kind) is not None and "input_schema" not in entry


def _claims(message: Any) -> bool:
    """Recognize a message, or its list of blocks.

    A sampling result of MCP has the same blocks, but says ``stopReason``, and
    wants its results back in another way.
    """
    if isinstance(message, list):
        return any(each.get("type") == "tool_use" for each in rows(message))
    if not isinstance(message, Mapping) or message.get("role") != "assistant":
        return False
    if {"tool_calls", "tool_plan", "stopReason"} & message.keys():
        return False
    content = message.get("content")
    return isinstance(content, str) or (
        isinstance(content, list)
        and all(each.get("type") not in {None, "output_text", "refusal"} for each in rows(content))
    )


def _calls(message: Any) -> Sequence[WireCall] | None:
    content = message.get("content") if isinstance(message, Mapping) else message
    if isinstance(message, Mapping) and isinstance(content, str):
        return ()
    if not isinstance(content, list):
        return None
    return [_CALL.read(each) for each in rows(content) if each.get("type") == "tool_use"]


def _block(each: WireResult) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": each.call.id or ""}
    content = [_content(part) for part in only(parts_of(each.result), _takes)]
    if each.result.is_error:
        block["is_error"] = True
        # "content cannot be empty if `is_error` is true" (bytedance/trae-agent#230)
        content = content or [{"type": "text", "text": FAILED}]
    if content:
        block["content"] = content
    return {**block, **each.call.echo}


def _takes(media: Media) -> bool:
    return media.mime_type in _IMAGES or media.mime_type == _PDF


def _content(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    kind = "document" if part.mime_type == _PDF else "image"
    source = {"type": "base64", "media_type": part.mime_type, "data": part.data}
    return {"type": kind, "source": source}


def _read_row(row: Any) -> RecordedCalls | None:
    """Read every ``tool_use`` block of a message, a list of messages, or their holder."""
    messages = _messages(row)
    if messages is None:
        return None
    found: list[RecordedCall | Malformed] = []
    for index, (message, path) in enumerate(messages):
        uses = blocks(message, path, "tool_use")
        if not uses:
            continue
        following = messages[index + 1 : index + 2]
        answers = [each for message in following for each in blocks(*message, "tool_result")]
        read = [_CALL.recorded(*each) for each in uses]
        found += with_notes(read, ids(uses, "id"), ids(answers, "tool_use_id"))
    return found


def _messages(row: Any) -> Placed | None:
    """Find the messages of a row; ``None`` where they may be another provider's."""
    if isinstance(row, dict) and (isinstance(row.get("content"), list) or is_message(row)):
        listed: Any = [row]
        found: Placed = [(row, ())]
    else:
        path: Path = ("messages",) if isinstance(row, dict) else ()
        listed = row.get("messages") if isinstance(row, dict) else row
        if not isinstance(listed, list):
            return None
        found = placed(listed, path)
    if any(blocks(*each, "tool_use", "tool_result") for each in found):
        return found
    is_plain = len(found) == len(listed) > 0 and all(_is_plain(message) for message, _ in found)
    return found if is_plain else None


def _is_plain(message: dict[str, Any]) -> bool:
    """Return whether a message holds no call, also none of OpenAI's."""
    theirs = (message.get("tool_calls"), message.get("function_call"))
    return is_message(message) and theirs == (None, None)


FORMAT = Format(
    name="anthropic",
    title="Anthropic Messages",
    modules=("anthropic",),
    entries={
        "anthropic": _to_entry,
        "anthropic-strict": partial(_to_entry, strict=True),
        # Strict tools_json takes Anthropic's names.
        "tools-json": _to_entry,
    },
    targets={
        "anthropic": "anthropic",
        "anthropic-strict": "anthropic-strict",
        "anthropic-managed-agents": "anthropic",
        "tools-json-strict": "tools-json",
    },
    is_foreign=_is_foreign,
    claims=_claims,
    call=_CALL,
    calls=_calls,
    expects="a message with content",
    to_results=in_one_message("content", _block),
    recorded=Shape(
        name="anthropic",
        title="Anthropic messages with tool_use",
        read=_read_row,
        members=frozenset({"content", "messages"}),
    ),
)
