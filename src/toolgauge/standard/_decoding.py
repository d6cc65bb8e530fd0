"""Decoding values as the JSON that they were parsed from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from toolgauge.contract import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_MAX_EXACT = 2.0**53
"""A double past this may stand for several integers."""


def decode_json(decode: Callable[[bytes], T], text: bytes, invalid: type[Exception]) -> T:
    """Decode JSON with a library's own decoder.

    To JSON Schema 7.0 is an integer, to many decoders it is not. So a text that is
    rejected is decoded again with each whole number as an integer.

    Args:
        decode: The library's decoder.
        text: From ``dump_json``.
        invalid: What ``decode`` raises for a text that it rejects.
    """
    try:
        return decode(text)
    except invalid:
        whole = dump_json(with_whole_numbers(json.loads(text)))
        if whole == text:
            raise
    return decode(whole)


def with_whole_numbers(value: Any) -> Any:
    """Return a value with each number that is whole as an ``int``.

    Source: JSON Schema 2020-12 core, section 4.2.3, and validation, section 6.1.1.

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
