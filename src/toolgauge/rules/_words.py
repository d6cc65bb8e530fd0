"""How messages show what they found: quoted, escaped, shortened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MAX_CHARACTERS = 60
MAX_NAMES = 5


def quoted(text: str) -> str:
    r"""Quote a text, with control characters escaped and a long one cut.

    Example:
        >>> quoted("a\x1bb")
        "'a\\x1bb'"
    """
    if len(text) <= MAX_CHARACTERS:
        return repr(text)
    return f"{text[:MAX_CHARACTERS]!r}…"


def listed(names: Sequence[str] | Collection[str]) -> str:
    """Quote several names, and count those that are too many to name.

    Example:
        >>> listed(["a", "b"])
        "'a', 'b'"
    """
    row = list(names)
    more = len(row) - MAX_NAMES
    tail = f" and {more} more" if more > 0 else ""
    return ", ".join(quoted(each) for each in row[:MAX_NAMES]) + tail


def kind_of(value: object) -> str:
    """Say what a JSON value is, in the words of a message.

    Example:
        >>> kind_of([])
        'a list'
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "a number"
    return "an object" if isinstance(value, Mapping) else "a list"


def counted(number: int, noun: str) -> str:
    """Count something, in the singular where there is one of it.

    Example:
        >>> counted(1, "character")
        '1 character'
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
