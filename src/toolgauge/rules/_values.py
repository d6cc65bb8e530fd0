"""How messages show a value of any kind."""

from __future__ import annotations

from toolgauge.rules._words import kind_of, quoted

_MOST = 10**18


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
