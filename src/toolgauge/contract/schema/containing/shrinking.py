"""Makes a value that shows something as small as shows it still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MAX_TRIES = 200
_MAX_DEPTH = 12
_WIDE = 64
"""Members and items of which several are left out at once."""


def shrunk(value: Any, shows: Callable[[object], bool]) -> Any:
    """Leave out members and items for as long as ``shows`` stays true.

    Args:
        value: Parsed JSON; it is not changed.
        shows: Whether a value still shows what is to be shown.
    """
    left = _MAX_TRIES
    while True:
        for each in _smaller(value, 0):
            left -= 1 + (len(each) // _WIDE if isinstance(each, dict | list) else 0)
            if left < 0:
                return value
            if shows(each):
                value = each
                break
        else:
            return value


def _smaller(value: Any, depth: int) -> Iterator[Any]:
    """Yield copies with one member, item or level less, outer ones first."""
    if depth <= _MAX_DEPTH and isinstance(value, dict):
        yield from _smaller_map(value, depth)
    elif depth <= _MAX_DEPTH and isinstance(value, list):
        yield from _smaller_list(value, depth)


def _smaller_map(value: dict[str, Any], depth: int) -> Iterator[Any]:
    # Of a value that holds its like, the innermost shows as much.
    yield from (each for each in value.values() if isinstance(each, dict))
    for few in _parts(list(value)):
        yield {name: value[name] for name in few}
    for key in value:
        yield {name: each for name, each in value.items() if name != key}
    for key, each in value.items():
        for less in _smaller(each, depth + 1):
            yield {**value, key: less}


def _smaller_list(value: list[Any], depth: int) -> Iterator[Any]:
    yield from _parts(value)
    for index in range(len(value)):
        yield value[:index] + value[index + 1 :]
    for index, each in enumerate(value):
        for less in _smaller(each, depth + 1):
            yield [*value[:index], less, *value[index + 1 :]]


def _parts(entries: list[Any]) -> Iterator[list[Any]]:
    """Yield a wide row without one of its halves, quarters or eighths."""
    if len(entries) > _WIDE:
        for size in (len(entries) // 2, len(entries) // 4, len(entries) // 8):
            for start in range(0, len(entries), size):
                yield entries[:start] + entries[start + size :]
