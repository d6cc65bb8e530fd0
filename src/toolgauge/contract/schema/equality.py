"""Equality as JSON has it: ``1`` equals ``1.0``, and ``true`` equals neither."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

_BYTES_PER_STEP = 64
"""Finding the key of a value of so many bytes as JSON costs as much as one keyword."""


def identity(value: Any) -> Hashable:
    """Give a key that two values share exactly when JSON calls them equal."""
    if isinstance(value, dict):
        return ("o", frozenset((name, identity(each)) for name, each in value.items()))
    if isinstance(value, list | tuple):
        return ("a", tuple(identity(each) for each in value))
    if isinstance(value, bool):
        return ("b", value)
    if isinstance(value, int | float | Decimal):
        return ("n", value)
    return value  # type: ignore[no-any-return]  # a string or null


def identity_steps(value: Any) -> int:
    """Estimate what ``identity`` costs, in keywords."""
    if not isinstance(value, dict | list | tuple):
        return 0
    try:
        return len(orjson.dumps(value)) // _BYTES_PER_STEP
    except TypeError:  # integers of any size, say
        return 1 + sum(map(identity_steps, value.values() if isinstance(value, dict) else value))


def same(one: Any, other: Any, spend: Callable[[int], None] | None = None) -> bool:
    """Tell whether two JSON values are equal.

    Args:
        one: Parsed JSON.
        other: The same.
        spend: Called with the number of members of each object and array before these are
            compared; what it raises ends the comparison.
    """
    row = [(one, other)]
    while row:
        here, there = row.pop()
        if isinstance(here, dict) and isinstance(there, dict):
            if here.keys() != there.keys():
                return False
            pairs: Iterable[tuple[Any, Any]] = ((here[key], there[key]) for key in here)
        elif isinstance(here, list) and isinstance(there, list):
            if len(here) != len(there):
                return False
            pairs = zip(here, there, strict=True)
        elif here != there or isinstance(here, bool) != isinstance(there, bool):
            return False
        else:
            continue
        if spend is not None:
            spend(len(here))
        row += pairs
    return True
