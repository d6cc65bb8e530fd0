r"""Patterns written in the characters that every reader of patterns knows.

``\d`` becomes ``[0-9]``, ``\/`` a slash, a named group a plain one, a lazy quantifier
the same without ``?``. The texts that match stay the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolgauge.rules._patterns import MAX_CHARACTERS, Token, escapes, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = r" \t\n\r\x0B\x0C\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"
_SETS = {"d": "0-9", "w": "A-Za-z0-9_", "s": _SPACE}
_CONTROLS = {"f": r"\x0C", "v": r"\x0B", "0": r"\x00"}
_KEPT = "trn\\"
_SYNTAX = "^$.[]()|{}*+?"
_MAX_TWO_BYTES = 0xFFFF


class _NotPlainError(Exception):
    """A pattern uses what has no plain form."""


def plain(pattern: str) -> str | None:
    r"""Rewrite a pattern, ``None`` where it has no plain form.

    Example:
        >>> plain(r"^(?<year>\d{4})-[\w.-]+?$")
        '^([0-9]{4})-[A-Za-z0-9_.-]+$'
    """
    if len(pattern) > MAX_CHARACTERS:
        return None
    try:
        return "".join(_written(each) for each in tokens(pattern))
    except _NotPlainError:
        return None


def _written(token: Token) -> str:
    if token.kind in {"lookaround", "backreference", "boundary", "atomic"}:
        raise _NotPlainError
    if token.kind == "named":
        return "("
    if token.kind == "group" and token.text not in {"(", "(?:"}:
        raise _NotPlainError
    if token.kind == "quantifier" and token.text[1:].endswith("+"):
        raise _NotPlainError
    if token.kind == "quantifier" and token.text[1:].endswith("?"):
        return token.text[:-1]
    if token.kind == "escape":
        return _escape(token.text)
    return _class(token.text) if token.kind == "class" else token.text


def _escape(text: str) -> str:
    """Write an escape outside a class."""
    name = text[1:2]
    if name.lower() in _SETS:
        return f"[{'^' if name.isupper() else ''}{_SETS[name.lower()]}]"
    if name in _SYNTAX and name:
        return text
    return _character(text)


def _class(text: str) -> str:
    """Write a class; what a set stands for goes into it."""
    if not text.endswith("]"):
        raise _NotPlainError
    start = "[^" if text.startswith("[^") else "["
    parts = list(_parts(text[len(start) : -1]))
    if not parts:
        raise _NotPlainError
    for at, (part, is_set) in enumerate(parts):
        # A hyphen beside a set stands for itself.
        beside = parts[max(at - 1, 0) : at + 2]
        if part == "-" and 0 < at < len(parts) - 1 and any(each for _, each in beside):
            parts[at] = (r"\x2D", is_set)
    return f"{start}{''.join(part for part, _ in parts)}]"


def _parts(inside: str) -> Iterator[tuple[str, bool]]:
    """Give each part of a class as it is written, and whether it is a set."""
    rest = 0
    for text, _, start in escapes(f"[{inside}]"):
        at = start - 1
        yield from ((each, False) for each in inside[rest:at])
        rest = at + len(text)
        name = text[1:2]
        if name in _SETS:
            yield _SETS[name], True
        elif name == "b":
            yield r"\x08", False
        elif name in {"[", "]"}:
            yield text, False
        elif name in {"^", "-"}:
            yield f"\\x{ord(name):02X}", False
        else:
            yield _character(text), False
    yield from ((each, False) for each in inside[rest:])


def _character(text: str) -> str:
    """Write an escape that stands for one character."""
    name = text[1:2]
    if name in _CONTROLS and len(text) == len("\\0"):
        return _CONTROLS[name]
    if name and name in _KEPT:
        return text
    if name == "c" and len(text) > len("\\c"):
        return f"\\x{ord(text[2].upper()) - ord('@'):02X}"
    if name == "x" and len(text) > len("\\x"):
        return text
    if name == "u" and (found := re.fullmatch(r"\\u\{?([0-9A-Fa-f]{1,8})\}?", text)):
        code = int(found[1], 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:  # noqa: PLR2004 - surrogates, the last one
            raise _NotPlainError
        return f"\\u{code:04X}" if code <= _MAX_TWO_BYTES else chr(code)
    if not name or name.isalnum() or not name.isascii():
        raise _NotPlainError
    return name
