"""Regular expressions as JSON Schema means them, with bounded work.

Source: ECMA-262 with the ``u`` flag (JSON Schema core 2020-12 section 6.4). The
compiled engine runs what ``ecma`` writes for it; Python's ``re`` never sees a pattern,
because a few characters can keep it busy for hours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from toolgauge.contract.schema.cache import WeightedCache
from toolgauge.contract.schema.ecma import in_engine_syntax
from toolgauge.contract.schema.pattern_cost import (
    COMPILED_BYTES,
    MAX_PATTERN_COMPILING,
    pattern_cost,
)
from toolgauge.contract.schema.subschemas import with_subschemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolgauge.contract.bounds import Bounds


class PatternExhausted(Exception):
    """A search for a pattern passed its bound on backtracks."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.pattern: str = pattern


@lru_cache(maxsize=16)
def pattern_options(bounds: Bounds) -> jsonschema_rs.FancyRegexOptions:
    """Give the engine's regular expression options for these bounds."""
    return jsonschema_rs.FancyRegexOptions(backtrack_limit=bounds.max_pattern_backtracks)


def is_translated(pattern: str) -> bool:
    """Tell whether the engine reads a pattern differently from ECMA-262.

    Raises:
        NotPortable: If it is no pattern of ECMA-262.
    """
    return in_engine_syntax(pattern) != pattern


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
        schema["pattern"] = in_engine_syntax(schema["pattern"])
    if isinstance(schema.get("patternProperties"), dict):
        schema["patternProperties"] = _translated_keys(schema["patternProperties"])


def with_engine_patterns(schema: Any) -> Any:
    """Copy a schema with its patterns as the engine reads them."""
    if not isinstance(schema, dict):
        return schema
    made = with_subschemas(schema, with_engine_patterns)
    translate(made)
    return made


def _translated_keys(members: dict[str, Any]) -> dict[str, Any]:
    """Translate patterns that are keys, and keep those apart that become the same."""
    found: dict[str, Any] = {}
    for pattern, schema in members.items():
        key = in_engine_syntax(pattern)
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
        {"pattern": in_engine_syntax(pattern)},
        validate_formats=False,
        offline=True,
        pattern_options=options,
    )
