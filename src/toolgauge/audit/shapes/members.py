"""Reading members of rows that may hold anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgauge.audit.calls import MISSING, Call, Malformed
from toolgauge.contract import Issue

if TYPE_CHECKING:
    from toolgauge.contract import Path

ARGUMENTS_KEYS = ("arguments", "input", "args")
"""The members that usually hold arguments, in a row that is a call."""

# A tuple: what stands there may be of any type, and lists have no hash.
ROLES = ("system", "developer", "user", "assistant", "tool", "function")


def named_call(holder: Any, path: Path, *, tool: str, arguments: str) -> Call | Malformed:
    """Read an object that names its tool in one member and holds its arguments in another.

    Args:
        holder: What should be that object.
        path: Where it stands in the row.
        tool: The member that names the tool.
        arguments: The member that holds the arguments.
    """
    if not isinstance(holder, dict):
        return malformed(path, "is no object", holder)
    name = holder.get(tool, MISSING)
    if name is MISSING:
        return Malformed(Issue(path=path, message=f"has no member {tool!r}", keyword="required"))
    if not isinstance(name, str):
        return malformed((*path, tool), "is no text", name)
    if not name:
        return Malformed(
            Issue(path=(*path, tool), message="is empty: a call names a tool", keyword="minLength")
        )
    return Call(name, holder.get(arguments, MISSING), (*path, arguments))


def malformed(path: Path, words: str, found: object) -> Malformed:
    """Say that something is not what a call needs in its place."""
    kind = "null" if found is None else type(found).__name__
    return Malformed(Issue(path=path, message=f"{words}, but {kind}", keyword="type"))


def is_message(value: Any) -> bool:
    """Tell a chat message by its role and its content, whatever that says.

    One with members that may hold a call in another shape is none.
    """
    return (
        isinstance(value, dict)
        and value.get("role") in ROLES
        and "content" in value
        and not any(key in value for key in ("parts", *ARGUMENTS_KEYS))
    )


def blocks(message: Any) -> list[Any]:
    """Give the content blocks of a message; none where its content is text."""
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []
