"""The integers of JSON Schema, for validators that tell 7.0 from 7."""

from __future__ import annotations

from typing import Any

_MAX_EXACT = 2.0**53
"""A double past this may stand for several integers."""


def with_whole_numbers(value: Any) -> Any:
    """Give a value with each number that is whole as an ``int``.

    To JSON Schema 7.0 is an integer (2020-12 core, section 4.2.3 and validation,
    section 6.1.1); to some validators it never is.

    Example:
        >>> with_whole_numbers({"a": [7.0, 7.5]})
        {'a': [7, 7.5]}
    """
    if isinstance(value, dict):
        return {key: with_whole_numbers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [with_whole_numbers(each) for each in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _MAX_EXACT
    return int(value) if is_whole else value
