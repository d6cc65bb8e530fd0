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


def is_about_value(error: BaseException) -> bool:
    """Tell what is wrong with a value from what is wrong with the code that checks it.

    cattrs puts whatever is raised while it structures into one group: a ``ValueError``
    or ``TypeError``, which attrs' validators and those of their kind raise; what cattrs
    itself raises; and faults of the user's own validators, converters and
    ``__attrs_post_init__``, whose text is not for the caller.
    """
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_about_value, error.exceptions))
    return isinstance(error, ValueError | TypeError) or _is_from_cattrs(error)


def _is_from_cattrs(error: BaseException) -> bool:
    """Tell whether it was raised by cattrs, or by what cattrs has generated."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    module = str(last.tb_frame.f_globals.get("__name__", ""))
    is_generated = last.tb_frame.f_code.co_filename.startswith("<cattrs generated")
    return is_generated or module.partition(".")[0] == "cattrs"


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
        # cattrs takes a member that is not there; its note names the place already.
        return (make_issue(f"missing: {error.args[0]!r}", path),)
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
