"""The first characters of a value's ``repr``, without writing the rest.

``jsonschema`` quotes the whole value in a message. One that is cut after 2,048
characters need not be written up to a megabyte first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CONTAINERS = (dict, list, tuple)
"""Exactly these: a class of its own has a ``repr`` of its own."""

_FEW = 8


def quoted(value: object, limit: int) -> str:
    """Write a value as ``repr`` does, at least up to ``limit`` characters.

    Returns:
        ``repr(value)`` where that is short; else text that begins with the same
        ``limit`` characters.

    Raises:
        ValueError: For an integer past ``sys.get_int_max_str_digits()``.
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= limit else _long_text(value, limit)
    if type(value) not in _CONTAINERS or not value:
        return repr(value)
    parts: list[str] = []
    _write(value, limit, parts)
    return "".join(parts)


def quoted_list(items: Sequence[object], limit: int) -> str:
    """Write values as ``repr`` does, with commas between, at least up to ``limit`` characters."""
    if len(items) <= _FEW:
        return ", ".join([quoted(each, limit) for each in items])
    parts: list[str] = []
    _write_all(items, limit, parts)
    return "".join(parts)


def _write(value: object, left: int, parts: list[str]) -> int:
    """Add a value's text to ``parts``; give how many more characters are wanted."""
    if left <= 0:
        return left
    if type(value) is dict and value:
        return _add("}", _write_members(value, _add("{", left, parts), parts), parts)
    if type(value) is list and value:
        return _add("]", _write_all(value, _add("[", left, parts), parts), parts)
    if type(value) is tuple and value:
        left = _write_all(value, _add("(", left, parts), parts)
        return _add(",)" if len(value) == 1 else ")", left, parts)
    return _add(quoted(value, left), left, parts)


def _write_members(value: dict[Any, Any], left: int, parts: list[str]) -> int:
    for place, (name, member) in enumerate(value.items()):
        if left <= 0:
            break
        left = _add(", " if place else "", left, parts)
        left = _add(": ", _write(name, left, parts), parts)
        left = _write(member, left, parts)
    return left


def _write_all(items: Iterable[object], left: int, parts: list[str]) -> int:
    for place, item in enumerate(items):
        if left <= 0:
            break
        left = _add(", " if place else "", left, parts)
        left = _write(item, left, parts)
    return left


def _add(text: str, left: int, parts: list[str]) -> int:
    parts.append(text)
    return left - len(text)


def _long_text(text: str, limit: int) -> str:
    """Write the beginning of a text in the quotes that the whole of it would get.

    Source: CPython uses double quotes where a text has single ones and no double ones.
    """
    has_single, has_double = "'" in text, '"' in text
    marks = "'" * has_single + '"' * (has_single and has_double)
    return repr(text[:limit] + marks)
