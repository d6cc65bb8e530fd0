r"""Regular expressions of ECMA-262, written so that the engine reads them as ECMA-262 does.

The engine reads ``\<`` as the start of a word, ``\z`` as the end of the text, ``[[a]b]`` as
one class, and beside a look-around ``\d`` as every digit of Unicode. ``in_engine_syntax``
spells out what it would read differently. Nothing is compiled or matched here; the work
grows with the length of the pattern only.

Source: ECMA-262 2025 section 22.2.1 with the ``u`` flag (JSON Schema core 2020-12 section
6.4). Of Annex B.1.2 only what every engine agrees on is read: an escaped punctuation
character is itself, and so are ``]``, ``}`` and ``{`` that end or begin nothing.

One difference stays: without look-around and back references, ``\b`` beside a letter that is
not ASCII is that of Unicode. Only a search that backtracks, and costs much more, could tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from toolgauge.contract.schema.pattern_cost import pattern_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

_ASCII, _MAX_CODE = 0x80, 0x10FFFF
_SURROGATES: Final = (0xD800, 0xDFFF)

Ranges = tuple[tuple[int, int], ...]

_DIGITS: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: Ranges = (
    *((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))


def _without(ranges: Ranges) -> Ranges:
    """Give all code points that are in none of some sorted ranges."""
    found, start = [], 0
    for low, high in ranges:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    return (*found, (start, _MAX_CODE))


_CLASSES: Final = {
    "d": _DIGITS,
    "w": _WORD,
    "s": _SPACE,
    "D": _without(_DIGITS),
    "W": _without(_WORD),
    "S": _without(_SPACE),
}
_CONTROLS: Final = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}

_QUANTIFIER = r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??"
_ESCAPE = r"\\[dDwWsSfnrtv^$\\.*+?()\[\]{}|/]"
_MEMBER = r"[^\\\[\]&~^-]"
_PLAIN = re.compile(
    rf"""
    (?: (?: [\^$|] | \\[bB] )(?![*+?{{])
      | \( (?: \?: )? (?![*+?{{])
      | (?: [^\\\[\](){{}}*+?^$|.] | \. | \) | {_ESCAPE}
          | \[ \^? -? (?: {_MEMBER}-{_MEMBER} | {_MEMBER} | {_ESCAPE}(?!-[^\]]) )+ -? \]
        ) (?: {_QUANTIFIER} (?![*+?{{]) )?
    )*+
    """,
    re.VERBOSE,
)
"""Patterns that the engine reads as they are meant."""

_TOKEN = re.compile(
    r"""
      (?P<escape> \\ (?: u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
                       | u[0-9a-fA-F]{4} | u\{[0-9a-fA-F]{1,20}\} | x[0-9a-fA-F]{2} | c[A-Za-z]
                       | [pP]\{[^{}\\]{1,100}\} | k<[^<>]{1,100}> | [1-9][0-9]{0,8} | . )? )
    | (?P<class> \[ )
    | (?P<open> \( (?: \?(?: [:=!] | <[=!] | <[^<>=!][^<>]{0,99}> | -?i: ) )? )
    | (?P<close> \) )
    | (?P<quantifier> [*+?]\?? | \{(?P<low>[0-9]+)(?P<comma>,(?P<high>[0-9]*))?\}\?? )
    | (?P<anchor> [\^$] )
    | (?P<alternation> \| )
    | (?P<dot> \. )
    | (?P<text> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_UNFINISHED = re.compile(r"\{,?[0-9]")
_NAME = re.compile(r"[^\W\d][\w$\u200c\u200d]*|\$[\w$\u200c\u200d]*")
_AROUND: Final = {"(?=", "(?!", "(?<=", "(?<!"}

_CATEGORIES_TEXT: Final = """
C Other Cc Control cntrl Cf Format Cn Unassigned Co Private_Use Cs Surrogate L Letter LC
Cased_Letter Ll Lowercase_Letter Lm Modifier_Letter Lo Other_Letter Lt Titlecase_Letter Lu
Uppercase_Letter M Mark Combining_Mark Mc Spacing_Mark Me Enclosing_Mark Mn Nonspacing_Mark N
Number Nd Decimal_Number digit Nl Letter_Number No Other_Number P Punctuation punct Pc
Connector_Punctuation Pd Dash_Punctuation Pe Close_Punctuation Pf Final_Punctuation Pi
Initial_Punctuation Po Other_Punctuation Ps Open_Punctuation S Symbol Sc Currency_Symbol Sk
Modifier_Symbol Sm Math_Symbol So Other_Symbol Z Separator Zl Line_Separator Zp
Paragraph_Separator Zs Space_Separator
"""
_CATEGORIES: Final = frozenset(_CATEGORIES_TEXT.split())
_BINARY_TEXT: Final = """
ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored
Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM
Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT
Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia
Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation
EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext
Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS
Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math
Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark
QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD
Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS
White_Space space XID_Continue XIDC XID_Start XIDS
"""
_BINARY: Final = frozenset(_BINARY_TEXT.split())
_SCRIPT = re.compile(r"(?:Script|sc|Script_Extensions|scx)=[A-Z][a-z]+(?:_[A-Z][a-z]+)*")
_CATEGORY = re.compile(r"(?:General_Category|gc)=(?P<name>\w+)")


class NotPortable(ValueError):
    """A pattern is none of ECMA-262, whatever some engine makes of it."""

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(pattern, reason)
        self.pattern: str = pattern
        self.reason: str = reason

    def __str__(self) -> str:
        return f"{self.pattern!r} is not a portable regular expression: {self.reason}"


def in_engine_syntax(pattern: str) -> str:
    r"""Write a pattern as the engine reads it.

    Raises:
        NotPortable: If it is no pattern of ECMA-262, or one of few that the engine cannot
            express: with a reference out of a look-behind or to an earlier round.

    Example:
        >>> in_engine_syntax(r"^\<[\b&&]$")
        '^<[\\x08\\&\\&]$'
        >>> in_engine_syntax(r"^a\z")
        Traceback (most recent call last):
            ...
        toolgauge.contract.schema.ecma.NotPortable: '^a\\z' is not a portable regular expression: \z has no meaning in ECMA-262
    """  # noqa: E501 - a message
    if _PLAIN.fullmatch(pattern):
        return pattern
    return _written(pattern) if len(pattern) <= _SHORT else _Writer(pattern).write()


_SHORT = 1_000


@lru_cache(maxsize=512)
def _written(pattern: str) -> str:
    return _Writer(pattern).write()


@dataclass(slots=True)
class _Group:
    """A group that has been opened.

    Attributes:
        number: Its place among all groups, those that capture nothing too.
        opening: ``"("``, ``"(?="``, …
        within: The groups around it, each with the alternative of it that holds this one.
        branch: The present alternative.
    """

    number: int
    opening: str
    within: tuple[tuple[int, int], ...]
    branch: int = 0


@dataclass(slots=True)
class _Writer:
    """Writes one pattern anew, token by token.

    Attributes:
        pattern: The pattern.
        at: Where the next token begins.
        made: What has been written.
        stack: The groups that are open, the whole pattern first.
        captures: The groups that capture, in order.
        groups: How many groups there are.
        optional: Numbers of groups that may be passed over.
        choices: Of groups that have several alternatives.
        repeated: Of groups that may match more than once.
        unsure: Of groups around those that are referred to and may not have matched.
        ahead: References to groups that were not open yet: text, opening, number.
        last: What a quantifier may follow.
        is_linear: Whether it is searched for without backtracking.
    """

    pattern: str
    at: int = 0
    made: list[str] = field(default_factory=list)
    stack: list[_Group] = field(default_factory=lambda: [_Group(-1, "", ())])
    captures: list[_Group] = field(default_factory=list)
    groups: int = 0
    optional: set[int] = field(default_factory=set)
    choices: set[int] = field(default_factory=set)
    repeated: set[int] = field(default_factory=set)
    unsure: set[int] = field(default_factory=set)
    ahead: list[tuple[str, str, int]] = field(default_factory=list)
    last: _Group | str = ""
    is_linear: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_linear = pattern_cost(self.pattern).is_linear

    def write(self) -> str:
        """Read to the end."""
        while self.at < len(self.pattern):
            found = _TOKEN.match(self.pattern, self.at)
            assert found is not None  # noqa: S101 - some alternative takes any character
            self.at = found.end()
            getattr(self, f"_{found.lastgroup}")(found)
        if len(self.stack) > 1:
            self._fail("a group is not closed")
        for text, named, number in self.ahead:
            if number > len(self.captures) or (
                named and all(named != each.opening for each in self.captures)
            ):
                self._fail(f"{text} refers to no group")
        if self.unsure & self.repeated:
            self._fail("it refers to a group that may have matched in an earlier round only")
        # The engine reads conditions only behind something that looks around.
        return ("(?=)" if self.unsure else "") + "".join(self.made)

    def _fail(self, reason: str) -> None:
        raise NotPortable(self.pattern, reason)

    def _atom(self, text: str) -> None:
        self.made.append(text)
        self.last = text

    def _open(self, found: re.Match[str]) -> None:
        text = found.group()
        if text == "(" and self.pattern.startswith("?", self.at):
            shown = self.pattern[found.start() : self.at + 3]
            self._fail(f"{shown} begins no group of ECMA-262")
        is_named = text.startswith("(?<") and text not in _AROUND
        if is_named and (
            not _NAME.fullmatch(text[3:-1]) or any(text == each.opening for each in self.captures)
        ):
            self._fail(f"{text} does not name a group")
        around = tuple((each.number, each.branch) for each in self.stack)
        group = _Group(self.groups, text, around)
        self.groups += 1
        self.stack.append(group)
        if text == "(" or is_named:
            self.captures.append(group)
        self.made.append("(" if is_named else text)
        self.last = ""

    def _close(self, _found: re.Match[str]) -> None:
        if len(self.stack) == 1:
            self._fail("a group is closed that was not opened")
        group = self.stack.pop()
        if group.branch:
            self.choices.add(group.number)
        if group.opening in {"(?!", "(?<!"}:
            self.optional.add(group.number)
        self.made.append(")")
        self.last = group

    def _quantifier(self, found: re.Match[str]) -> None:
        low, high = found["low"], found["high"]
        if not self.last or (isinstance(self.last, _Group) and self.last.opening in _AROUND):
            self._fail(f"{found.group()} repeats nothing")
        if (
            low
            and high
            and (len(low.lstrip("0")), low.lstrip("0"))
            > (
                len(high.lstrip("0")),
                high.lstrip("0"),
            )
        ):
            self._fail(f"the numbers of {found.group()} are out of order")
        if isinstance(self.last, _Group) and found.group()[0] != "?":
            self.repeated.add(self.last.number)
        if isinstance(self.last, _Group) and (
            found.group()[0] in "*?" or (low is not None and not low.strip("0"))
        ):
            self.optional.add(self.last.number)
        self.made.append(found.group())
        self.last = ""

    def _anchor(self, found: re.Match[str]) -> None:
        self.made.append(found.group())
        self.last = ""

    def _alternation(self, _found: re.Match[str]) -> None:
        self.stack[-1].branch += 1
        self.made.append("|")
        self.last = ""

    def _dot(self, _found: re.Match[str]) -> None:
        self._atom(_class(_without(_LINE_ENDS)))

    def _text(self, found: re.Match[str]) -> None:
        char = found.group()
        if char == "{" and _UNFINISHED.match(self.pattern, found.start()):
            self._fail("{ begins no quantifier of ECMA-262")
        self._atom(_literal(ord(char)))

    def _escape(self, found: re.Match[str]) -> None:
        text = found.group()
        kind = text[1:2]
        if kind in {"b", "B"}:
            self.made.append(text if self.is_linear else _BOUNDARIES[kind])
            self.last = ""
        elif kind in _CLASSES:
            self._atom(_class(_CLASSES[kind]))
        elif kind in {"p", "P"}:
            self._atom(self._property(text))
        elif kind and kind in "k123456789":
            self._reference(text)
        else:
            self._atom(_literal(self._code(text)))

    def _code(self, text: str) -> int:
        """Give the code point that an escape stands for."""
        kind, rest = text[1:2], text[2:]
        if kind in _CONTROLS:
            return _CONTROLS[kind]
        if kind == "0" and not self.pattern[self.at : self.at + 1].isdecimal():
            return 0
        if kind == "c" and rest:
            return ord(rest) % 32
        if kind in {"x", "u"} and rest:
            if "\\" in rest:
                high, low = int(rest[:4], 16), int(rest[6:], 16)
                return 0x10000 + ((high - _SURROGATES[0]) << 10) + (low & 0x3FF)
            code = int(rest.strip("{}"), 16)
            if code <= _MAX_CODE:
                return code
        elif kind and not (kind.isascii() and kind.isalnum()):
            return ord(kind)
        self._fail(f"{text} has no meaning in ECMA-262")
        raise AssertionError

    def _property(self, text: str) -> str:
        name = text[3:-1]
        category = _CATEGORY.fullmatch(name)
        known = name in _CATEGORIES or name in _BINARY or _SCRIPT.fullmatch(name) is not None
        if not known and (category is None or category["name"] not in _CATEGORIES):
            self._fail(f"{text} names no property of ECMA-262")
        return text

    def _reference(self, text: str) -> None:
        """Write a back reference by its number; one to a group that has not matched is empty."""
        if any(each.opening in {"(?<=", "(?<!"} for each in self.stack):
            self._fail("it refers back from a look-behind, which is read from right to left")
        named = f"(?{text[2:]}" if text[1] == "k" else ""
        number = 0 if named else int(text[1:])
        for place, group in enumerate(self.captures, 1):
            if place == number or (named and named == group.opening):
                self._atom(self._back(group, place))
                return
        self.ahead.append((text, named, number))
        self._atom("(?:)")

    def _back(self, group: _Group, number: int) -> str:
        """Refer to a group that has been opened."""
        present = {each.number: each.branch for each in self.stack}
        if group.number in present:
            return "(?:)"
        if group.number not in self.optional and all(
            branch == present[outer]
            if outer in present
            else outer not in self.optional | self.choices
            for outer, branch in group.within
        ):
            return f"(?:\\{number})"
        self.unsure.update(outer for outer, _ in group.within)
        return f"(?({number})\\{number}|)"

    def _class(self, found: re.Match[str]) -> None:
        """Write a class: its members are code points, ranges, and classes in escapes."""
        is_negated = self.pattern.startswith("^", self.at)
        self.at += is_negated
        ranges: list[tuple[int, int]] = []
        properties: list[str] = []
        while not self.pattern.startswith("]", self.at):
            low = self._member(properties, ranges)
            if not self.pattern.startswith("-", self.at) or self.pattern[self.at + 1] == "]":
                ranges += [] if low is None else [(low, low)]
                continue
            self.at += 1
            high = self._member(properties, ranges)
            if low is None or high is None or low > high:
                self._fail(f"{self.pattern[found.start() : self.at]} holds no range")
            else:
                ranges.append((low, high))
        self.at += 1
        self._atom(_class(ranges, properties, is_negated=is_negated))

    def _member(self, properties: list[str], ranges: list[tuple[int, int]]) -> int | None:
        """Read one code point of a class, or add what an escape stands for and give ``None``."""
        found = _TOKEN.match(self.pattern, self.at)
        if found is None or self.at + 1 >= len(self.pattern):
            self._fail("a class is not closed")
            raise AssertionError
        if found.lastgroup != "escape":
            self.at += 1
            return ord(self.pattern[self.at - 1])
        self.at = found.end()
        text = found.group()
        kind = text[1:2]
        if kind in _CLASSES:
            ranges += _CLASSES[kind]
            return None
        if kind in {"p", "P"}:
            properties.append(self._property(text))
            return None
        return 0x08 if kind == "b" else self._code(text)


def _class(
    ranges: Sequence[tuple[int, int]], properties: Sequence[str] = (), *, is_negated: bool = False
) -> str:
    """Write a class. Lone surrogates, which no text holds, are left out."""
    kept: list[tuple[int, int]] = []
    for low, high in ranges:
        first = _SURROGATES[1] + 1 if _is_surrogate(low) else low
        last = _SURROGATES[0] - 1 if _is_surrogate(high) else high
        kept += [(first, last)] if first <= last else []
    if not kept and not properties:
        kept, is_negated = [(0, _MAX_CODE)], not is_negated
    spelled = [_literal(low) + (f"-{_literal(high)}" if high > low else "") for low, high in kept]
    return f"[{'^' * is_negated}{''.join((*spelled, *properties))}]"


def _is_surrogate(code: int) -> bool:
    return _SURROGATES[0] <= code <= _SURROGATES[1]


_LETTER = re.compile(r"[A-Za-z0-9_ !\"%',/:;<=>@`]")
_SYNTAX = frozenset("^$\\.*+?()[]{}|-&~#")


def _literal(code: int) -> str:
    """Write one code point, inside a class or outside."""
    if _is_surrogate(code):
        return _class(())
    char = chr(code)
    if char in _SYNTAX:
        return f"\\{char}"
    return char if code >= _ASCII or _LETTER.fullmatch(char) else f"\\x{code:02x}"


_BOUNDARIES: Final = {
    "b": "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))",
    "B": "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))",
}
r"""What ``\b`` and ``\B`` mean: to the engine, letters of any script are those of a word."""
