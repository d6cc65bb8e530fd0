"""Recorded rows: any JSON value, in which calls and their answers are looked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from toolgauge.contract import Issue
from toolgauge.wire._calls import Malformed, RecordedCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolgauge.contract import Path

FoundT_co = TypeVar("FoundT_co", covariant=True)

RecordedCalls: TypeAlias = Sequence[RecordedCall | Malformed]
"""The calls of one row, in its order. Empty for a row without a call."""

Placed: TypeAlias = list[tuple[dict[str, Any], "Path"]]
"""Objects of a row, each with its path."""

ARGUMENTS_KEYS = ("arguments", "input", "args")
"""The members that usually hold arguments, in a row that is a call."""

# A tuple: a row may have a value of any type there, and lists have no hash.
ROLES = ("system", "developer", "user", "assistant", "tool", "function")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(Generic[FoundT_co]):
    """How rows of one origin hold their calls.

    Attributes:
        name: Its name for ``--shape``.
        title: Its name for people.
        read: The calls of one row of parsed JSON; ``None`` for a row of another shape.
        members: Members of which an object of this shape has at least one; empty if it
            needs none. A row with any of them is never left to the fast path.
        rank: Rows are tried against shapes of a lower rank first: 0 has members of its
            own, 1 is told by what its members hold, 2 is any row that names a tool.
    """

    name: str
    title: str
    read: Callable[[Any], Sequence[FoundT_co] | None]
    members: frozenset[str] = frozenset()
    rank: int = 1


def placed(found: object, path: Path) -> Placed:
    """Return the objects in an array, each with its path; other values hold none."""
    if not isinstance(found, list):
        return []
    return [(each, (*path, index)) for index, each in enumerate(found) if isinstance(each, dict)]


def is_message(value: Any) -> bool:
    """Return whether a value is a chat message, by its role and its content.

    A message with members that may hold a call in another shape is none.
    """
    return (
        isinstance(value, dict)
        and value.get("role") in ROLES
        and "content" in value
        and not any(key in value for key in ("parts", *ARGUMENTS_KEYS))
    )


def blocks(message: dict[str, Any], path: Path, *kinds: str) -> Placed:
    """Return the content blocks of these types in a message."""
    content = message.get("content")
    if not isinstance(content, list):
        return []
    return [
        (block, (*path, "content", index))
        for index, block in enumerate(content)
        if isinstance(block, dict) and block.get("type") in kinds
    ]


def ids(held: Placed, member: str) -> list[tuple[str, Path]]:
    """Return the ids that objects hold in a member."""
    return [
        (each[member], (*path, member)) for each, path in held if isinstance(each.get(member), str)
    ]


def with_notes(
    read: Iterable[RecordedCall | Malformed],
    calls: Sequence[tuple[str, Path]],
    answers: Sequence[tuple[str, Path]],
) -> Iterator[RecordedCall | Malformed]:
    """Note at the first call of a message which of its calls are not answered once.

    Parallel calls may be answered in any order.

    Args:
        read: The calls of the message.
        calls: Their ids, with their paths.
        answers: The ids of the answers that follow the message.

    Source: OpenAI's chat API rejects an assistant message with ``tool_calls`` that is
    not followed by tool messages answering each ``tool_call_id``; Anthropic's Messages
    API wants a ``tool_result`` for each ``tool_use`` in the next message.
    """
    notes = tuple(_pairing_issues(calls, answers))
    for each in read:
        if notes and isinstance(each, RecordedCall):
            yield replace(each, notes=(*each.notes, *notes))
            notes = ()
        else:
            yield each


def _pairing_issues(
    calls: Sequence[tuple[str, Path]], answers: Sequence[tuple[str, Path]]
) -> Iterator[Issue]:
    """Report the calls and answers that do not pair up."""
    known = Counter(call for call, _ in calls)
    seen: set[str] = set()
    for call, path in calls:
        if call in seen:
            yield Issue(path=path, message=f"duplicate call id {call[:100]!r}")
        seen.add(call)
    given = Counter(answer for answer, _ in answers)
    told: set[str] = set()
    for answer, path in answers:
        if answer not in known:
            yield Issue(path=path, message=f"answer to an unknown call id {answer[:100]!r}")
        elif given[answer] > known[answer] and answer in told:
            yield Issue(path=path, message=f"call id {answer[:100]!r} is answered twice")
        told.add(answer)
    # A conversation that ends with its calls has not been answered yet.
    if answers:
        for call, path in dict(calls).items():
            if not given[call]:
                yield Issue(path=path, message=f"no answer to call id {call[:100]!r}")
