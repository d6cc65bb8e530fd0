r"""Estimate what a regular expression costs to compile and to search with.

Nothing is compiled or matched here; the work grows with the length of the pattern only.

- ``pattern_cost(pattern)`` returns a ``PatternCost``. Call it before any pattern from
  outside is compiled.
- ``PatternCost.compiling`` is the cost of compiling it once, in microseconds; a
  microsecond of compilation leaves at most about 130 bytes of memory behind. The sum over
  the distinct patterns of a schema is bounded by ``MAX_PATTERN_COMPILING``.
- ``PatternCost.searching(chars)`` is the cost of one search in a text of so many
  characters, in steps of about ten nanoseconds, the unit of ``Bounds.max_work``.

Source: measured with jsonschema-rs 0.61. A pattern without look-around and back
references is run by an engine whose time is linear in the text, times the states that can
be active at once. All others backtrack, each step possibly with a scan of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

MAX_PATTERN_COMPILING = 150_000
r"""Most microseconds that the distinct patterns of one schema may take to compile, by this
estimate: about three times ``\p{L}{0,100}``."""

MAX_BACKTRACKS = 100_000
"""Backtracks after which a search ends; the default of ``Bounds.max_pattern_backtracks``."""

COMPILED_BYTES = 130
"""Memory that a microsecond of compilation leaves behind, at most."""

_TOKEN = re.compile(
    r"""
      (?P<boundary> \\[bB] )
    | (?P<backreference> \\k<[^>]{1,100}> | \\[1-9][0-9]* | \(\?P=[^)]{1,100}\) )
    | (?P<wide> \\[pP](?: \{[^}]{1,100}\} | . ) )
    | (?P<escape> \\ (?: [dDwWsSvVhH] ) )
    | (?P<literal> \\ (?: u\{[^}]{1,20}\} | u[0-9A-Fa-f]{4} | x[0-9A-Fa-f]{2} | c[A-Za-z] | . )? )
    | (?P<class> \[ (?: \\. | [^\]\\] )*+ \]? )
    | (?P<lookaround> \(\?<?[=!] )
    | (?P<atomic> \(\?> | \(\?\( )
    | (?P<flags> \(\?[A-Za-z-]{0,20}\) )
    | (?P<group> \( (?: \?P?<[^>]{1,100}> | \?[A-Za-z-]{0,20}: )? )
    | (?P<close> \) )
    | (?P<quantifier> (?: [*+?] | \{(?P<low>[0-9]+)(?P<comma>,(?P<high>[0-9]*))?\} )[?+]? )
    | (?P<anchor> [\^$] )
    | (?P<alternation> \| )
    | (?P<dot> \. )
    | (?P<run> [^\\\[(){*+?^$|.]{2,} (?! [*+?{] ) )
    | (?P<text> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_BY_LINE = re.compile(r"\(\?[a-z]*m")
_WORD = re.compile(r"\\[wWdD]")
_PROPERTY = re.compile(r"\\[pP]")
_MOST = 10**12

_LITERAL_US, _CLASS_US, _NEGATED_US, _PROPERTY_US, _LISTED_US = 2, 4, 20, 500, 1
"""Microseconds to compile one character; a class; one that is not ASCII; one of Unicode,
such as ``\\p{L}``; and each character that a class lists."""

_PATTERN_US, _WORD_US = 50, 250
"""Microseconds of a pattern beside its characters; and of ``\\w`` or ``\\d`` where they are
those of Unicode."""

_FEW_POSITIONS = 12
"""Up to so many positions that are open at once, a search takes the same few nanoseconds
a character whatever the text: all sets of them are soon known."""

_SEARCH, _CHARS_PER_STEP, _CHAR, _POSITION = 10, 4, 35, 1
"""Steps of a search; characters that a step passes over where few positions are open; and
where many are, the steps of a character and of each position."""

_MANY_ATTEMPTS = 16
"""As many attempts as count as any number of them."""

_LONG = 4_096
"""Characters past which a second scan of a text does not profit from the first."""

_POSITIONS_PER_STEP = 4
"""Positions that a backtracking search passes in one step, at most all of them in a row."""

MAX_TOKENS = 20_000
"""A pattern with more characters, classes, groups and quantifiers is not read to the end."""

_BACKTRACK, _LOOK = 8, 3
"""Steps of a backtrack, and of a look around beside the scan."""


class PatternCost(NamedTuple):
    """What a pattern costs, by its parts.

    Attributes:
        compiling: Microseconds to compile it once.
        positions: Characters and classes, each as often as it is repeated.
        open_positions: Those of them that several attempts can be at, at once.
        is_linear: Whether it is searched for without backtracking.
        is_anchored: Whether it can only match at the beginning of the text.
        branching: How often a backtracking search can go on in as many ways as
            the text has characters.
        is_nested: Whether one repetition that backtracks is in another.
        scans: How often a backtracking step may look over the rest of the text.
    """

    compiling: int
    positions: int
    open_positions: int
    is_linear: bool
    is_anchored: bool
    branching: int
    is_nested: bool
    scans: int

    def searching(self, chars: int, backtracks: int = MAX_BACKTRACKS) -> int:
        """Estimate one search in a text, in steps of ten nanoseconds.

        Args:
            chars: Characters of the text.
            backtracks: Backtracks after which a search ends.
        """
        again = scan = chars // _CHARS_PER_STEP
        if self.open_positions > _FEW_POSITIONS:
            scan = chars * (_CHAR + self.open_positions * _POSITION)
            again = scan if chars > _LONG else again
        if self.is_linear:
            return _SEARCH + scan
        ways: int = (chars + 1) ** min(self.branching, 4)
        if self.is_nested:
            ways = max(ways, 4 ** min(chars, 20))
        ways = min(ways if self.is_anchored else ways * (chars + 1), backtracks)
        each = _BACKTRACK + self.positions // _POSITIONS_PER_STEP + self.scans * (again + _LOOK)
        return _SEARCH + scan + chars * _BACKTRACK + ways * each


_TOO_LONG = PatternCost(_MOST, _MOST, _MOST, False, False, 4, True, _MOST)  # noqa: FBT003 - positions of a tuple


@lru_cache(maxsize=512)
def _short_pattern_cost(pattern: str) -> PatternCost:
    return _Reader().read(pattern)


def pattern_cost(pattern: str) -> PatternCost:
    r"""Estimate what a pattern costs. What is no pattern gets an estimate all the same.

    Example:
        >>> pattern_cost("^[a-z]{2,10}$").is_linear
        True
        >>> pattern_cost(r"\p{L}{0,100}").compiling
        50050
        >>> pattern_cost(r"(a*)*\1b").searching(30)
        1800257
    """
    return _short_pattern_cost(pattern) if len(pattern) <= _SHORT else _Reader().read(pattern)


_SHORT = 1_000


@dataclass(slots=True)
class _Part:
    """What has been read of a group, or of its last atom.

    Attributes:
        compiling: Microseconds to compile it.
        positions: Characters and classes in it.
        open: Those that several attempts can be at, at once.
        varies: How many repetitions of no fixed number it has.
        depth: How deep such repetitions nest.
        is_hard: Whether it needs backtracking.
        hard_varies: As ``varies`` and ``depth``, up to the last place that backtracks.
        scans: Look-arounds and back references.
        is_choice: Whether it has alternatives.
        starts: Of each alternative, whether it begins with ``^``.
        is_empty: Whether nothing has been read of the present alternative.
        last: The atom that a quantifier may follow.
        is_around: Whether it is a look-around.
        is_capturing: Whether a back reference may refer to it.
        entry: How many attempts can be at its beginning, at any time.
        is_plain: Whether it is one character of a plain text: however many attempts
            there are, each text that they have read is the end of the longest.
        attempts: How many attempts can be at its end, at any time.
        ways: In how many lengths it can be read, as an atom.
        is_group: Whether it is a group, as an atom.
    """

    compiling: int = 0
    positions: int = 0
    open: int = 0
    varies: int = 0
    depth: int = 0
    is_hard: bool = False
    hard_varies: tuple[int, int] = (0, 0)
    scans: int = 0
    is_choice: bool = False
    is_around: bool = False
    is_capturing: bool = False
    entry: int = 1
    attempts: int = 1
    ways: int = 1
    is_group: bool = False
    is_plain: bool = False
    starts: list[bool] = field(default_factory=list)
    is_empty: bool = True
    last: _Part | None = None

    def close(self) -> None:
        """Add the last atom, which no quantifier follows any more."""
        atom, self.last = self.last, None
        if atom is None:
            return
        self.is_empty = False
        self.compiling = min(_MOST, self.compiling + atom.compiling)
        self.positions = min(_MOST, self.positions + atom.positions)
        if atom.is_plain:
            opened = atom.open
        elif self.attempts < _MANY_ATTEMPTS:
            # Those in a group have been counted there.
            opened = atom.open + (0 if atom.is_group else self.attempts - 1)
        else:
            opened = atom.positions
        self.open = min(_MOST, self.open + min(opened, atom.positions))
        if atom.is_hard:
            self.is_hard = True
            self.hard_varies = (
                self.varies + atom.hard_varies[0],
                max(self.depth, atom.hard_varies[1]),
            )
        self.varies += atom.varies
        self.depth = max(self.depth, atom.depth)
        self.scans += atom.scans
        self.attempts = min(_MANY_ATTEMPTS, self.attempts * atom.ways)


class _Reader:
    """Reads one pattern, token by token."""

    def __init__(self) -> None:
        self._has_variable_group = False
        self._backreferences = 0
        self._is_wide = False

    def read(self, pattern: str, attempts: int = _MANY_ATTEMPTS) -> PatternCost:
        """Read a pattern that so many attempts are made at, at once, to match."""
        self._backreferences = 0
        stack = [_Part(entry=attempts, attempts=attempts, starts=[False])]
        for count, found in enumerate(_TOKEN.finditer(pattern)):
            if count == MAX_TOKENS:
                return _TOO_LONG
            kind = str(found.lastgroup)
            if kind == "quantifier":
                if stack[-1].last is not None:
                    stack[-1].last = _repeated(stack[-1].last, found)
                continue
            stack[-1].close()
            if kind in {"lookaround", "group", "atomic"}:
                stack.append(_opened(kind, found.group(), stack[-1]))
            elif kind != "close":
                self._add(kind, found.group(), stack)
            elif len(stack) > 1:
                self._end(stack)
        while len(stack) > 1:
            stack[-1].close()
            self._end(stack)
        root = stack[0]
        root.close()
        if root.is_hard and attempts > 1:
            # One that backtracks is tried at one place after the other.
            # It also reads the short classes as those of Unicode.
            self._is_wide = True
            return self.read(pattern, 1)
        return PatternCost(
            compiling=_PATTERN_US + root.compiling,
            positions=root.positions,
            open_positions=root.open,
            is_linear=not root.is_hard,
            is_anchored=all(root.starts) and _BY_LINE.search(pattern) is None,
            branching=root.hard_varies[0],
            is_nested=root.hard_varies[1] > 1,
            scans=root.scans + self._backreferences * self._has_variable_group,
        )

    def _add(self, kind: str, text: str, stack: list[_Part]) -> None:
        """Read a token that is no parenthesis and no quantifier."""
        part = stack[-1]
        if kind == "alternation":
            part.is_choice = True
            part.is_empty = True
            part.starts.append(False)
            part.attempts = part.entry
        elif kind == "anchor":
            if text == "^" and part.is_empty:
                part.starts[-1] = True
                part.attempts = 1
        elif kind == "boundary":
            # Outside of ASCII it takes more than a table of states.
            part.attempts = _MANY_ATTEMPTS
        elif kind == "backreference":
            self._backreferences += 1
            part.last = _Part(is_hard=True, is_choice=True, positions=1, ways=_MANY_ATTEMPTS)
        elif kind != "flags":
            part.last = _character(kind, text, is_wide=self._is_wide)
            part.last.is_plain = len(stack) == 1 and kind in {"literal", "text", "run"}

    def _end(self, stack: list[_Part]) -> None:
        """End a group: from here on it is an atom of the group around it."""
        inner = stack.pop()
        inner.close()
        if inner.is_around:
            # It matches once or not at all: how often is inside of it.
            inner.scans += inner.varies > 0 and not inner.is_hard
            inner.varies = inner.depth = 0
            inner.is_hard = True
        elif inner.varies and inner.is_capturing:
            self._has_variable_group = True
        inner.is_group = True
        inner.ways = _MANY_ATTEMPTS if inner.varies or inner.is_choice else 1
        stack[-1].last = inner


def _opened(kind: str, text: str, outer: _Part) -> _Part:
    """Begin a group; what looks around is an attempt of its own at each place."""
    is_around = kind == "lookaround"
    attempts = 1 if is_around else outer.attempts
    return _Part(
        entry=attempts,
        attempts=attempts,
        starts=[False],
        is_hard=kind == "atomic",
        is_capturing=kind == "group" and not text.endswith(":"),
        is_around=is_around,
    )


def _character(kind: str, text: str, *, is_wide: bool) -> _Part:
    """Weigh one character or class."""
    if kind == "wide":
        cost = _PROPERTY_US
    elif kind == "class":
        properties = len(_PROPERTY.findall(text))
        is_ascii = text.isascii() and not text.startswith("[^") and "\\" not in text
        cost = properties * _PROPERTY_US + (_CLASS_US if is_ascii else _NEGATED_US)
        cost += len(text) * _LISTED_US if len(text) > 30 or not text.isascii() else 0  # noqa: PLR2004
    elif kind in {"escape", "dot"}:
        cost = _CLASS_US if text in {r"\d", r"\w"} else _NEGATED_US
    else:
        count = len(text) if kind == "run" else 1
        return _Part(compiling=_LITERAL_US * count, positions=count)
    if is_wide:
        cost += _WORD_US * len(_WORD.findall(text))
    return _Part(compiling=cost, positions=1)


def _repeated(atom: _Part, found: re.Match[str]) -> _Part:
    """Repeat an atom as often as a quantifier says."""
    low, high = found["low"], found["high"]
    if low is None:
        copies, is_variable = 1, True
    else:
        least = _number(low)
        most = _number(high) if high else least + (found["comma"] is not None)
        copies, is_variable = max(least, most, 1), found["comma"] is not None
    is_multiple = copies > 1 or found.group()[0] in "*+"
    atom.compiling = min(_MOST, atom.compiling * copies)
    atom.positions = min(_MOST, atom.positions * copies)
    atom.is_plain = atom.is_plain and copies == 1
    differs = bool(atom.varies) or atom.is_choice
    if is_multiple and differs:
        # Attempts of several rounds go on at once.
        atom.open = atom.positions
    if is_variable or (is_multiple and differs):
        atom.varies += 1
        atom.ways = _MANY_ATTEMPTS if is_multiple or differs else 2
        # Rounds that may differ are as many ways as one repetition in another.
        atom.depth += is_multiple * (1 + differs)
        if atom.is_hard:
            atom.hard_varies = (atom.hard_varies[0] + 1, max(atom.depth, atom.hard_varies[1]))
    return atom


def _number(digits: str) -> int:
    """Read a bound; a few thousand digits are more than ``int`` takes."""
    bare = digits.lstrip("0") or "0"
    return int(bare) if len(bare) <= 12 else _MOST  # noqa: PLR2004 - as _MOST
