r"""Regular expressions taken apart, so that rules can see what is in them.

A search for ``\b`` in the text would take ``[\b]`` for a word boundary (it is a
backspace) and ``\\b`` too (it is a backslash and a letter). Nothing is matched or
compiled here, and the work grows with the length of the pattern only.

Source: ECMA-262, "Patterns", which JSON Schema names for ``pattern``; in addition
``(?P<name>``, ``(?P=name)``, atomic groups and possessive quantifiers, which other
languages have and people write.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolgauge.contract import Path
    from toolgauge.rules._definition import Definition, Node

MAX_CHARACTERS = 100_000
"""What comes after so many characters of a pattern is not looked at."""

MAX_DIGITS = 18
"""A number with more digits than this counts as ten to this power."""

# Names and braces are bounded, so that an unfinished one costs little.
_TOKEN = re.compile(
    r"""
      (?P<boundary> \\[bB] )
    | (?P<backreference> \\k<[^>]{1,100}> | \\[1-9][0-9]* | \(\?P=[^)]{1,100}\) )
    | (?P<escape> \\ (?: u\{[^}]{1,20}\} | u[0-9A-Fa-f]{4} | x[0-9A-Fa-f]{2}
                       | c[A-Za-z] | [pP]\{[^}]{1,100}\} | . )? )
    | (?P<class> \[ (?: \\. | [^\]\\] )*+ \]? )
    | (?P<lookaround> \(\?<?[=!] )
    | (?P<named> \(\?P?<[^>]{1,100}> )
    | (?P<atomic> \(\?> )
    | (?P<group> \( (?: \?[A-Za-z-]{0,20}[:)] )? )
    | (?P<close> \) )
    | (?P<quantifier> (?: [*+?] | \{(?P<low>[0-9]+)(?:,(?P<high>[0-9]*))?\} ) [?+]? )
    | (?P<anchor> [\^$] )
    | (?P<alternation> \| )
    | (?P<dot> \. )
    | (?P<literal> [^\\\[(){*+?^$|.]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:u\{[^}]{1,20}\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]{1,100}\}|.)",
    re.DOTALL,
)
_WIDE = re.compile(
    r"[^\x00-\x7f]|\\[pP]\{|\\u\{0*[89a-fA-F][0-9a-fA-F]\}|\\u\{0*[1-9a-fA-F][0-9a-fA-F]{2,}\}"
    r"|\\u(?!00[0-7])[0-9a-fA-F]{4}|\\x[89a-fA-F][0-9a-fA-F]"
)
_FEATURES = {
    "lookaround": "lookaround",
    "backreference": "backreference",
    "boundary": "word-boundary",
    "anchor": "anchor",
    "named": "named-group",
    "atomic": "possessive",
}


class Token(NamedTuple):
    """One piece of a pattern.

    Attributes:
        kind: ``"literal"`` (one character or several), ``"escape"``, ``"class"``,
            ``"dot"``, ``"group"``, ``"named"``, ``"atomic"``, ``"lookaround"``,
            ``"close"``, ``"alternation"``, ``"quantifier"``, ``"anchor"``,
            ``"boundary"``, ``"backreference"``.
        text: As it is written.
        start: The index of its first character.
        bounds: The numbers of ``{n}``, ``{n,}`` and ``{n,m}``, else empty.
    """

    kind: str
    text: str
    start: int
    bounds: tuple[int, ...] = ()


@lru_cache(maxsize=1024)
def tokens(pattern: str) -> tuple[Token, ...]:
    r"""Take a pattern apart. What is no pattern gives tokens all the same.

    Example:
        >>> [each.text for each in tokens(r"^[\b]{2,3}\\b$")]
        ['^', '[\\b]', '{2,3}', '\\\\', 'b', '$']
    """
    return tuple(
        Token(str(found.lastgroup), found.group(), found.start(), _bounds(found))
        for found in _TOKEN.finditer(pattern, 0, MAX_CHARACTERS)
    )


@lru_cache(maxsize=1024)
def features(pattern: str) -> Mapping[str, Token]:
    r"""Give what a pattern uses beyond plain text, each with its first token.

    The names are ``"lookaround"``, ``"lookbehind"`` (which is a look-around too),
    ``"backreference"``, ``"word-boundary"``, ``"anchor"``, ``"named-group"``,
    ``"lazy"``, ``"possessive"`` (atomic groups too), ``"unicode-property"``
    (``\p{L}``), ``"unicode-property-in-class"`` (``[\p{L}]``) and ``"non-ascii-class"``
    (``[ä-ü]``, ``[\u00e4]``, and both of these).

    Example:
        >>> list(features(r"(?=a)\bb"))
        ['lookaround', 'word-boundary']
    """
    found: dict[str, Token] = {}
    for token in tokens(pattern):
        for feature in _features(token):
            found.setdefault(feature, token)
    return found


def escapes(pattern: str) -> Iterator[tuple[str, bool, int]]:
    r"""Give each escape, whether it stands in a class, and its index.

    Example:
        >>> list(escapes(r"\d[\]]"))
        [('\\d', False, 0), ('\\]', True, 3)]
    """
    for token in tokens(pattern):
        if token.kind in {"escape", "boundary", "backreference"} and token.text[0] == "\\":
            yield token.text, False, token.start
        elif token.kind == "class":
            for found in _ESCAPE.finditer(token.text):
                yield found.group(), True, token.start + found.start()


def repetitions(pattern: str) -> tuple[Token, ...]:
    """Give the quantifiers that have numbers: ``{n}``, ``{n,}``, ``{n,m}``.

    Example:
        >>> [each.bounds for each in repetitions("a{3}b{2,}c{1,9}d*")]
        [(3,), (2,), (1, 9)]
    """
    return tuple(each for each in tokens(pattern) if each.bounds)


def is_anchored(pattern: str) -> bool:
    r"""Tell whether a pattern starts with ``^`` and ends with ``$`` (``\$`` is none).

    Example:
        >>> is_anchored("^a$"), is_anchored("^a[$]"), is_anchored("^a\\$")
        (True, False, False)
    """
    row = tokens(pattern)
    return bool(row) and row[0].text == "^" and row[-1] == ("anchor", "$", len(pattern) - 1, ())


def patterns_of(tool: Definition) -> Iterator[tuple[str, Path]]:
    """Give each ``pattern`` and each key of ``patternProperties``, and where it lies."""
    node: Node
    for node in tool.having("pattern"):
        if isinstance(node.schema["pattern"], str):
            yield node.schema["pattern"], node.at("pattern")
    for node in tool.having("patternProperties"):
        named = node.schema["patternProperties"]
        if isinstance(named, dict):
            for key in named:
                yield key, node.at("patternProperties", key)


def _features(token: Token) -> Iterator[str]:
    """Name what a token uses."""
    if token.kind == "quantifier":
        if token.text[1:].endswith("+"):
            yield "possessive"
        if token.text[1:].endswith("?"):
            yield "lazy"
    elif token.kind in {"class", "escape"}:
        in_class = token.kind == "class"
        is_property = any(each[1:2] in {"p", "P"} for each in _ESCAPE.findall(token.text))
        if is_property:
            yield "unicode-property-in-class" if in_class else "unicode-property"
        if is_property or (in_class and _WIDE.search(token.text)):
            yield "non-ascii-class"
    elif token.kind in _FEATURES:
        yield _FEATURES[token.kind]
        if token.text.startswith("(?<") and token.kind == "lookaround":
            yield "lookbehind"


def _bounds(found: re.Match[str]) -> tuple[int, ...]:
    """Read the numbers of a quantifier."""
    if found.lastgroup != "quantifier":
        return ()
    return tuple(_number(each) for each in found.group("low", "high") if each)


def _number(digits: str) -> int:
    """Read a bound; a few thousand digits are more than ``int`` takes."""
    bare = digits.lstrip("0") or "0"
    return int(bare) if len(bare) <= MAX_DIGITS else 10**MAX_DIGITS
