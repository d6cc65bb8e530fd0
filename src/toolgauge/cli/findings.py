"""What is wrong with a call, written for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.cli.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolgauge.contract import Issue

_WHOLE = "(arguments)"


def issue_lines(issues: Sequence[Issue], indent: str = "  ") -> Iterator[str]:
    """Give the place, the words and the keyword of each issue, then its causes."""
    width = max((len(_place(issue)) for issue in issues), default=0)
    for issue in issues:
        keyword = f"  [{visible(issue.keyword)}]" if issue.keyword else ""
        message = visible(issue.message)
        yield f"{indent}{_place(issue):<{width}}  {message}{keyword}"
        if issue.hint:
            yield f"{indent}{'':<{width}}  hint: {visible(issue.hint)}"
        yield from issue_lines(issue.causes, indent + "    ")


def _place(issue: Issue) -> str:
    """Give the pointer; the value itself has an empty one, which nobody would see."""
    return visible(issue.pointer) or _WHOLE


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
