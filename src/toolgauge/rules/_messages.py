"""How messages show values: quoted, escaped, shortened, counted."""

from __future__ import annotations

from collections.abc import Collection, Mapping

MAX_CHARACTERS = 60
MAX_NAMES = 5
_MOST = 10**18


def quoted(text: str) -> str:
    r"""Quote a text, with control characters escaped and a long one cut.

    Example:
        >>> quoted("a\x1bb")
        "'a\\x1bb'"
    """
    if len(text) <= MAX_CHARACTERS:
        return repr(text)
    return f"{text[:MAX_CHARACTERS]!r}…"


def listed(names: Collection[str]) -> str:
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
    """Name the type of a JSON value as messages do.

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
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else f"a {type(value).__name__}"


def shown(value: object) -> str:
    """Show texts and plain values as JSON would, and say what the others are.

    Example:
        >>> shown("a"), shown(True), shown(None), shown(1.5), shown([1])
        ("'a'", 'true', 'null', '1.5', 'a list')
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return kind_of(value)
    return repr(value) if isinstance(value, float) or -_MOST < value < _MOST else kind_of(value)


def counted(number: int, noun: str) -> str:
    """Count something, in the singular where there is one of it.

    Example:
        >>> counted(1, "character")
        '1 character'
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
