"""What went wrong while cattrs structured a value, with the place of each part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs
from cattrs.errors import AttributeValidationNote, IterableValidationNote

from toolgauge.standard._answers import make_issue

if TYPE_CHECKING:
    from toolgauge.contract import Issue, Path

_NAMED = re.compile(r"'(\w+)' must ")


def issues_of(error: BaseException, path: Path = ()) -> tuple[Issue, ...]:
    """Flatten the tree of exceptions that cattrs raises.

    A note on each says which attribute or item was structured; an attribute's
    validator runs later and names the attribute itself.
    """
    if isinstance(error, BaseExceptionGroup):
        return tuple(
            issue for each in error.exceptions for issue in issues_of(each, (*path, *_step(each)))
        )
    if isinstance(error, KeyError) and len(error.args) == 1:
        return (make_issue(f"missing: {error.args[0]!r}", (*path, str(error.args[0]))),)
    words = str(error.args[0]) if error.args else type(error).__name__
    return (make_issue(words, (*path, *_attribute(error, words))),)


def _step(error: BaseException) -> Path:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return (note.name,)
        if isinstance(note, IterableValidationNote) and isinstance(note.index, str | int):
            return (note.index,)
    return ()


def _attribute(error: BaseException, words: str) -> Path:
    """Name the attribute whose validator raised, where it says so."""
    for each in error.args:
        if isinstance(each, attrs.Attribute):
            return (each.name,)
    # The validators of numbers and lengths pass their sentence alone.
    found = _NAMED.match(words)
    return (found[1],) if found else ()
