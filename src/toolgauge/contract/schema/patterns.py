"""Regular expressions as JSON Schema means them, with bounded work.

Source: ECMA-262 with the ``u`` flag (JSON Schema core 2020-12 section 6.4). The
compiled engine translates and runs them; Python's ``re`` never sees a pattern,
because a few characters can keep it busy for hours.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import jsonschema_rs

if TYPE_CHECKING:
    from toolgauge.contract.bounds import Bounds


_BACKSPACE = re.compile(r"(\[(?:[^\]\\]|\\[^b])*)\\b")
"""The engine does not know that ``\\b`` is a backspace inside a class."""


class PatternExhausted(Exception):
    """A search for a pattern passed its bound on backtracks."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.pattern: str = pattern


@lru_cache(maxsize=16)
def pattern_options(bounds: Bounds) -> jsonschema_rs.FancyRegexOptions:
    """Give the engine's regular expression options for these bounds."""
    return jsonschema_rs.FancyRegexOptions(backtrack_limit=bounds.max_pattern_backtracks)


def is_match(pattern: str, text: str, bounds: Bounds) -> bool:
    """Search ``text`` for ``pattern``.

    Raises:
        PatternExhausted: If the search passes its bound on backtracks.
        ValueError: If the pattern is not a regular expression.
    """
    matcher = _matcher(pattern, bounds)
    if matcher.is_valid(text):
        return True
    error = next(matcher.iter_errors(text))
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded):
        raise PatternExhausted(pattern)
    return False


@lru_cache(maxsize=2048)
def is_pattern(pattern: str, bounds: Bounds) -> bool:
    """Tell whether a text is a regular expression within the engine's bounds."""
    try:
        _matcher(_BACKSPACE.sub(r"\1\\x08", pattern), bounds)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=2048)
def _matcher(pattern: str, bounds: Bounds) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        {"pattern": pattern},
        validate_formats=False,
        offline=True,
        pattern_options=pattern_options(bounds),
    )
