"""A few texts that a pattern probably matches.

Source: the common subset of ECMA-262 that tool schemas use. What is not read
here (look-around, back references, Unicode classes) is passed over: every text
is held against the engine before anybody sees it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgauge.contract.schema.containing.budget import Budget

_CLASSES = {"d": "0", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_QUANTIFIER = re.compile(r"\{(\d{1,4})(,(\d{0,4}))?\}\??|([*+?])\??")
_MAX_TEXTS = 6
_MAX_CHARS = 2_000
_FIT = "a0A-_ .:/@zZ9"
_PER_CHARACTER = 4


def pattern_samples(pattern: str, budget: Budget | None = None) -> list[str]:
    """Give texts that a pattern probably matches, short ones first.

    Args:
        pattern: A regular expression.
        budget: What that may cost; passing it raises ``TooCostly``. One pattern is
            charged once.

    Example:
        >>> pattern_samples("^[A-Z]{2}-(a|b)$")
        ['AA-a', 'ZZ-a', 'AA-b', 'ZZ-b']
    """
    if budget is None:
        return _samples(pattern)
    known = budget.samples.get(pattern)
    if known is None:
        budget.spend(1 + _PER_CHARACTER * min(len(pattern), _MAX_CHARS))
        known = budget.samples[pattern] = _samples(pattern)
    return known


def _samples(pattern: str) -> list[str]:
    try:
        found, _ = _alternatives(pattern[:_MAX_CHARS], 0, 0)
    except (IndexError, ValueError):
        return []
    return sorted(dict.fromkeys(found), key=len)[:_MAX_TEXTS]


def _alternatives(pattern: str, at: int, depth: int) -> tuple[list[str], int]:
    """Read up to the end of a group; give its texts and where it ends."""
    found: list[str] = []
    while True:
        texts, at = _sequence(pattern, at, depth)
        found += texts
        if at >= len(pattern) or pattern[at] == ")":
            return found[:_MAX_TEXTS], at
        at += 1


def _sequence(pattern: str, at: int, depth: int) -> tuple[list[str], int]:
    texts = [""]
    while at < len(pattern) and pattern[at] not in "|)":
        if pattern[at] in "^$":
            at += 1
            continue
        parts, at = _atom(pattern, at, depth)
        quantifier = _QUANTIFIER.match(pattern, at)
        if quantifier is not None:
            at = quantifier.end()
            counts = _counts(quantifier)
            # Longer texts would be dropped anyway.
            parts = [
                part * count
                for count in counts
                for part in parts
                if len(part) * count <= _MAX_CHARS
            ]
        texts = [text + part for part in parts for text in texts]
        texts = [each for each in texts if len(each) <= _MAX_CHARS][:_MAX_TEXTS]
    return texts, at


def _counts(quantifier: re.Match[str]) -> tuple[int, ...]:
    if quantifier[4]:
        return {"*": (0, 1, 2), "+": (1, 2), "?": (0, 1)}[quantifier[4]]
    low = int(quantifier[1])
    if quantifier[2] is None:
        return (low,)
    return (low, int(quantifier[3])) if quantifier[3] else (low, low + 1)


def _atom(pattern: str, at: int, depth: int) -> tuple[list[str], int]:
    """Read one character, class or group; give its texts and where it ends."""
    char = pattern[at]
    if char == "(":
        if depth > 20:  # noqa: PLR2004 - deeper than anybody writes, far from Python's own limit
            raise ValueError(pattern)
        is_around = pattern.startswith(("(?=", "(?!", "(?<=", "(?<!"), at)
        begin = pattern.index(">", at) + 1 if pattern.startswith("(?<", at) else at + 1
        begin = at + 3 if pattern.startswith("(?:", at) or is_around else begin
        texts, end = _alternatives(pattern, begin, depth + 1)
        return ([""] if is_around else texts), end + 1
    if char == "[":
        return _class(pattern, at + 1)
    if char == ".":
        return ["a"], at + 1
    if char == "\\":
        return _escape(pattern, at + 1)
    return [char], at + 1


def _escape(pattern: str, at: int) -> tuple[list[str], int]:
    char = pattern[at]
    if char in "bB":
        return [""], at + 1
    if char == "u" and re.match(r"[0-9a-fA-F]{4}", pattern[at + 1 :]):
        return [chr(int(pattern[at + 1 : at + 5], 16))], at + 5
    if char == "x" and re.match(r"[0-9a-fA-F]{2}", pattern[at + 1 :]):
        return [chr(int(pattern[at + 1 : at + 3], 16))], at + 3
    return [_CLASSES.get(char, _CONTROLS.get(char, char))], at + 1


def _class(pattern: str, at: int) -> tuple[list[str], int]:
    """Read a character class; give its first and last characters."""
    is_negated = pattern[at] == "^"
    at += is_negated
    members: list[str] = []
    while pattern[at] != "]":
        if pattern[at] == "\\":
            found, at = _escape(pattern, at + 1)
            members += [each for each in found if each]
            continue
        if pattern[at] == "-" and members and pattern[at + 1] != "]":
            last = pattern[at + 1]
            members.append(last)
            at += 2
            continue
        members.append(pattern[at])
        at += 1
    if is_negated:
        return [each for each in _FIT if each not in members][:2], at + 1
    ends = [*members[:1], *members[-1:]]
    return list(dict.fromkeys(ends)), at + 1
