"""What is in a JSON value, and how much memory it takes once it is written and parsed again.

Objects of Python may share their parts: a list of a few kilobytes that holds the same list
twice, 60 levels deep, takes more than any machine has when it is written as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEFINITION_BYTES = 64 * 1024 * 1024
"""Most memory that one tool's definition may take as parsed JSON, in bytes, by the estimate
of ``is_larger_than``. A longer one is not looked at: each step of the work copies it."""

_SMALL = frozenset({bool, float, type(None)})
_LISTS = (list, tuple)
_CONTAINER_BYTES = 100
_MEMBER_BYTES = 80
_MAX_LEVELS = 1_100
"""No parser gives a value that nests deeper: this one holds itself."""


def is_larger_than(value: object, max_bytes: int = MAX_DEFINITION_BYTES) -> bool:
    """Tell whether a value takes more memory than that, about.

    A part counts at each place that holds it, and a value that holds itself is larger
    than any bound. The work grows with the bound, not with the value.

    Args:
        value: What may be JSON.
        max_bytes: The bound, in bytes.
    """
    total = 0
    row: list[Any] = [value]
    for _ in range(_MAX_LEVELS):
        below: list[Any] = []
        for here in row:
            kind = type(here)
            if kind in _SMALL:
                continue
            if kind is str:
                total += len(here)
            elif kind is dict or isinstance(here, dict):
                total += _CONTAINER_BYTES + _MEMBER_BYTES * len(here) + _chars_of_keys(here)
                below += here.values()
            elif kind is list or isinstance(here, _LISTS):
                total += _CONTAINER_BYTES + _MEMBER_BYTES * len(here)
                below += here
            elif kind is int:
                total += here.bit_length() >> 3
            if total > max_bytes:
                return True
        if not below:
            return False
        row = below
    return True


def iter_values(value: Any) -> Iterator[Any]:
    """Yield a JSON value and every one inside of it."""
    row = [value]
    while row:
        here = row.pop()
        yield here
        if isinstance(here, dict):
            row += here.values()
        elif isinstance(here, list | tuple):
            row += here


def _chars_of_keys(members: dict[Any, Any]) -> int:
    try:
        return sum(map(len, members))
    except TypeError:
        # No JSON, as the writer will say.
        return 0
