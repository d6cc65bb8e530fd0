"""Whether each call of a conversation is answered once (parallel calls may be in any order).

Source: OpenAI's chat API refuses an assistant message with ``tool_calls`` that is not
followed by tool messages answering each ``tool_call_id``; Anthropic's Messages API
wants a ``tool_result`` for each ``tool_use`` in the next message.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from toolgauge.audit.calls import Call, Malformed
from toolgauge.contract import Issue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolgauge.contract import Path


def pairing_issues(
    calls: Sequence[tuple[str, Path]], answers: Sequence[tuple[str, Path]]
) -> Iterable[Issue]:
    """Report the calls and answers that do not pair up.

    Args:
        calls: The ids of the calls of one message, and where they stand.
        answers: The ids of the answers that follow it.
    """
    known = Counter(call for call, _ in calls)
    seen: set[str] = set()
    for call, path in calls:
        if known[call] > 1 and call in seen:
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


def with_notes(read: list[Call | Malformed], notes: tuple[Issue, ...]) -> list[Call | Malformed]:
    """Put what is odd about the message with its first call."""
    for index, each in enumerate(read):
        if notes and isinstance(each, Call):
            read[index] = replace(each, notes=(*each.notes, *notes))
            break
    return read
