"""Equality as JSON has it: ``1`` equals ``1.0``, and ``true`` equals neither."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable


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
