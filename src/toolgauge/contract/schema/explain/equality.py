"""Equality as JSON has it: ``1`` equals ``1.0``, and ``true`` equals neither."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Hashable

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
