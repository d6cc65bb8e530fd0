"""OpenAI's chat messages: ``tool_calls`` of an assistant message, arguments as JSON text.

A row is a message, a list of messages, an object with ``messages``, or a response with
``choices``.

Source: OpenAI chat completions, message object: a tool call is ``{id, type, function:
{name, arguments}}``, and ``arguments`` is text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import Call, Malformed, Shape
from toolgauge.audit.shapes.members import malformed, named_call
from toolgauge.audit.shapes.pairing import pairing_issues, with_notes
from toolgauge.contract import Issue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.audit.calls import Found
    from toolgauge.contract import Path

# Tuples: what stands there may be of any type, and lists have no hash.
_ROLES = ("tool", "user", "system", "developer")
_THEIR_BLOCKS = ("tool_use", "tool_result")


def read_openai_chat(row: Any) -> Found | None:
    """Read every tool call of a row's messages."""
    messages = _messages(row)
    if messages is None:
        return None
    found: list[Call | Malformed] = []
    for index, (message, path) in enumerate(messages):
        calls = message.get("tool_calls")
        if calls is None:
            continue
        path = (*path, "tool_calls")  # noqa: PLW2901 - one level down
        if not isinstance(calls, list):
            found.append(malformed(path, "is no array", calls))
            continue
        read = [_call(call, (*path, number)) for number, call in enumerate(calls)]
        answers = _answers(messages[index + 1 :])
        notes = tuple(pairing_issues(_ids(calls, path), answers))
        found += with_notes(read, notes)
    return found


def _messages(row: Any) -> list[tuple[dict[str, Any], Path]] | None:
    """Find the messages of a row and where they stand."""
    listed: Any = row
    base: Path = ()
    if isinstance(row, dict):
        if "tool_calls" in row:
            return [(row, ())]
        if isinstance(row.get("choices"), list):
            held = [
                (each.get("message"), ("choices", index, "message"))
                for index, each in enumerate(row["choices"])
                if isinstance(each, dict)
            ]
            return [(message, path) for message, path in held if isinstance(message, dict)]
        listed, base = row.get("messages"), ("messages",)
    if not isinstance(listed, list) or not listed:
        return None
    found: list[tuple[dict[str, Any], Path]] = [
        (each, (*base, index))
        for index, each in enumerate(listed)
        if isinstance(each, dict) and "role" in each
    ]
    if len(found) != len(listed) or not any(
        "tool_calls" in each or each["role"] in _ROLES for each, _ in found
    ):
        return None
    # Anthropic's conversations look the same but for their blocks.
    is_theirs = any(
        isinstance(block, dict) and block.get("type") in _THEIR_BLOCKS
        for each, _ in found
        if isinstance(each.get("content"), list)
        for block in each["content"]
    )
    return None if is_theirs else found


def _call(call: Any, path: Path) -> Call | Malformed:
    if not isinstance(call, dict):
        return malformed(path, "is no object", call)
    if "function" not in call:
        words = "has no member 'function'"
        return Malformed(Issue(path=path, message=words, keyword="required"))
    read = named_call(call["function"], (*path, "function"), tool="name", arguments="arguments")
    if isinstance(read, Call) and isinstance(read.arguments, dict):
        words = "arguments are an object; this format holds them as JSON text"
        return replace(read, notes=(Issue(path=read.path, message=words, keyword="type"),))
    return read


def _ids(calls: list[Any], path: Path) -> list[tuple[str, Path]]:
    return [
        (call["id"], (*path, number, "id"))
        for number, call in enumerate(calls)
        if isinstance(call, dict) and isinstance(call.get("id"), str)
    ]


def _answers(rest: Sequence[tuple[dict[str, Any], Path]]) -> list[tuple[str, Path]]:
    """Give the ids that the tool messages right after a message answer."""
    answers: list[tuple[str, Path]] = []
    for message, path in rest:
        if message.get("role") != "tool":
            break
        if isinstance(message.get("tool_call_id"), str):
            answers.append((message["tool_call_id"], (*path, "tool_call_id")))
    return answers


SHAPE = Shape(
    name="openai",
    title="OpenAI chat messages with tool_calls",
    read=read_openai_chat,
)
