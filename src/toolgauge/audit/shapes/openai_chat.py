"""OpenAI's chat messages: ``tool_calls`` of an assistant message, arguments as JSON text.

A row is a message, a list of messages, an object with ``messages``, or a response with
``choices``. A call of a custom tool is none here: what it holds is free text, and no
contract says anything of it.

Source: OpenAI chat completions, message object: a tool call is ``{id, type, function:
{name, arguments}}``, and ``arguments`` is text; older messages have one ``function_call:
{name, arguments}``. Pieces of a streamed message stand in ``choices[].delta``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import Call, Malformed, Shape
from toolgauge.audit.shapes.members import ROLES, blocks, is_message, malformed, named_call
from toolgauge.audit.shapes.pairing import pairing_issues, with_notes
from toolgauge.contract import Issue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolgauge.audit.calls import Found
    from toolgauge.contract import Path

# A tuple: what stands there may be of any type, and lists have no hash.
_THEIR_BLOCKS = ("tool_use", "tool_result")


def read_openai_chat(row: Any) -> Found | None:
    """Read every tool call of a row's messages."""
    messages = _messages(row)
    if messages is None:
        return None
    found: list[Call | Malformed] = _pieces(row)
    for index, (message, path) in enumerate(messages):
        if message.get("function_call") is not None:
            found.append(_function(message["function_call"], (*path, "function_call")))
        calls = message.get("tool_calls")
        if calls is None:
            continue
        path = (*path, "tool_calls")  # noqa: PLW2901 - one level down
        if not isinstance(calls, list):
            found.append(malformed(path, "is no array", calls))
            continue
        read = [
            _call(call, (*path, number)) for number, call in enumerate(calls) if not _is_free(call)
        ]
        answers = _answers(messages[index + 1 :])
        notes = tuple(pairing_issues(_ids(calls, path), answers))
        found += with_notes(read, notes)
    return found


def _messages(row: Any) -> list[tuple[dict[str, Any], Path]] | None:
    """Find the messages of a row and where they stand."""
    if not isinstance(row, dict):
        return _listed(row, ())
    if "tool_calls" in row or isinstance(row.get("function_call"), dict):
        return [(row, ())]
    if isinstance(row.get("choices"), list):
        return _chosen(row, "message")
    if is_message(row):
        return None if _is_theirs(row) else [(row, ())]
    return _listed(row.get("messages"), ("messages",))


def _chosen(row: dict[str, Any], key: str) -> list[tuple[dict[str, Any], Path]]:
    """Give what the choices of a response hold under a key."""
    return [
        (each[key], ("choices", index, key))
        for index, each in enumerate(row["choices"])
        if isinstance(each, dict) and isinstance(each.get(key), dict)
    ]


def _listed(listed: Any, base: Path) -> list[tuple[dict[str, Any], Path]] | None:
    if not isinstance(listed, list) or not listed:
        return None
    found: list[tuple[dict[str, Any], Path]] = [
        (each, (*base, index))
        for index, each in enumerate(listed)
        if isinstance(each, dict) and "role" in each and "parts" not in each
    ]
    if len(found) != len(listed) or not any(
        "tool_calls" in each or each["role"] in ROLES for each, _ in found
    ):
        return None
    return None if any(_is_theirs(each) for each, _ in found) else found


def _is_theirs(message: dict[str, Any]) -> bool:
    """Tell a message of Anthropic's: it looks the same but for its blocks."""
    return any(
        isinstance(block, dict) and block.get("type") in _THEIR_BLOCKS for block in blocks(message)
    )


def _pieces(row: Any) -> list[Call | Malformed]:
    """Report the pieces of calls in a streamed piece of a message."""
    if not isinstance(row, dict) or not isinstance(row.get("choices"), list):
        return []
    words = "is a piece of a streamed call: its message is to be put together first"
    return [
        Malformed(Issue(path=(*path, key), message=words))
        for piece, path in _chosen(row, "delta")
        for key in ("tool_calls", "function_call")
        if piece.get(key) is not None
    ]


def _is_free(call: Any) -> bool:
    """Tell a call whose input is free text."""
    return isinstance(call, dict) and "function" not in call and call.get("type") == "custom"


def _call(call: Any, path: Path) -> Call | Malformed:
    if not isinstance(call, dict):
        return malformed(path, "is no object", call)
    if "function" not in call:
        words = "has no member 'function'"
        return Malformed(Issue(path=path, message=words, keyword="required"))
    return _function(call["function"], (*path, "function"))


def _function(function: Any, path: Path) -> Call | Malformed:
    read = named_call(function, path, tool="name", arguments="arguments")
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
