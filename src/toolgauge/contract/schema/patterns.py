"""Regular expressions as JSON Schema means them, with bounded work.

Source: ECMA-262 with the ``u`` flag (JSON Schema core 2020-12 section 6.4). The
compiled engine translates and runs them; Python's ``re`` never sees a pattern,
because a few characters can keep it busy for hours.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from toolgauge.contract.schema.cache import WeightedCache
from toolgauge.contract.schema.pattern_cost import (
    COMPILED_BYTES,
    MAX_PATTERN_COMPILING,
    pattern_cost,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds


_TOKEN = re.compile(r"\\.|[\[\]]", re.DOTALL)
"""An escape, or the start or end of a class. Everything else leaves a class as it is."""


class PatternExhausted(Exception):
    """A search for a pattern passed its bound on backtracks."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.pattern: str = pattern


@lru_cache(maxsize=16)
def pattern_options(bounds: Bounds) -> jsonschema_rs.FancyRegexOptions:
    """Give the engine's regular expression options for these bounds."""
    return jsonschema_rs.FancyRegexOptions(backtrack_limit=bounds.max_pattern_backtracks)


def has_backspace(pattern: str) -> bool:
    r"""Tell whether a class of the pattern holds ``\b``, which the engine does not read."""
    return translated(pattern) != pattern


def translated(pattern: str) -> str:
    r"""Write a pattern as the engine reads it.

    Source: ECMA-262 section 22.2.1, ClassEscape: ``\b`` in a class is a backspace,
    U+0008; the engine knows only the word boundary that it is elsewhere.

    Example:
        >>> translated(r"[\b\t]\b")
        '[\\x08\\t]\\b'
    """
    if "\\b" not in pattern:
        return pattern
    is_in_class = False

    def token(match: re.Match[str]) -> str:
        nonlocal is_in_class
        found = match.group()
        if found in "[]":
            is_in_class = found == "["
        return r"\x08" if is_in_class and found == r"\b" else found

    return _TOKEN.sub(token, pattern)


def patterns_of(schema: dict[str, Any]) -> list[str]:
    """Give the patterns of one subschema itself."""
    own = schema.get("pattern")
    keys = schema.get("patternProperties")
    return [
        *([own] if isinstance(own, str) else ()),
        *(keys if isinstance(keys, dict) else ()),
    ]


def translate(schema: dict[str, Any]) -> None:
    """Write the patterns of one subschema as the engine reads them, in place."""
    if isinstance(schema.get("pattern"), str):
        schema["pattern"] = translated(schema["pattern"])
    if isinstance(schema.get("patternProperties"), dict):
        schema["patternProperties"] = _translated_keys(schema["patternProperties"])


def _translated_keys(members: dict[str, Any]) -> dict[str, Any]:
    """Translate patterns that are keys, and keep those apart that become the same."""
    found: dict[str, Any] = {}
    for pattern, schema in members.items():
        key = translated(pattern)
        while key in found or (key != pattern and key in members):
            key = f"(?:{key})"
        found[key] = schema
    return found


def is_match(pattern: str, text: str, bounds: Bounds) -> bool:
    """Search ``text`` for ``pattern``.

    Raises:
        PatternExhausted: If the search passes its bound on backtracks.
        ValueError: If the pattern is not a regular expression.
    """
    return searcher(pattern, bounds)(text)


def searcher(pattern: str, bounds: Bounds) -> Callable[[str], bool]:
    """Return a function that searches a text for ``pattern``, as ``is_match`` does.

    Raises:
        ValueError: If the pattern is not a regular expression.
    """
    return _SEARCHERS.get((pattern, bounds), lambda: _searcher(pattern, bounds), _bytes_of(pattern))


def _searcher(pattern: str, bounds: Bounds) -> Callable[[str], bool]:
    if pattern_cost(pattern).is_linear:
        try:
            # The engine for what needs no backtracking reads no other patterns.
            return _matcher(pattern, jsonschema_rs.RegexOptions()).is_valid
        except ValueError:
            pass
    errors = _matcher(pattern, pattern_options(bounds)).iter_errors
    exhausted = jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded

    def search(text: str) -> bool:
        error = next(errors(text), None)
        if error is not None and isinstance(error.kind, exhausted):
            raise PatternExhausted(pattern)
        return error is None

    return search


def is_pattern(pattern: str, bounds: Bounds) -> bool:
    """Tell whether a text is a regular expression within the engine's bounds."""
    return _KNOWN.get((pattern, bounds), lambda: _is_pattern(pattern, bounds), len(pattern))


def _is_pattern(pattern: str, bounds: Bounds) -> bool:
    if pattern_cost(pattern).compiling > MAX_PATTERN_COMPILING:
        return False
    try:
        _matcher(pattern, pattern_options(bounds))
    except ValueError:
        return False
    return True


def _bytes_of(pattern: str) -> int:
    """Estimate the memory of a compiled pattern and its text, in bytes."""
    return 4 * len(pattern) + COMPILED_BYTES * pattern_cost(pattern).compiling


_SEARCHERS: WeightedCache[Callable[[str], bool]] = WeightedCache(32 * 1024 * 1024)
_KNOWN: WeightedCache[bool] = WeightedCache(1024 * 1024)


def _matcher(
    pattern: str, options: jsonschema_rs.FancyRegexOptions | jsonschema_rs.RegexOptions
) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        {"pattern": translated(pattern)},
        validate_formats=False,
        offline=True,
        pattern_options=options,
    )
