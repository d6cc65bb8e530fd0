"""Anthropic's messages: ``tool_use`` blocks, arguments as an object.

A row is a message (or a response), a list of messages, or an object with ``messages``.

Source: Anthropic Messages API, content block ``{type: tool_use, id, name, input}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import Call, Malformed, Shape
from toolgauge.audit.shapes.members import blocks, is_message, named_call
from toolgauge.audit.shapes.pairing import pairing_issues, with_notes

if TYPE_CHECKING:
    from toolgauge.audit.calls import Found
    from toolgauge.contract import Path

# A tuple: what stands there may be of any type, and lists have no hash.
_CALLS = ("tool_use", "tool_result")


def read_anthropic(row: Any) -> Found | None:
    """Read every ``tool_use`` block of a row's messages."""
    messages = _messages(row)
    if messages is None:
        return None
    found: list[Call | Malformed] = []
    for index, (message, path) in enumerate(messages):
        uses = [
            (block, (*path, "content", number))
            for number, block in enumerate(blocks(message))
            if isinstance(block, dict) and block.get("type") == "tool_use"
        ]
        if not uses:
            continue
        read = [named_call(block, at, tool="name", arguments="input") for block, at in uses]
        after = messages[index + 1] if index + 1 < len(messages) else ({}, ())
        notes = tuple(pairing_issues(_ids(uses, "id"), _ids(_results(*after), "tool_use_id")))
        found += with_notes(read, notes)
    return found


def _messages(row: Any) -> list[tuple[dict[str, Any], Path]] | None:
    """Find the messages of a row; ``None`` where they may be somebody else's."""
    base: Path = ()
    listed: Any = row
    if isinstance(row, dict):
        if isinstance(row.get("content"), list) or is_message(row):
            listed = [row]
        else:
            listed, base = row.get("messages"), ("messages",)
    if not isinstance(listed, list):
        return None
    is_alone = isinstance(row, dict) and not base
    found: list[tuple[dict[str, Any], Path]] = [
        (each, base if is_alone else (*base, index))
        for index, each in enumerate(listed)
        if isinstance(each, dict)
    ]
    has_calls = any(
        isinstance(block, dict) and block.get("type") in _CALLS
        for message, _ in found
        for block in blocks(message)
    )
    is_plain = len(found) == len(listed) > 0 and all(_is_plain(message) for message, _ in found)
    return found if has_calls or is_plain else None


def _is_plain(message: dict[str, Any]) -> bool:
    """Tell a message that holds no call, also none of OpenAI's."""
    theirs = (message.get("tool_calls"), message.get("function_call"))
    return is_message(message) and theirs == (None, None)


def _results(message: dict[str, Any], path: Path) -> list[tuple[dict[str, Any], Path]]:
    return [
        (block, (*path, "content", number))
        for number, block in enumerate(blocks(message))
        if isinstance(block, dict) and block.get("type") == "tool_result"
    ]


def _ids(held: list[tuple[dict[str, Any], Path]], member: str) -> list[tuple[str, Path]]:
    return [
        (block[member], (*path, member))
        for block, path in held
        if isinstance(block.get(member), str)
    ]


SHAPE = Shape(
    name="anthropic",
    title="Anthropic messages with tool_use",
    read=read_anthropic,
)
