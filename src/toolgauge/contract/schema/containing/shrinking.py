"""Makes a value that shows something as small as shows it still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MAX_TRIES = 200
_MAX_DEPTH = 12


def shrunk(value: Any, shows: Callable[[object], bool]) -> Any:
    """Leave out members and items for as long as ``shows`` stays true.

    Args:
        value: Parsed JSON; it is not changed.
        shows: Whether a value still shows what is to be shown.
    """
    left = _MAX_TRIES
    while True:
        for each in _smaller(value, 0):
            left -= 1
            if left < 0:
                return value
            if shows(each):
                value = each
                break
        else:
            return value


def _smaller(value: Any, depth: int) -> Iterator[Any]:
    """Yield copies with one member, item or level less, outer ones first."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        # Of a value that holds its like, the innermost shows as much.
        yield from (each for each in value.values() if isinstance(each, dict))
        for key in value:
            yield {name: each for name, each in value.items() if name != key}
        for key, each in value.items():
            for less in _smaller(each, depth + 1):
                yield {**value, key: less}
    elif isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, each in enumerate(value):
            for less in _smaller(each, depth + 1):
                yield [*value[:index], less, *value[index + 1 :]]
