"""Python's regular expressions, as far as JSON Schema can say them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from toolgauge.contract import DEFAULT_BOUNDS

if TYPE_CHECKING:
    from collections.abc import Mapping

_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<|\(\?P=(\w+)\)|\(\?.|[*+?}]\+|.", re.DOTALL
)
"""An escape, a class, the beginning of a group, a possessive quantifier, a character."""

_SPELLED = {r"\Z": "$", r"\A": "^", "(?P<": "(?<"}
_GROUPS = frozenset({"(?:", "(?=", "(?!", "(?<", "(?P<"})
"""What may follow a bracket in ECMA-262 as in Python."""


def published_pattern(
    pattern: str | bytes | re.Pattern[str] | re.Pattern[bytes],
    anchor: Literal["search", "match", "fullmatch"] = "search",
) -> str | None:
    r"""Write a pattern of Python's ``re`` as ``pattern`` has it.

    ``\w``, ``\d`` and ``\b`` stay as they are, and so mean ASCII in the schema
    where Python means every script.

    Args:
        pattern: A text or a compiled pattern.
        anchor: How the validator applies it. JSON Schema searches.

    Returns:
        ``None`` where JSON Schema has no way to say it: flags, possessive
        quantifiers, conditions.

    Example:
        >>> published_pattern(r"(?P<year>\d{4})\Z", "match")
        '^(?:(?<year>\\d{4})$)'

    Source: JSON Schema core 2020-12 section 6.4; ECMA-262 section 22.2.
    """
    compiled = pattern if isinstance(pattern, re.Pattern) else re.compile(pattern)
    text = compiled.pattern
    if not isinstance(text, str) or compiled.flags & ~(re.UNICODE | re.ASCII):
        return None
    written = _written(text, compiled.groupindex)
    if written is None:
        return None
    written = _anchored(written, anchor)
    # Reading patterns loads the engine.
    from toolgauge.contract.schema.patterns import is_pattern  # noqa: PLC0415

    return written if is_pattern(written, DEFAULT_BOUNDS) else None


def _written(text: str, groups: Mapping[str, int]) -> str | None:
    parts: list[str] = []
    for match in _TOKEN.finditer(text):
        found = match.group()
        is_possessive = found[:-1] in {"*", "+", "?", "}"} and found[1:] == "+"
        if is_possessive or (match[1] is None and found.startswith("(?") and found not in _GROUPS):
            return None
        if match[1] is not None:
            # By number: the engine does not know `\\k<name>`.
            found = rf"(?:\{groups[match[1]]})"
        parts.append(_SPELLED.get(found, found))
    return "".join(parts)


def _anchored(pattern: str, anchor: str) -> str:
    if anchor == "search":
        return pattern
    is_one = "|" not in pattern
    if anchor == "match":
        return pattern if is_one and pattern.startswith("^") else f"^(?:{pattern})"
    if is_one and pattern.startswith("^") and pattern.endswith("$") and not pattern.endswith(r"\$"):
        return pattern
    return f"^(?:{pattern})$"
