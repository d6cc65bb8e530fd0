"""What counts as a number in a schema."""

from __future__ import annotations

from decimal import Decimal
from typing import TypeGuard


def is_number(value: object) -> TypeGuard[int | float | Decimal]:
    """Tell whether a value is a JSON number; ``True`` is none.

    Example:
        >>> is_number(5), is_number(True), is_number("5")
        (True, False, False)
    """
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
